import { getFees } from '../shared/endpoints/get-fees.ts'
import { serve } from './runtime/serve.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { portsOf } from './runtime/upstreams/upstreams.ts'
import schema from './runtime/validators/get-fees.js'

export const handler = serve(getFees, { ...portsOf(readSettings()), schema })
