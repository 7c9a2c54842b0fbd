// What a function is set up with: here a new setting finds its way to the endpoints.
import type { Ports } from './serve.ts'
import type { Settings } from './settings/settings.ts'
import { createUpstreams } from './upstreams/upstreams.ts'

/** The ports of a function, all but the parser of bodies, which not every bundle holds. */
export const portsOf = (settings: Settings): Ports => ({
  upstreams: createUpstreams(settings),
  originSecrets: settings.originSecrets,
})
