import { getHealth } from '../shared/endpoints/get-health.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-health.js'

export const handler = handlerOf(getHealth, schema)
