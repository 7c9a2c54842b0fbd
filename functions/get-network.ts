import { getNetwork } from '../shared/endpoints/get-network.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-network.js'

export const handler = serve(getNetwork, { ...portsOf(readSettings()), schema })
