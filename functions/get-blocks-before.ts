import { getBlocksBefore } from '../shared/endpoints/get-blocks-before.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-blocks-before.js'

export const handler = handlerOf(getBlocksBefore, schema)
