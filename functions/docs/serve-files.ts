// Serves files as a Lambda function behind an HTTP API (payload 2.0): the docs page, which needs no node.
import { brotliDecompressSync } from 'node:zlib'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { closedAddress, originHeader } from '../../shared/http/routes.ts'
import { matchesTag } from '../runtime/answer.ts'
import { emptyEvent, notAGatewayEvent, requestIn } from '../runtime/gateway-event.ts'
import { type Log, logToStdout } from '../runtime/log.ts'
import { originLock } from '../runtime/request-check.ts'
import { acceptedCoding } from './content-coding.ts'
import type { ServedFile, ServedFiles } from './served-files.ts'

type Result = APIGatewayProxyStructuredResultV2 & { readonly statusCode: number; readonly body: string }

interface FilesPorts {
  /** Secrets that open the lock against requests that bypass CloudFront; absent without CloudFront. */
  readonly originSecrets?: readonly string[] | undefined
  readonly log?: Log
}

/** A page that was cached before a release asks for its old scripts. A name is never reused for other content. */
const unknownFile = 'public, max-age=3600'

/** An error in the contract's shape. */
const refusal = (statusCode: 400 | 403 | 404, message: string, cacheControl = 'no-store'): Result => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': cacheControl },
  body: JSON.stringify({ message }),
})

/** Sent as text if the caller accepts no compressed form: base64 would make it a third longer. */
function fileAnswer({ headers, encoded }: ServedFile, request: APIGatewayProxyEventV2['headers']): Result {
  const shared = { ...headers, vary: 'accept-encoding' }
  const { etag = '' } = headers
  if (matchesTag(request['if-none-match'] ?? '', etag)) return { statusCode: 304, headers: shared, body: '' }
  const coding = acceptedCoding(request['accept-encoding'])
  if (coding === undefined) {
    return { statusCode: 200, headers: shared, body: brotliDecompressSync(encoded('br')).toString() }
  }
  return {
    statusCode: 200,
    headers: { ...shared, 'content-encoding': coding },
    body: encoded(coding).toString('base64'),
    isBase64Encoded: true,
  }
}

/** The answer to HEAD: that to GET, with its length and without its body. */
function withoutBody({ statusCode, headers, body, isBase64Encoded = false }: Result): Result {
  const length = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8')
  return {
    statusCode,
    headers: { ...headers, ...(statusCode !== 304 && { 'content-length': String(length) }) },
    body: '',
  }
}

/**
 * The handler for GET and HEAD of some files. Only what it refuses is logged: the API's own log has every call, and a line
 * with metrics costs more than serving a file.
 *
 * @param files by path; any other path is answered as the API gateway answers unknown ones
 */
export function servingFiles(files: ServedFiles, { originSecrets, log = logToStdout() }: FilesPorts) {
  const isOpenedBy = originSecrets === undefined ? () => true : originLock(originSecrets)
  const answerTo = (event: APIGatewayProxyEventV2): Result => {
    const { headers, rawPath } = event
    if (!isOpenedBy(headers[originHeader])) return refusal(403, closedAddress)
    if (event === emptyEvent) return refusal(400, notAGatewayEvent)
    const file = files.get(rawPath)
    return file === undefined ? refusal(404, 'Not Found', unknownFile) : fileAnswer(file, headers)
  }
  return async (given: unknown, { awsRequestId: requestId }: Context): Promise<Result> => {
    const startedAt = performance.now()
    const event = requestIn(given)
    const answer = answerTo(event)
    const { statusCode: status } = answer
    if (status >= 400) {
      const durationMs = Math.round(performance.now() - startedAt)
      log({
        level: 'warn',
        requestId,
        endpoint: 'docs',
        route: event.routeKey ?? 'none',
        status,
        durationMs,
        upstream: [],
      })
    }
    return event.requestContext?.http.method === 'HEAD' ? withoutBody(answer) : answer
  }
}
