import { getTransaction } from '../shared/endpoints/get-transaction.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-transaction.js'

export const handler = handlerOf(getTransaction, schema)
