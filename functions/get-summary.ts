import { getSummary } from '../shared/endpoints/get-summary.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import { createUpstreams } from './runtime/upstreams/upstreams.ts'
import validate from './runtime/validators/get-summary.js'

const settings = readSettings()

export const handler = serve(getSummary, validate, {
  upstreams: createUpstreams(settings),
  originSecrets: settings.originSecrets,
})
