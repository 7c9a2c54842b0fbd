import { getBlocks } from '../shared/endpoints/get-blocks.ts'
import { createAsk } from './runtime/ask.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import validate from './runtime/validators/get-blocks.js'

const settings = readSettings()

export const handler = serve(getBlocks, validate, { ask: createAsk(settings), originSecrets: settings.originSecrets })
