import { broadcastDelegation } from '../shared/endpoints/broadcast-delegation.ts'
import { handlerOf } from './runtime/handler.ts'
import { loadXmlParser } from './runtime/load-xml-parser.ts'
import { readingBody } from './runtime/request-body.ts'
import schema from './runtime/validators/broadcast-delegation.js'

export const handler = handlerOf(broadcastDelegation, schema, readingBody(loadXmlParser))
