// The handler of an endpoint over the upstreams that the environment of its function names.
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import type { CompiledSchema } from './request-check.ts'
import { type Handler, type Ports, serve } from './serve.ts'
import { readSettings } from './settings/settings.ts'
import { portsOf } from './upstreams/upstreams.ts'

export const handlerOf = (endpoint: Endpoint, schema: CompiledSchema, readBody: Ports['readBody'] = []): Handler =>
  serve(endpoint, { ...portsOf(readSettings()), readBody, schema })
