/** Details of a failed request. */
export interface ErrorDetails {
  /** HTTP status; 0 without an answer, 200 for an answer that could not be read. */
  readonly status: number
  /** The pause that the service asks for. */
  readonly retryAfterSeconds?: number | undefined
  /** For finding the request in the service's logs. */
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/**
 * The failure of a read.
 *
 * @example
 * if (error instanceof ServiceError && error.status === 404) return undefined
 */
export class ServiceError extends Error implements ErrorDetails {
  override readonly name = 'ServiceError'
  declare readonly status: number
  declare readonly retryAfterSeconds?: number | undefined
  declare readonly requestId?: string | undefined

  constructor(message: string, details: ErrorDetails) {
    super(message)
    Object.assign(this, details)
  }
}

/** True if the same request may succeed later: no answer, too many requests, or trouble behind the service. */
export const isPassing = (status: number): boolean => [0, 429, 502, 503, 504].includes(status)

/** True if a program that sends or follows should ask again: a fault of the service (500) passes for it too. */
export const isOutlived = (status: number): boolean => isPassing(status) || status >= 500
