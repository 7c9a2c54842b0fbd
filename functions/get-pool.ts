import { getPool } from '../shared/endpoints/get-pool.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-pool.js'

export const handler = serve(getPool, { ...portsOf(readSettings()), schema })
