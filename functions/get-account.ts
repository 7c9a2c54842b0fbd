import { getAccount } from '../shared/endpoints/get-account.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { scanningPortsOf } from './runtime/upstreams/scanning-ports.ts'
import schema from './runtime/validators/get-account.js'

export const handler = serve(getAccount, { ...scanningPortsOf(readSettings()), schema })
