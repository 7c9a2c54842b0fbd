// The caller's network against the service's: a command signed for one must not be judged by another.
import { type Clock, minuteMs, restOf, stopIfAborted } from './clock.ts'
import { NetworkMismatchError } from './network-mismatch-error.ts'
import type { CallOptions, Reads } from './reads.ts'
import { ServiceError } from './service-error.ts'
import { type ClientOptions, movedWords } from './transport.ts'

/** The name that commands are signed for on each known network. On any other network only its owners know it. */
const kindsByName = new Map([
  ['mainnet', 'mainnet'],
  ['devnet', 'testnet'],
  ['testnet', 'testnet'],
])

/**
 * @param said by the service; one of an earlier release does not say what to sign for
 * @throws NetworkMismatchError
 */
export function requireOwn(
  { network, signatureKind = kindsByName.get(network ?? '') }: Pick<ClientOptions, 'network' | 'signatureKind'>,
  said: { readonly networkName: string; readonly signatureKind?: string | undefined },
): void {
  const { networkName, signatureKind: kind = signatureKind } = said
  if (networkName !== network) throw new NetworkMismatchError(network, networkName)
  if (kind === undefined || signatureKind === undefined || kind === signatureKind) return
  const message = `the service takes signatures for ${kind}, and the client’s are for ${signatureKind}`
  throw new NetworkMismatchError(signatureKind, kind, message)
}

/**
 * @returns a function that asks the service for its network, at most once a minute as long as it is the caller's, and no more for
 *   an answer under the tip for which it was asked last. It rejects with a NetworkMismatchError, with a ServiceError where the
 *   service does not tell, or with the reason of the signal; and `beforeSending` with a ServiceError where a redirect lets reads
 *   through, but no broadcast
 */
export function networkCheck(
  own: Pick<ClientOptions, 'network' | 'signatureKind'>,
  readNetwork: Reads['network'],
  clock: Clock,
): (options?: CallOptions, beforeSending?: boolean, tip?: string) => Promise<void> {
  // Caches keep the answer for a minute.
  const checked = restOf(clock)
  let movedTo: string | undefined
  let comparedUnder: string | undefined
  return async (options, beforeSending, tip) => {
    stopIfAborted(options?.signal)
    if (checked.isOver() && !(tip && tip === comparedUnder)) {
      const { value, ...label } = await readNetwork({ signal: options?.signal })
      requireOwn(own, value)
      movedTo = label.movedTo
      checked.begin(minuteMs)
      // Without slots it is asked as often as the service is.
      comparedUnder = value.slotDurationMs ? tip : undefined
    }
    if (beforeSending && movedTo) throw new ServiceError(movedWords(movedTo), { status: 301, isFinal: true })
  }
}
