// CloudFront's admission and API Gateway's HTTP API in one process: requests become events of payload format 2.0, results
// become answers.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { admit } from '../../shared/admission/admit.ts'
import { refusalAnswer } from '../../shared/admission/refusal.ts'
import { answerOf, type GatewayAnswer, internalServerError, tooLarge } from './answer.ts'
import { readBody } from './body.ts'
import { lambdaContext } from './context.ts'
import { addedHeaders, preflightAnswer } from './cross-origin.ts'
import { eventOf } from './event.ts'
import type { Admitted, Route } from './route.ts'
import { parseTarget } from './target.ts'

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
 * Serves routes as the deployment does: with the same admission, the same events, the same interpretation of results, the
 * same answers without a function (400, 404, 413, 500) and the same CORS.
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
  const invoke = async (request: IncomingMessage, admitted: Admitted, id: string): Promise<GatewayAnswer> => {
    const time = now()
    const body = await readBody(request, maxBodyBytes)
    if (body === undefined) return tooLarge
    const event = eventOf({ request, admitted, body, requestId: id, time })
    return answerOf(await admitted.rule.handler(event, lambdaContext(id, now)), request.method === 'HEAD')
  }
  const answer = async (request: IncomingMessage, id: string): Promise<GatewayAnswer> => {
    const { method = '', url = '/', headers } = request
    const { path, query } = parseTarget(url)
    const admission = admit(routes, { method, headers, path, query: (max) => (query.length > max ? undefined : query) })
    if (admission.kind === 'preflight') return preflightAnswer(headers)
    if (admission.kind === 'admitted') return invoke(request, admission, id)
    const { body, ...refusal } = refusalAnswer(admission.refusal)
    return { ...refusal, body: Buffer.from(body) }
  }

  return async (request, response) => {
    const id = requestId()
    const extra = { ...addedHeaders(request.headers), 'apigw-requestid': id }
    try {
      send(response, await answer(request, id), extra)
    } catch (error) {
      // A caller that hangs up in the middle of its body is not an error of the service.
      if (request.destroyed && !request.complete) return
      onError(error)
      send(response, internalServerError, extra)
    }
  }
}

function send(response: ServerResponse, { status, headers, body }: GatewayAnswer, extra: Record<string, string>): void {
  const length = status === 204 || status === 304 ? {} : { 'content-length': body.length }
  // The answer to HEAD names its own.
  response.writeHead(status, { ...length, ...headers, ...extra })
  response.end(body)
}
