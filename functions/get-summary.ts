import { getSummary } from '../shared/endpoints/get-summary.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-summary.js'

export const handler = serve(getSummary, { ...portsOf(readSettings()), schema })
