// The caller's network against the service's: a command signed for one must not be judged by another.
import { type Clock, minuteMs, restOf, stopIfAborted } from './clock.ts'
import { NetworkMismatchError } from './network-mismatch-error.ts'
import type { CallOptions, Reads } from './reads.ts'
import { ServiceError } from './service-error.ts'
import { movedWords } from './transport.ts'

/**
 * @returns a function that asks the service for its network, at most once a minute as long as it is the caller's. It rejects
 *   with a NetworkMismatchError, with a ServiceError where the service does not tell, or with the reason of the signal; and
 *   `beforeSending` with a ServiceError where a redirect lets reads through, but no broadcast
 */
export function networkCheck(
  expected: string | undefined,
  readNetwork: Reads['network'],
  clock: Clock,
): (options?: CallOptions, beforeSending?: boolean) => Promise<void> {
  // Caches keep the answer for a minute.
  const checked = restOf(clock)
  let movedTo: string | undefined
  return async (options, beforeSending) => {
    stopIfAborted(options?.signal)
    if (checked.isOver()) {
      const { value, ...label } = await readNetwork({ signal: options?.signal })
      if (value.networkName !== expected) throw new NetworkMismatchError(expected, value.networkName)
      movedTo = label.movedTo
      checked.begin(minuteMs)
    }
    if (beforeSending && movedTo) throw new ServiceError(movedWords(movedTo), { status: 301, isFinal: true })
  }
}
