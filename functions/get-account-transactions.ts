import { getAccountTransactions } from '../shared/endpoints/get-account-transactions.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-account-transactions.js'

export const handler = serve(getAccountTransactions, { ...portsOf(readSettings()), schema })
