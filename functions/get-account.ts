import { getAccount } from '../shared/endpoints/get-account.ts'
import { createAsk } from './runtime/ask.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import validate from './runtime/validators/get-account.js'

const settings = readSettings()

export const handler = serve(getAccount, validate, { ask: createAsk(settings), originSecrets: settings.originSecrets })
