import { broadcastTransaction } from '../shared/endpoints/broadcast-transaction.ts'
import { readingBody } from './runtime/request-body.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import { createUpstreams } from './runtime/upstreams/upstreams.ts'
import validate from './runtime/validators/broadcast-transaction.js'

const settings = readSettings()

export const handler = serve(broadcastTransaction, validate, {
  upstreams: createUpstreams(settings),
  originSecrets: settings.originSecrets,
  readBody: readingBody(),
})
