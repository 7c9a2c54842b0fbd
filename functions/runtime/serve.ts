// Serves one endpoint as a Lambda function behind an HTTP API (payload 2.0).
import middy from '@middy/core'
import validator from '@middy/validator'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { Chain } from '../../shared/chain/port.ts'
import { maxAnswerMs } from '../../shared/deployment/settings.ts'
import { defaultSettings, type EndpointSettings } from '../../shared/deployment/stage-settings.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { brieflyKept, cacheControlOf, tipHeaders } from '../../shared/http/answer-headers.ts'
import { routeOf } from '../../shared/http/routes.ts'
import { type PrintedJson, printExactJson } from '../../shared/mapping/exact-json.ts'
import { ApiError } from '../../shared/upstream/errors.ts'
import type { Tip } from '../../shared/upstream/query.ts'
import { answerTo, failureAnswer, isBug, isOfIndexer, type NotModified, type Printed } from './answer.ts'
import { requireSendable } from './answer-size.ts'
import { compact, trueIf } from './compact.ts'
import { emptyEvent, notAGatewayEvent, requestIn } from './gateway-event.ts'
import { type Log, logToStdout, type RequestLine, RequestNotes } from './log.ts'
import { summariseHeaders } from './metrics.ts'
import type { Secrets } from './redaction.ts'
import { type CompiledSchema, lockingOrigin, type ReadEvent, readingRequest, requestCheck } from './request-check.ts'
import { readRelease } from './settings/settings.ts'

/** Time kept for writing the answer before Lambda stops the function. */
const answerMarginMs = 500

interface ServeContext extends Context {
  notes: RequestNotes
}

type Result = APIGatewayProxyStructuredResultV2
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEventV2, Result, Error, ServeContext>

/** The event may be anything, since a function can be invoked by hand. */
export type Handler = (event: unknown, context: Context) => Promise<Result>

/** The headers that show the tip of an answer; none for an answer given without a node. */
const chainHeadersOf = (tip: Tip | undefined): Readonly<Record<string, string>> =>
  tip === undefined
    ? {}
    : {
        [tipHeaders.height]: String(tip.height),
        [tipHeaders.stateHash]: tip.stateHash,
        [tipHeaders.time]: new Date(tip.atMs).toISOString(),
        [tipHeaders.syncStatus]: tip.syncStatus,
      }

/** The result for the gateway. Only reads are labelled with a tip: a broadcast's answer is about its command. */
function resultOf(answer: Printed | NotModified, notes: RequestNotes, { method, links }: Endpoint): Result {
  const headers = {
    // Also with 304: the API gateway would add another type, which caches would adopt.
    'content-type': 'application/json',
    'cache-control': cacheControlOf(notes.isBehind ? brieflyKept(answer.caching) : answer.caching),
    ...(method === 'GET' && chainHeadersOf(answer.tip ?? notes.tip)),
    // No `link` on a 400: the edge answers the same requests and cannot add it.
    ...(links !== undefined && answer.status !== 400 && { link: links }),
    ...answer.headers,
  }
  if (answer.status === 304) return { statusCode: 304, headers }
  const result = { statusCode: answer.status, headers, body: answer.text ?? printExactJson(answer.body) }
  // Lambda's runtime serialises the result again; a body that was served before has its escaped text ready.
  const body = answer.body as Partial<PrintedJson>
  body.speedUp?.(result)
  return result
}

/** The answer to HEAD: that to GET, with its length and without its body. */
const withoutBody = ({ body = '', headers, statusCode = 200 }: Result): Result => ({
  statusCode,
  headers: { ...headers, ...(statusCode !== 304 && { 'content-length': String(Buffer.byteLength(body)) }) },
})

function levelOf(status: number): RequestLine['level'] {
  if (status >= 500) return 'error'
  return status >= 400 ? 'warn' : 'info'
}

function logging(endpoint: Endpoint, log: Log, secrets?: Secrets): Middleware {
  const route = routeOf(endpoint)
  const finish: middy.MiddlewareFn<APIGatewayProxyEventV2, Result, Error, ServeContext> = (request) => {
    const { event, context, response } = request
    const status = response?.statusCode ?? 500
    const line = compact({
      level: levelOf(status),
      requestId: context.awsRequestId,
      gatewayRequestId: event.requestContext?.requestId,
      endpoint: endpoint.name,
      route,
      status,
      durationMs: context.notes.durationMs(),
      ...context.notes.summary(),
      ...summariseHeaders(response?.headers),
      heartbeat: trueIf(endpoint.isHeartbeat?.(event.body)),
    })
    log(line)
  }
  return {
    before({ context }) {
      context.notes = new RequestNotes(secrets)
    },
    after: finish,
    onError: finish,
  }
}

