import { getBlocks } from '../shared/endpoints/get-blocks.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings.ts'
import { createUpstreams } from './runtime/upstreams/upstreams.ts'
import validate from './runtime/validators/get-blocks.js'

const settings = readSettings()

export const handler = serve(getBlocks, validate, {
  upstreams: createUpstreams(settings),
  originSecrets: settings.originSecrets,
})
