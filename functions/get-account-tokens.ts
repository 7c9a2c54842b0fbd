import { getAccountTokens } from '../shared/endpoints/get-account-tokens.ts'
import { handlerOf } from './runtime/handler.ts'
import schema from './runtime/validators/get-account-tokens.js'

export const handler = handlerOf(getAccountTokens, schema)
