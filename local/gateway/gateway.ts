// API Gateway's HTTP API in one process: requests become events of payload format 2.0, results become answers.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { answerOf, badRequest, type GatewayAnswer, internalServerError, notFound, tooLarge } from './answer.ts'
import { readBody } from './body.ts'
import { lambdaContext } from './context.ts'
import { crossOriginHeaders, isPreflight, preflightAnswer } from './cross-origin.ts'
import { eventOf } from './event.ts'
import { findRoute, type Route } from './route.ts'
import { parseTarget, type Target } from './target.ts'

export interface GatewayOptions {
  /** The clock, ms since 1970. */
  readonly now?: () => number
  readonly requestId?: () => string
  /** Longer bodies get a 413; API Gateway's limit is 10 MB. */
  readonly maxBodyBytes?: number
  /** Receives what a handler threw; the caller only sees a 500. */
  readonly onError?: (error: unknown) => void
}

/**
 * Serves routes as the deployed HTTP API does: with the same events, the same interpretation of results, the same
 * answers of its own (404, 413, 500) and the same CORS.
 *
 * @throws nothing: a handler that throws is answered with 500
 */
export function gateway(
  routes: readonly Route[],
  {
    now = Date.now,
    requestId = randomUUID,
    maxBodyBytes = 10 * 1024 * 1024,
    onError = console.error,
  }: GatewayOptions = {},
): RequestListener {
  const invoke = async (request: IncomingMessage, id: string): Promise<GatewayAnswer> => {
    const time = now()
    const target = targetOf(request)
    if (target === undefined) return badRequest
    const match = findRoute(routes, request.method ?? '', target.segments)
    if (match === undefined) return notFound
    const body = await readBody(request, maxBodyBytes)
    if (body === undefined) return tooLarge
    const event = eventOf({ request, target, match, body, requestId: id, time })
    return answerOf(await match.route.handler(event, lambdaContext(id, now)), match.route.method === 'HEAD')
  }

  return async (request, response) => {
    const id = requestId()
    const extra = { ...crossOriginHeaders(request.headers), 'apigw-requestid': id }
    try {
      send(response, isPreflight(request) ? preflightAnswer : await invoke(request, id), extra)
    } catch (error) {
      // A caller that hangs up in the middle of its body is not an error of the service.
      if (request.destroyed && !request.complete) return
      onError(error)
      send(response, internalServerError, extra)
    }
  }
}

function targetOf(request: IncomingMessage): Target | undefined {
  try {
    return parseTarget(request.url ?? '/')
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, { status, headers, body }: GatewayAnswer, extra: Record<string, string>): void {
  const length = status === 204 || status === 304 ? {} : { 'content-length': body.length }
  // The answer to HEAD names its own.
  response.writeHead(status, { ...length, ...headers, ...extra })
  response.end(body)
}
