import { getBlock } from '../shared/endpoints/get-block.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-block.js'

export const handler = handlerOf(getBlock, schema)
