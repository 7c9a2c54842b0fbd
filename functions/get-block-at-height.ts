import { getBlockAtHeight } from '../shared/endpoints/get-block-at-height.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-block-at-height.js'

export const handler = serve(getBlockAtHeight, { ...portsOf(readSettings()), schema })
