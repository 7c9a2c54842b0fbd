import { getBlock } from '../shared/endpoints/get-block.ts'
import { createAsk } from './runtime/ask.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import validate from './runtime/validators/get-block.js'

const settings = readSettings()

export const handler = serve(getBlock, validate, { ask: createAsk(settings), originSecrets: settings.originSecrets })
