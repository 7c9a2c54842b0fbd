import { broadcastTransaction } from '../shared/endpoints/broadcast-transaction.ts'
import { readingBody } from './runtime/request-body.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/broadcast-transaction.js'

export const handler = serve(broadcastTransaction, { ...portsOf(readSettings()), readBody: readingBody(), schema })
