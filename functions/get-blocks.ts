import { getBlocks } from '../shared/endpoints/get-blocks.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-blocks.js'

export const handler = handlerOf(getBlocks, schema)
