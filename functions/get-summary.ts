import { getSummary } from '../shared/endpoints/get-summary.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'

export const handler = serve(getSummary, portsOf(readSettings()))
