import { getAccountTokens } from '../shared/endpoints/get-account-tokens.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-account-tokens.js'

export const handler = serve(getAccountTokens, { ...portsOf(readSettings()), schema })
