import { broadcastDelegation } from '../shared/endpoints/broadcast-delegation.ts'
import { loadXmlParser } from './runtime/load-xml-parser.ts'
import { readingBody } from './runtime/request-body.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/broadcast-delegation.js'

export const handler = serve(broadcastDelegation, {
  ...portsOf(readSettings()),
  readBody: readingBody(loadXmlParser),
  schema,
})
