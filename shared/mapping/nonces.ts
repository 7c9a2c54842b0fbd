// The nonce of an account's next command, from its ledger and its queued commands.
import { maxMissingNonces } from '../contract/missing-nonces.ts'

export interface NextNonce {
  /** The least nonce that is neither used in the ledger nor queued. */
  readonly nextNonce: number
  /** The gaps below queued commands, the lowest first; absent without gaps. */
  readonly missingNonces?: readonly number[]
}

/**
 * The next nonce. A node's inferred nonce is the one after the last queued command, and so jumps over gaps.
 *
 * @param ledgerNonce the number of nonces used in the ledger
 * @param queued nonces of queued commands of every kind, in any order
 */
export function nextNonceOf(ledgerNonce: number, queued: readonly number[]): NextNonce {
  const taken = new Set(queued)
  const afterLast = queued.reduce((after, nonce) => Math.max(after, nonce + 1), ledgerNonce)
  const missing: number[] = []
  for (let nonce = ledgerNonce; nonce < afterLast && missing.length < maxMissingNonces; nonce++) {
    if (!taken.has(nonce)) missing.push(nonce)
  }
  const [lowest] = missing
  return lowest === undefined ? { nextNonce: afterLast } : { nextNonce: lowest, missingNonces: missing }
}
