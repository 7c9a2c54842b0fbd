import { getBlocksBefore } from '../shared/endpoints/get-blocks-before.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-blocks-before.js'

export const handler = serve(getBlocksBefore, { ...portsOf(readSettings()), schema })
