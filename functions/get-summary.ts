import { getSummary } from '../shared/endpoints/get-summary.ts'
import { createAsk } from './runtime/ask.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import validate from './runtime/validators/get-summary.js'

const settings = readSettings()

export const handler = serve(getSummary, validate, { ask: createAsk(settings), originSecrets: settings.originSecrets })
