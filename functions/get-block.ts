import { getBlock } from '../shared/endpoints/get-block.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import { createUpstreams } from './runtime/upstreams/upstreams.ts'
import validate from './runtime/validators/get-block.js'

const settings = readSettings()

export const handler = serve(getBlock, validate, {
  upstreams: createUpstreams(settings),
  originSecrets: settings.originSecrets,
})
