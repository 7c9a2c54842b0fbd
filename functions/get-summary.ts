import { getSummary } from '../shared/endpoints/get-summary.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-summary.js'

export const handler = handlerOf(getSummary, schema)
