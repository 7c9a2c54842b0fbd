import { getFees } from '../shared/endpoints/get-fees.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-fees.js'

export const handler = handlerOf(getFees, schema)
