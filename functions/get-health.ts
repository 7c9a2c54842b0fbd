import { getHealth } from '../shared/endpoints/get-health.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-health.js'

export const handler = serve(getHealth, { ...portsOf(readSettings()), schema })
