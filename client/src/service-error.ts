/** Details of a failed request. */
export interface ErrorDetails {
  /** HTTP status; 0 without an answer, 200 for an answer that could not be read. */
  readonly status: number
  /** The pause that the service asks for, five minutes at most. */
  readonly retryAfterSeconds?: number | undefined
  /** For finding the request in the service's logs. */
  readonly requestId?: string | undefined
  /** The service itself refuses the question, with 400, 404 or 409. Whatever else came, the same question may succeed later. */
  readonly isFinal?: true | undefined
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
  declare readonly isFinal?: true | undefined

  constructor(message: string, details: ErrorDetails) {
    super(message)
    Object.assign(this, details)
  }
}

/** True if a single read is worth repeating at once: no answer, too many requests, or trouble behind the service. */
export const isPassing = (status: number): boolean => [0, 429, 502, 503, 504].includes(status)

/**
 * Decides if a wait, a watch or a sending goes on: after every failure but those that the service itself calls final. A proxy,
 * a portal or a firewall says nothing about the question.
 */
export const isOutlived = (error: unknown): error is ServiceError => error instanceof ServiceError && !error.isFinal
