import { getAccount } from '../shared/endpoints/get-account.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import { createUpstreams } from './runtime/upstreams/upstreams.ts'
import validate from './runtime/validators/get-account.js'

const settings = readSettings()

export const handler = serve(getAccount, validate, {
  upstreams: createUpstreams(settings),
  originSecrets: settings.originSecrets,
})
