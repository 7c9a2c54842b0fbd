// The caller's network against the service's: a command signed for one must not be judged by another.
import type { Clock } from './clock.ts'
import type { CallOptions, Reads } from './reads.ts'

/**
 * The service is on another network than the one that the caller names.
 *
 * @example
 * if (error instanceof NetworkMismatchError) alert(`This is ${error.actual}, not ${error.expected}.`)
 */
export class NetworkMismatchError extends Error {
  override readonly name = 'NetworkMismatchError'
  /** The caller's; undefined where the caller has named none. */
  declare readonly expected: string | undefined
  /** The service's. */
  declare readonly actual: string

  constructor(expected: string | undefined, actual: string) {
    super(`the service is on ${actual}, and the client is for ${expected ?? 'no network'}`)
    Object.assign(this, { expected, actual })
  }
}

/** Caches keep the answer as long. */
const checkedMs = 60_000

/**
 * @returns a function that asks the service for its network, at most once a minute as long as it is the caller's. It rejects
 *   with a NetworkMismatchError, with a ServiceError where the service does not tell, or with the reason of the signal
 */
export function networkCheck(
  expected: string | undefined,
  readNetwork: Reads['network'],
  clock: Clock,
): (options?: CallOptions) => Promise<void> {
  let checkedUntil = 0
  return async (options) => {
    if (clock.now() < checkedUntil) return
    const { networkName } = (await readNetwork({ signal: options?.signal })).value
    if (networkName !== expected) throw new NetworkMismatchError(expected, networkName)
    checkedUntil = clock.now() + checkedMs
  }
}
