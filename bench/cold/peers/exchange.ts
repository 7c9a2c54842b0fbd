// What every peer does with a request: the same lock, checks, question, mapping, headers and errors as the service, called
// directly. Peers differ in how a request reaches this, and how it reaches the node.
import { failureAnswer } from '../../../functions/runtime/failure.ts'
import { opensLock, originSecretsOf } from '../../../functions/runtime/origin-lock.ts'
import { type CompiledSchema, requestCheck } from '../../../functions/runtime/request-check.ts'
import { systemClock } from '../../../functions/runtime/upstreams/upstreams.ts'
import { cacheControlOf } from '../../../shared/agreements/caching.ts'
import { originHeader } from '../../../shared/agreements/names.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { Answer, Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { memberOf, parseExactJson, printExactJson } from '../../../shared/mapping/json.ts'
import { ApiError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'

export interface PeerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body?: string | undefined
}

interface PeerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends JSON to the node. */
export type Post = (url: string, body: string, timeoutMs: number) => Promise<{ status: number; text: string }>

const url = process.env.NODE_GRAPHQL_URL ?? ''
const timeoutMs = Number(process.env.UPSTREAM_TIMEOUT_MS)
const secrets = originSecretsOf(process.env.ORIGIN_SECRETS)

const queryBy =
  (post: Post): QueryUpstream =>
  async ({ document }, variables) => {
    const { status, text } = await post(url, JSON.stringify({ query: document, variables }), timeoutMs)
    const reply = parseExactJson(text)
    const errors = memberOf(reply, 'errors')
    const messages = Array.isArray(errors) ? errors.map((error) => String(memberOf(error, 'message'))) : []
    return { status, data: memberOf(reply, 'data'), errors: messages }
  }

/** What a peer answers with: a request to one endpoint, whose answer goes to its log and its caller. */
export function exchangeWith(
  endpoint: Endpoint,
  schema: CompiledSchema,
  post: Post,
): (request: PeerRequest) => Promise<PeerAnswer> {
  const check = requestCheck(endpoint, schema)
  const node = { name: 'node', query: queryBy(post), sharedAddress: true }
  const chain = createChain({ nodes: [node], clock: systemClock, random: Math.random })

  const run = async ({ headers, query: parameters, body }: PeerRequest): Promise<Answer> => {
    if (!opensLock(headers[originHeader], secrets)) throw new ApiError(403, 'This address is closed.')
    const request = { path: {}, query: parameters, body: body === undefined ? undefined : JSON.parse(body) }
    const event = { pathParameters: {}, queryStringParameters: parameters, body: request.body }
    if (!check(event as never))
      throw new ApiError(400, (check.errors ?? []).map(({ at, problem }) => `${at} ${problem}`).join('; '))
    const exchange = chain.exchange({ deadline: Date.now() + timeoutMs })
    return endpoint.run(endpoint.input(request), exchange).finally(() => exchange.end())
  }

  return async (request) => {
    const startedAt = performance.now()
    const answer = await run(request).catch((error: unknown) => failureAnswer(error, endpoint))
    const { status, body, headers, caching } = answer
    const durationMs = performance.now() - startedAt
    process.stdout.write(`${JSON.stringify({ level: 'info', endpoint: endpoint.name, status, durationMs })}\n`)
    return {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': cacheControlOf(caching), ...headers },
      body: printExactJson(body),
    }
  }
}
