// The service's routes, made from the endpoint list.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadXmlParser } from '../../functions/runtime/load-xml-parser.ts'
import type { Log } from '../../functions/runtime/log.ts'
import { readingBody } from '../../functions/runtime/request-body.ts'
import type { CompiledSchema } from '../../functions/runtime/request-check.ts'
import { serve } from '../../functions/runtime/serve.ts'
import type { Settings } from '../../functions/runtime/settings/settings.ts'
import { scanningPortsOf } from '../../functions/runtime/upstreams/scanning-ports.ts'
import { ruleOf } from '../../shared/admission/routes.ts'
import type { Clock } from '../../shared/chain/port.ts'
import { type DeclaredEndpoint, endpoints } from '../../shared/endpoints/all.ts'
import { fileNameOf } from '../../shared/http/routes.ts'
import type { Route } from '../gateway/route.ts'
import { type Describe, docsPageRoutes } from './docs-route.ts'

/** The schema of an endpoint's request, and the parser of its body if it takes one, as its function has them. */
export async function readersOf({ method, name }: DeclaredEndpoint, ...parsers: Parameters<typeof readingBody>) {
  const file = `${fileNameOf(name)}.js`
  const { default: schema }: { default: CompiledSchema } = await import(
    `../../functions/runtime/validators/${file}`
  ).catch((error) => {
    const isThere = existsSync(join(import.meta.dirname, '../../functions/runtime/validators', file))
    throw isThere ? error : new Error(`functions/runtime/validators/${file} is missing: run npm run generate`)
  })
  return method === 'POST' ? { schema, readBody: readingBody(...parsers) } : { schema }
}

/**
 * The deployed functions, that of the docs page included, in this process.
 *
 * @param log receives the line of each request; stdout by default
 * @param clock by which the chain waits; this machine's by default
 * @param describe changes the OpenAPI document at each request for it
 */
export async function serviceRoutes(
  settings: Settings,
  log?: Log,
  clock?: Clock,
  describe?: Describe,
): Promise<Route[]> {
  const ports = { ...scanningPortsOf(settings, clock), ...(log !== undefined && { log }) }
  const routes = await Promise.all(
    endpoints.map(async (endpoint) => {
      const readers = await (endpoint.acceptsXml ? readersOf(endpoint, loadXmlParser) : readersOf(endpoint))
      return { ...ruleOf(endpoint), handler: serve(endpoint, { ...ports, ...readers }) }
    }),
  )
  return [...routes, ...docsPageRoutes(log, describe)]
}