const answeringErrors = (endpoint: Endpoint): Middleware => ({
  onError(request) {
    const { error, context } = request
    const { notes } = context
    if (isBug(error)) notes.flags.isBug = true
    if (isOfIndexer(error)) notes.flags[notes.hasIndexer ? 'isIndexerFault' : 'needsIndexer'] = true
    const refusedForMs = notes.refusedForMs[notes.flags.isIndexerFault ? 'indexer' : 'node']
    const answer = failureAnswer(error, endpoint, refusedForMs)
    notes.note = answer.note
    request.response = resultOf(answer, notes, endpoint)
  },
})

/** Runs after the lock, so that callers without the secret learn nothing more. */
const refusingForeignEvents: Middleware = {
  before({ event }) {
    if (event === emptyEvent) throw new ApiError(400, notAGatewayEvent)
  },
}

/** The parts from which a function is built. */
export interface Ports {
  readonly chain: Chain
  readonly log?: Log
  /** Parses the body, for an endpoint that takes one. */
  readonly readBody?: readonly Middleware[]
  /** The schema of the endpoint's request, compiled from its declaration. */
  readonly schema: CompiledSchema
  /** The settings that endpoints read themselves; the defaults without a stage. */
  readonly settings?: EndpointSettings
  /** Secrets that open the lock against requests that bypass CloudFront; absent without CloudFront. */
  readonly originSecrets?: readonly string[] | undefined
  /** Masked wherever an upstream's words are logged. */
  readonly secrets?: Secrets
  /** Part of every entity tag; the release that the environment names by default. */
  readonly release?: string
}

/**
 * The Lambda handler of an endpoint. It never throws, whatever it is invoked with: each request gets the contract's answer
 * and one log line.
 */
export function serve(
  endpoint: Endpoint,
  {
    chain,
    log = logToStdout(),
    readBody = [],
    schema,
    settings = defaultSettings,
    originSecrets,
    secrets,
    release = readRelease() ?? 'unreleased',
  }: Ports,
): Handler {
  const configured: Endpoint = { ...endpoint, run: (input, view) => endpoint.run(input, view, settings) }
  // `before` runs top down, `after` and `onError` bottom up: the log line comes last.
  const pipeline = middy<ReadEvent, Result, Error, ServeContext>()
    .use(logging(endpoint, log, secrets))
    .use(answeringErrors(endpoint))
    .use(originSecrets === undefined ? [] : lockingOrigin(originSecrets, endpoint))
    .use(refusingForeignEvents)
    .use([...readBody])
    .use(readingRequest(endpoint, settings))
    .use(validator({ eventSchema: requestCheck(schema) }))
    .handler(async (event: ReadEvent, context: ServeContext) => {
      const { notes } = context
      const leftMs = Math.min(maxAnswerMs - notes.durationMs(), context.getRemainingTimeInMillis() - answerMarginMs)
      const view = chain.view({ withinMs: leftMs, observer: notes })
      notes.hasIndexer = view.indexers.length > 0
      const condition = { ifNoneMatch: event.headers['if-none-match'], release }
      const forgetTip = () => {
        notes.tip = undefined
      }
      try {
        const input = endpoint.input(event.reading.request)
        const answer = await answerTo(configured, input, view, condition, forgetTip)
        if (answer.status >= 500) notes.flags.isDown = true
        notes.note = answer.note
        notes.observed = answer.observed
        const result = resultOf(answer, notes, endpoint)
        requireSendable(result, endpoint)
        return result
      } finally {
        view.end()
      }
    })
  // Middy types its handler by the event as the middlewares leave it; this is the event as the gateway gives it.
  const handler = pipeline as unknown as Handler
  return async (given, context) => {
    const event = requestIn(given)
    const result = await handler(event, context)
    return event.requestContext?.http.method === 'HEAD' ? withoutBody(result) : result
  }
}
