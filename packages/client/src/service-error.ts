// The failure of a request, in words for people and for programs.
import type { ChainLabel } from './chain-label.ts'

/**
 * `network`: no connection, or one that broke. `timeout`: no answer in time, by the client's limit or by the service's.
 * `unavailable`: something else than an answer, which may come later. `not-found` and `bad-request`: the service's own answer.
 */
export type FailureCode = 'network' | 'timeout' | 'unavailable' | 'not-found' | 'bad-request'

/** Details of a failed request. */
export interface ErrorDetails {
  /** HTTP status; 0 without an answer, 200 for an answer that could not be read. */
  readonly status: number
  readonly code?: FailureCode | undefined
  /** The pause that the service asks for, five minutes at most. */
  readonly retryAfterSeconds?: number | undefined
  /** For finding the request in the service's logs. */
  readonly requestId?: string | undefined
  /** The service itself refuses the question, with 400, 404 or 409. Whatever else came, the same question may succeed later. */
  readonly isFinal?: true | undefined
  /** The tip on which the service's own answer rests, such as that of the node which does not have the block of a 404. */
  readonly chain?: ChainLabel | undefined
  readonly cause?: unknown
}

function codeOf({ status, isFinal }: ErrorDetails): FailureCode {
  if (status === 0) return 'network'
  if (status === 504) return 'timeout'
  if (!isFinal) return 'unavailable'
  return status === 404 ? 'not-found' : 'bad-request'
}

/** As one line under 240 characters. */
export function shortened(text: string, maxLength = 239): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}

/** The reason why no answer came, for people; anything may have been thrown. */
export const reasonOf = (thrown: unknown): string => String(Object(thrown).message ?? thrown)

/**
 * The failure of a read.
 *
 * @example
 * if (error instanceof ServiceError && error.code === 'not-found') return undefined
 */
export class ServiceError extends Error implements ErrorDetails {
  override readonly name = 'ServiceError'
  declare readonly status: number
  declare readonly code: FailureCode
  /** The message as one line under 240 characters. */
  declare readonly shortMessage: string
  declare readonly retryAfterSeconds?: number | undefined
  declare readonly requestId?: string | undefined
  declare readonly isFinal?: true | undefined
  declare readonly chain?: ChainLabel | undefined

  constructor(message: string, details: ErrorDetails) {
    super(message)
    Object.assign(this, { code: codeOf(details), shortMessage: shortened(message), ...details })
  }
}

/** True if a single read is worth repeating at once: no answer, too many requests, or trouble behind the service. */
export const isPassing = (status: number): boolean => [0, 429, 502, 503, 504].includes(status)

/**
 * Decides if a wait, a watch or a sending goes on: after every failure but those that the service itself calls final. A proxy,
 * a portal or a firewall says nothing about the question.
 */
export const isOutlived = (error: unknown): error is ServiceError => error instanceof ServiceError && !error.isFinal

/** True for the 404 of the service itself, which is more than a proxy's. */
export const isAbsence = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status === 404 && error.isFinal === true
