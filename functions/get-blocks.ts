import { getBlocks } from '../shared/endpoints/get-blocks.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-blocks.js'

export const handler = serve(getBlocks, { ...portsOf(readSettings()), schema })
