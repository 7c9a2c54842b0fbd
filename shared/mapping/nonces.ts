// Finds the nonce that an account signs next, and those that its queued commands wait for.
import { maxMissingNonces } from '../contract/limits.ts'

/** The nonces from the ledger's up to one, without those that queued commands use, lowest first, at most 20. */
export function missingNonces(ledger: number, upTo: number, queued: readonly number[]): readonly number[] {
  const taken = new Set(queued)
  const missing: number[] = []
  for (let nonce = ledger; nonce < upTo && missing.length < maxMissingNonces; nonce++) {
    if (!taken.has(nonce)) missing.push(nonce)
  }
  return missing
}

/**
 * The lowest nonce that is neither used in the ledger nor queued, and the gaps below queued commands, if there are any. A
 * node's inferred nonce is the one after the last queued command, and so jumps over gaps.
 *
 * @param ledger the number of nonces used in the ledger
 * @param queued nonces of queued commands of every kind, in any order
 */
export function nextNonceOf(ledger: number, queued: readonly number[]) {
  const afterLast = queued.reduce((after, nonce) => Math.max(after, nonce + 1), ledger)
  const missing = missingNonces(ledger, afterLast, queued)
  return { nextNonce: missing[0] ?? afterLast, ...(missing.length > 0 && { missingNonces: missing }) }
}
