/** What is known of an answer that is not the asked-for one. */
export interface ErrorDetails {
  /** HTTP status; 0 where there was no answer, 200 where it could not be read. */
  readonly status: number
  /** How long the service asks to wait. */
  readonly retryAfterSeconds?: number | undefined
  /** For finding the request in the service's logs. */
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** Why a read has no value. */
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

/** Whether the same request may succeed later: no answer, too many requests, or trouble behind the service. */
export const isPassing = (status: number): boolean => [0, 429, 502, 503, 504].includes(status)
