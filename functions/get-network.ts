import { getNetwork } from '../shared/endpoints/get-network.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-network.js'

export const handler = handlerOf(getNetwork, schema)
