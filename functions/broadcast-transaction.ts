import { broadcastTransaction } from '../shared/endpoints/broadcast-transaction.ts'
import { handlerOf } from './runtime/handler.ts'
import { readingBody } from './runtime/request-body.ts'
import schema from './runtime/validators/broadcast-transaction.js'

export const handler = handlerOf(broadcastTransaction, schema, readingBody())
