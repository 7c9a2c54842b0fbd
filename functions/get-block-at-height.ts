import { getBlockAtHeight } from '../shared/endpoints/get-block-at-height.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'

export const handler = serve(getBlockAtHeight, portsOf(readSettings()))
