// The answers of the service if only slashes were collapsed in front of API Gateway: the functions themselves, behind an
// imitation of its routing.

import { type Handler, serve } from '../../../functions/runtime/serve.ts'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { readersOf } from '../../../local/start/routes.ts'
import { collapseSlashes } from '../../../shared/admission/paths.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { Chain } from '../../../shared/chain/port.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { pathsOf, servedMethods } from '../../../shared/http/routes.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { httpEvent, lambdaContext } from '../../functions/event.ts'
import type { Hostile } from './hostile.ts'

export interface Answer {
  /** 503 is what the service answers here where it asks its node. */
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  /** Equal for two requests that are the same question. */
  readonly meaning: string
}

interface Served {
  readonly methods: readonly string[]
  readonly path: string
  readonly paths: readonly string[]
  readonly handler: Handler
}

/** The request as its endpoint reads it, and the first thing that it asks the node. */
let read = ''
let asked = ''

/** Keeps what an endpoint has read: not every option is in its first question. */
const keepingInput = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  input(request) {
    const input = endpoint.input(request)
    read =
      endpoint.method === 'POST'
        ? ''
        : JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    return input
  },
})

const query = async (operation: { readonly name: string }, variables: object): Promise<never> => {
  asked = `${read} ${operation.name} ${JSON.stringify(variables)}`
  throw new WireError('busy', 'as a test wants it')
}
/** Each request meets an instance that has not learnt yet that the node is busy. */
const chain: Chain = {
  view: (terms) =>
    createChain({
      nodes: [{ name: 'node', query, sharedAddress: true }],
      clock: hurriedClock,
      random: Math.random,
    }).view(terms),
}

const routes = await Promise.all(
  endpoints.map(async (endpoint): Promise<Served> => {
    const handler = serve(keepingInput(endpoint), { chain, ...(await readersOf(endpoint)), log: () => undefined })
    return { methods: servedMethods(endpoint.method), path: endpoint.path, paths: pathsOf(endpoint), handler }
  }),
)

/** API Gateway's answer to a path or method without a route. */
export const noRoute: Answer = { status: 404, headers: {}, body: '{"message":"Not Found"}', meaning: '' }

/** Repeated keys joined by a comma, as API Gateway does it. The `&` keeps a question mark that begins the query. */
function queryOf(text: string): Record<string, string> {
  const joined = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(`&${text}`)) {
    const earlier = joined.get(key)
    joined.set(key, earlier === undefined ? value : `${earlier},${value}`)
  }
  return Object.fromEntries(joined)
}

/** @param request one without percent-encoding in its path */
export async function answerOf({ method, target, headers }: Hostile): Promise<Answer> {
  if (method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers) {
    return { status: 204, headers: {}, body: '', meaning: 'preflight' }
  }
  const [sent = '', ...rest] = target.split('?')
  const path = collapseSlashes(sent || '/')
  for (const route of routes) {
    const pattern = new RegExp(`^(?:${route.paths.join('|').replace(/\{(\w+)\}/, '(?<$1>[^/]+)')})$`)
    const found = pattern.exec(path)
    if (found === null || !route.methods.includes(method)) continue
    const event = httpEvent({
      method: method as 'GET',
      path,
      route: route.path,
      query: queryOf(rest.join('?')),
      ...(found.groups && { pathParameters: { ...found.groups } }),
      ...(method === 'POST' && { body: '{}' }),
    })
    asked = ''
    const { statusCode = 0, headers: answered = {}, body = '' } = await route.handler(event, lambdaContext())
    return { status: statusCode, headers: answered, body, meaning: `${method} ${route.path} ${asked}` }
  }
  return noRoute
}
