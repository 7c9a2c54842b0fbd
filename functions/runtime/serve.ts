// Serves one endpoint as a Lambda function behind an HTTP API (payload 2.0).
import middy from '@middy/core'
import validator from '@middy/validator'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { brieflyKept, cacheControlOf } from '../../shared/agreements/caching.ts'
import { longestAnswerMs } from '../../shared/agreements/limits.ts'
import { routeOf } from '../../shared/agreements/names.ts'
import type { Answer, Endpoint } from '../../shared/endpoints/endpoint.ts'
import { printExactJson } from '../../shared/mapping/json.ts'
import type { Deadline, QueryUpstream } from '../../shared/upstream/query.ts'
import { answerTo, type NotModified } from './conditional.ts'
import { chainHeadersOf, type Exchange, millisecondsSince, notingCalls, timeLeftMs } from './exchange.ts'
import { failureAnswer } from './failure.ts'
import { type Log, logToStdout, summariseCalls, withoutSignatures } from './log.ts'
import { summariseHeaders } from './metrics.ts'
import { newNodeNotes, summariseNodes } from './node-notes.ts'
import { shedding } from './nodes/shed.ts'
import { lockingOrigin } from './origin-lock.ts'
import { pauseFor } from './pause.ts'
import { type CompiledSchema, requestCheck, requestOf } from './request-check.ts'
import { readRelease } from './settings/settings.ts'
import type { Upstreams } from './upstreams/upstreams.ts'

/** What is left of a function's time for writing the answer. */
const answerMarginMs = 500

interface ServeContext extends Context {
  exchange: Exchange
}

type Result = APIGatewayProxyStructuredResultV2
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEventV2, Result, Error, ServeContext>

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Result>

/** Only what is read from the chain is labelled: a broadcast is judged by what it says of its command. */
function resultOf(answer: Answer | NotModified, exchange: Exchange, { method }: Endpoint): Result {
  const headers = {
    // Also with 304, since the API gateway would name another, which caches would take over.
    'content-type': 'application/json',
    'cache-control': cacheControlOf(exchange.nodes.isBehind ? brieflyKept(answer.caching) : answer.caching),
    ...(method === 'GET' && chainHeadersOf(exchange)),
    ...answer.headers,
  }
  if (answer.status === 304) return { statusCode: 304, headers }
  const { status, body, note, observed } = answer
  if (note !== undefined) exchange.note = note
  if (observed !== undefined) exchange.observed = observed
  return { statusCode: status, headers, body: printExactJson(body) }
}

/** What answers HEAD: the answer to GET, its length named and its body left out. */
const withoutBody = ({ body = '', headers, statusCode = 200 }: Result): Result => ({
  statusCode,
  headers: { ...headers, ...(statusCode !== 304 && { 'content-length': String(Buffer.byteLength(body)) }) },
})

function logging(endpoint: Endpoint, log: Log): Middleware {
  const finish: middy.MiddlewareFn<APIGatewayProxyEventV2, Result, Error, ServeContext> = ({ context, response }) => {
    const { startedAt, upstream, nodes, note, observed } = context.exchange
    const status = response?.statusCode ?? 500
    log({
      level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
      requestId: context.awsRequestId,
      endpoint: endpoint.name,
      route: routeOf(endpoint),
      status,
      durationMs: millisecondsSince(startedAt),
      upstream,
      ...summariseCalls(upstream),
      ...summariseNodes(nodes),
      ...summariseHeaders(response?.headers),
      ...(observed !== undefined && { observed }),
      ...(note !== undefined && { note: withoutSignatures(note) }),
    })
  }
  return {
    before({ context }) {
      const startedAt = performance.now()
      const leftMs = Math.min(longestAnswerMs, context.getRemainingTimeInMillis() - answerMarginMs)
      context.exchange = { startedAt, deadline: startedAt + leftMs, upstream: [], nodes: newNodeNotes() }
    },
    after: finish,
    onError: finish,
  }
}

const answeringErrors = (endpoint: Endpoint): Middleware => ({
  onError(request) {
    request.response = resultOf(failureAnswer(request.error, endpoint), request.context.exchange, endpoint)
  },
})

/** What a function is set up with. */
export interface Ports {
  readonly upstreams: Upstreams
  readonly log?: Log
  readonly pause?: Deadline['pause']
  /** Parses the body, for an endpoint that takes one. */
  readonly readBody?: readonly Middleware[]
  /** What opens the lock against requests that bypass CloudFront; none where there is no CloudFront. */
  readonly originSecrets?: readonly string[] | undefined
  /** Part of every entity tag; the release that the environment names by default. */
  readonly release?: string
}

/**
 * The Lambda handler of an endpoint. It never throws: each request gets the contract's answer and one log line.
 *
 * @param schema the endpoint's compiled request schema
 */
export function serve(
  endpoint: Endpoint,
  schema: CompiledSchema,
  {
    upstreams,
    log = logToStdout,
    pause = pauseFor,
    readBody = [],
    originSecrets,
    release = readRelease() ?? 'unreleased',
  }: Ports,
): Handler {
  const pipeline = middy<APIGatewayProxyEventV2, Result, Error, ServeContext>()
    .use(logging(endpoint, log))
    .use(answeringErrors(endpoint))
    .use(originSecrets === undefined ? [] : lockingOrigin(originSecrets))
    .use([...readBody])
    .use(validator({ eventSchema: requestCheck(endpoint, schema) as never }))
    .handler(async (event: APIGatewayProxyEventV2, { exchange }: ServeContext) => {
      const { query, nodes, configured, scans, hasSeveralNodes = false, areBusy = () => false } = upstreams
      const noting = (port: QueryUpstream) => notingCalls(port, exchange, hasSeveralNodes)
      const deadline = { timeLeftMs: () => timeLeftMs(exchange), pause }
      const context = {
        query: noting(endpoint.method === 'GET' ? shedding(query, areBusy) : query),
        nodes: nodes.map((node) => ({ ...node, query: noting(node.query) })),
        deadline,
        configured,
        ...(scans !== undefined && { scans }),
      }
      const condition = { ifNoneMatch: event.headers?.['if-none-match'], release }
      const again = () => {
        exchange.label = undefined
      }
      const answer = await answerTo(endpoint, endpoint.input(requestOf(event)), context, condition, again)
      return resultOf(answer, exchange, endpoint)
    })
  const handler = pipeline as unknown as Handler
  return async (event, context) => {
    const result = await handler(event, context)
    return event.requestContext?.http.method === 'HEAD' ? withoutBody(result) : result
  }
}
