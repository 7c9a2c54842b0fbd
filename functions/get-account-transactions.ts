import { getAccountTransactions } from '../shared/endpoints/get-account-transactions.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-account-transactions.js'

export const handler = handlerOf(getAccountTransactions, schema)
