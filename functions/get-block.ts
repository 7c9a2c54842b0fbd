import { getBlock } from '../shared/endpoints/get-block.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-block.js'

export const handler = serve(getBlock, { ...portsOf(readSettings()), schema })
