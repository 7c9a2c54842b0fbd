// The one place that turns an error into an answer.
import type { Endpoint, Failure } from '../../shared/endpoints/endpoint.ts'
import { ApiError, type RequestFault, WireError, type WireFault } from '../../shared/upstream/errors.ts'

interface Meaning {
  readonly status: Failure['status']
  /** Public. */
  readonly text: string
  readonly retryAfterSeconds?: number
  /** For the log only. */
  readonly note?: string
}

const unavailable = 'Upstream unavailable.'

const wireMeanings: Readonly<Record<WireFault, Meaning>> = {
  busy: { status: 503, text: unavailable, retryAfterSeconds: 5 },
  timeout: { status: 504, text: 'Upstream timed out.' },
  unreachable: { status: 502, text: unavailable },
  unreadable: { status: 502, text: unavailable },
  mismatched: { status: 502, text: unavailable },
}

/** An error as @middy's middleware reports it. The body parser puts the whole body into `data`, so that is never read. */
interface MiddyCause {
  readonly package: string
  readonly data?: unknown
}

function middyCause(error: unknown): MiddyCause | undefined {
  if (!(error instanceof Error) || typeof error.cause !== 'object' || error.cause === null) return undefined
  return 'package' in error.cause && typeof error.cause.package === 'string' ? (error.cause as MiddyCause) : undefined
}

/** Every fault as one public sentence. */
const faultText = (faults: readonly RequestFault[]): string =>
  faults.map(({ at, problem }) => `${at} ${problem}`).join('; ')

function meaningOf(error: unknown): Meaning {
  if (error instanceof ApiError) return { status: error.status, text: error.message }
  if (error instanceof WireError) return { ...wireMeanings[error.fault], note: error.message }
  const cause = middyCause(error)
  if (cause?.package === '@middy/validator') {
    return { status: 400, text: faultText(cause.data as readonly RequestFault[]) }
  }
  if (cause?.package === '@middy/http-json-body-parser') {
    return { status: 400, text: 'body must be JSON, nested a few levels deep, without the key __proto__' }
  }
  return { status: 500, text: 'Internal error.', note: error instanceof Error ? (error.stack ?? error.message) : '' }
}

/**
 * The answer to a request that failed, in the endpoint's own shape: a broadcast knows no status but 201 and 400.
 */
export function failureAnswer(error: unknown, { failureMessage, caching }: Endpoint): Failure {
  const { status, text, retryAfterSeconds, note } = meaningOf(error)
  const noted = note === undefined ? {} : { note }
  // A request that bypassed CloudFront does not count as a broadcast.
  if (failureMessage !== undefined && status !== 403) {
    const isOurs = status >= 500
    return {
      status: 400,
      body: { message: failureMessage, error: text },
      headers: {
        'x-broadcast-outcome': isOurs ? 'unknown' : 'refused',
        'x-broadcast-code': isOurs ? 'other' : 'invalid-request',
        'x-broadcast-retriable': String(isOurs),
      },
      ...noted,
    }
  }
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  const kept = status >= 500 ? caching['5xx']?.failure : undefined
  return { status, body: { message: text }, headers, ...(kept !== undefined && { caching: kept }), ...noted }
}
