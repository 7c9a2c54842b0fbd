/**
 * The service is on another network than the one that the caller names, or takes signatures for another one than the caller's.
 *
 * @example
 * if (error instanceof NetworkMismatchError) alert(`This is ${error.actual}, not ${error.expected}.`)
 */
export class NetworkMismatchError extends Error {
  override readonly name = 'NetworkMismatchError'
  /** Among the other codes of this client, for whoever translates them. */
  readonly code = 'network-mismatch'
  /** The caller's; undefined where the caller has named none. */
  declare readonly expected: string | undefined
  /** The service's. */
  declare readonly actual: string

  constructor(
    expected: string | undefined,
    actual: string,
    message = `the service is on ${actual}, and the client is for ${expected ?? 'no network'}`,
  ) {
    super(message)
    Object.assign(this, { expected, actual })
  }
}
