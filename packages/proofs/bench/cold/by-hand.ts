// The function as one would write it by hand: the same lock, checks, question, mapping, headers and errors as the service,
// called directly. Two ways to reach the node, of which a bundle holds one.
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { failureAnswer } from '../../../../functions/runtime/answer.ts'
import {
  type CompiledSchema,
  originLock,
  readRequest,
  requestCheck,
} from '../../../../functions/runtime/request-check.ts'
import { originSecretsOf } from '../../../../functions/runtime/settings/settings.ts'
import { systemClock } from '../../../../functions/runtime/system-clock.ts'
import { createChain } from '../../../../shared/chain/chain.ts'
import { defaultSettings } from '../../../../shared/deployment/stage-settings.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import type { Answer } from '../../../../shared/http/answer.ts'
import { cacheControlOf } from '../../../../shared/http/answer-headers.ts'
import { originHeader } from '../../../../shared/http/routes.ts'
import { memberOf, parseExactJson, printExactJson } from '../../../../shared/mapping/exact-json.ts'
import { ApiError } from '../../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../../shared/upstream/query.ts'

/** Sends JSON to the node. */
type Post = (url: string, body: string, timeoutMs: number) => Promise<{ status: number; text: string }>

export const byFetch: Post = async (url, body, timeoutMs) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
  return { status: response.status, text: await response.text() }
}

/** Without an import, which would load the built-in fetch too. */
export const byNodeHttp = (): Post => {
  const { Agent, request } = process.getBuiltinModule('node:http')
  const agent = new Agent({ keepAlive: true })
  return (url, body, timeoutMs) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      request(url, { agent, method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs) })
        .on('response', (response) => {
          text(response).then((answer) => resolve({ status: response.statusCode ?? 0, text: answer }), reject)
        })
        .on('error', reject)
        .end(body)
    })
}

const url = process.env.NODE_GRAPHQL_URL ?? ''
const timeoutMs = Number(process.env.UPSTREAM_TIMEOUT_MS)
const pins = {
  genesisStateHashes: [process.env.GENESIS_STATE_HASH ?? ''],
  chainIds: [process.env.CHAIN_ID ?? ''],
}
const isOpenedBy = originLock(originSecretsOf(process.env.ORIGIN_SECRETS))

const queryBy =
  (post: Post): QueryUpstream =>
  async ({ document }, variables) => {
    const { status, text } = await post(url, JSON.stringify({ query: document, variables }), timeoutMs)
    const reply = parseExactJson(text)
    const errors = memberOf(reply, 'errors')
    const messages = Array.isArray(errors) ? errors.map((error) => String(memberOf(error, 'message'))) : []
    return { status, data: memberOf(reply, 'data'), errors: messages }
  }

/** The Lambda handler of one endpoint. */
export function handlerWith(endpoint: Endpoint, schema: CompiledSchema, post: Post) {
  const check = requestCheck(schema)
  const node = { name: 'node', query: queryBy(post), sharedAddress: true }
  const chain = createChain({ nodes: [node], clock: systemClock, random: Math.random, ...pins })

  const run = async (event: APIGatewayProxyEventV2): Promise<Answer> => {
    const { headers, queryStringParameters: parameters = {} } = event
    if (!isOpenedBy(headers[originHeader])) throw new ApiError(403, "Forbidden. Use the service's public URL.")
    const body = event.body === undefined ? undefined : JSON.parse(event.body)
    const request = { ...event, pathParameters: {}, queryStringParameters: parameters, body }
    const reading = readRequest(endpoint, request, defaultSettings)
    if (!check({ ...request, reading }))
      throw new ApiError(400, (check.errors ?? []).map(({ at, problem }) => `${at} ${problem}`).join('; '))
    const view = chain.view({ withinMs: timeoutMs })
    return endpoint.run(endpoint.input(reading.request), view).finally(() => view.end())
  }

  return async (event: APIGatewayProxyEventV2) => {
    const startedAt = performance.now()
    const answer = await run(event).catch((error: unknown) => failureAnswer(error, endpoint))
    const { status, body, headers, caching } = answer
    const durationMs = performance.now() - startedAt
    process.stdout.write(`${JSON.stringify({ level: 'info', endpoint: endpoint.name, status, durationMs })}\n`)
    return {
      statusCode: status,
      headers: { 'content-type': 'application/json', 'cache-control': cacheControlOf(caching), ...headers },
      body: printExactJson(body),
    }
  }
}
