import { getBlockAtHeight } from '../shared/endpoints/get-block-at-height.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-block-at-height.js'

export const handler = handlerOf(getBlockAtHeight, schema)
