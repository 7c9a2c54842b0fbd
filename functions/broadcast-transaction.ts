import { broadcastTransaction } from '../shared/endpoints/broadcast-transaction.ts'
import { readingBody } from './runtime/request-body.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import validate from './runtime/validators/broadcast-transaction.js'

export const handler = serve(broadcastTransaction, validate, { ...portsOf(readSettings()), readBody: readingBody() })
