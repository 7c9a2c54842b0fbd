import { getPool } from '../shared/endpoints/get-pool.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-pool.js'

export const handler = handlerOf(getPool, schema)
