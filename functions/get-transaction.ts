import { getTransaction } from '../shared/endpoints/get-transaction.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-transaction.js'

export const handler = serve(getTransaction, { ...portsOf(readSettings()), schema })
