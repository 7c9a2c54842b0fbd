import { broadcastDelegation } from '../shared/endpoints/broadcast-delegation.ts'
import { readingBody } from './runtime/request-body.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import { createUpstreams } from './runtime/upstreams/upstreams.ts'
import validate from './runtime/validators/broadcast-delegation.js'
import { parseXml } from './runtime/xml-body.ts'

const settings = readSettings()

export const handler = serve(broadcastDelegation, validate, {
  upstreams: createUpstreams(settings),
  originSecrets: settings.originSecrets,
  readBody: readingBody(parseXml),
})
