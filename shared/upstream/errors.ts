// The two errors of the service. Everything else that is thrown is our own fault and answered with 500.

/** An answer we mean to give instead of the asked-for one. Its message is public. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: 400 | 403 | 404

  /**
   * @param status HTTP status, below 500
   * @param message public text of the answer
   */
  constructor(status: ApiError['status'], message: string) {
    super(message)
    this.status = status
  }
}

/**
 * The ways in which an upstream fails:
 * - `busy`: it says that it cannot answer now (bootstrapping, 429, 503)
 * - `timeout`: no answer within the time-out; whatever was asked may have happened, unless it was never sent
 * - `unreachable`: no connection, or it was cut before an answer was complete
 * - `unreadable`: an answer came that is not what was promised
 * - `mismatched`: an answer came that does not fit its question, or contradicts itself
 */
export type WireFault = 'busy' | 'timeout' | 'unreachable' | 'unreadable' | 'mismatched'

/** An upstream broke its promise. The message is for the log only: it may hold upstream internals. */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly fault: WireFault
  /** No connection was made, so the upstream received nothing. */
  readonly isUnsent: boolean
  /** Only an indexer could have answered, and it did not. Says nothing about the nodes. */
  readonly isOfIndexer: boolean
  /** The answer is longer than any that is read. */
  readonly isTooLong: boolean
  /** The HTTP status for which an answer was not read; undefined if none was refused for it. */
  readonly status: number | undefined
  /**
   * Public text for a question that cannot be answered at all: no other node is asked, and none is to blame. It holds nothing
   * of an upstream.
   */
  readonly publicText: string | undefined

  constructor(fault: WireFault, message: string, options: WireErrorOptions = {}) {
    super(message, options)
    this.fault = fault
    this.isUnsent = options.isUnsent ?? false
    this.isOfIndexer = options.isOfIndexer ?? false
    this.isTooLong = options.isTooLong ?? false
    this.status = options.status
    this.publicText = options.publicText
  }
}

type WireErrorOptions = ErrorOptions &
  Partial<Pick<WireError, 'isUnsent' | 'isOfIndexer' | 'isTooLong' | 'status' | 'publicText'>>

/** No node answers the question now; another time one may. */
export const nodeBusy = (reason: string, options?: WireErrorOptions): WireError =>
  new WireError('busy', reason, options)

/** Only an indexer can answer the question, and now none does. */
export const indexerBusy = (reason: string, options?: WireErrorOptions): WireError =>
  nodeBusy(reason, { ...options, isOfIndexer: true })

/** One thing that is wrong with a request. */
export interface RequestFault {
  /** JSON Pointer into the body, or the name of the parameter. */
  readonly at: string
  /** The fault, as it continues a sentence: `must be a string`. */
  readonly problem: string
}
