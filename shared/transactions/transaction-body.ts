// The state of a command in the form of the answer.
import type { Inclusion, Shown } from '../chain/actions/recent-commands.ts'
import type { Transaction } from '../contract/transaction.ts'
import { pendingCommandFromNode } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { commandFromIndexer } from '../mapping/indexer-command.ts'
import { isoTime } from '../mapping/times.ts'
import type { IndexedTransaction } from './indexed-transaction.ts'
import type { Terms, TransactionState } from './transaction-state.ts'

/** The part of the answer that its state decides. */
export type TransactionFate = Omit<Exact<Transaction>, 'hash' | 'searched' | 'terms'>

const blockOf = ({ stateHash, height, atMs }: Pick<Inclusion['block'], 'stateHash' | 'height' | 'atMs'>) => ({
  stateHash,
  blockHeight: height,
  dateTime: isoTime(atMs),
})

const commandOf = ({ command }: Shown) => (command === undefined ? {} : { command: pendingCommandFromNode(command) })

const failureOf = ({ failureReason }: { readonly failureReason: string | null }) =>
  failureReason === null ? {} : { failureReason }

/** A command in a block that a node holds: the one that was asked for, or the one that used its nonce. */
export function fateInBlock(hash: string, { block, shown, depth }: Inclusion): TransactionFate {
  const place = { block: blockOf(block), confirmations: depth }
  if (shown.hash !== hash) return { state: 'replaced', by: shown.hash, ...place }
  return { state: 'included', ...place, ...failureOf(shown), ...commandOf(shown) }
}

/** @returns undefined where nothing was found and nothing can be said */
export function fateFromNodes(hash: string, found: TransactionState): TransactionFate | undefined {
  switch (found.state) {
    case 'included':
    case 'replaced':
      return fateInBlock(hash, found)
    case 'expired':
      return { state: 'expired', confirmations: found.depth }
    case 'pending':
      return { state: 'pending', ...commandOf(found.shown) }
    case 'absent':
      return found
    case 'not-found':
      return undefined
  }
}

/** @throws WireError for a command that the indexer shows without a receiver, or with an impossible memo */
export function fateFromIndexer({
  block,
  depth,
  hit,
  isFinal,
}: Extract<IndexedTransaction, { readonly state: 'deep' }>): TransactionFate {
  const { command } = hit
  return {
    state: 'included',
    block: blockOf(block),
    ...(isFinal ? { final: true } : { confirmations: depth }),
    ...failureOf(hit),
    ...(command !== 'zkApp' && { command: commandFromIndexer(command) }),
  }
}

/** The terms as the answer repeats them. */
export const termsBody = (terms: Terms | undefined): Pick<Exact<Transaction>, 'terms'> =>
  terms === undefined ? {} : { terms: { from: terms.from, nonce: terms.nonce, validUntil: terms.validUntil } }
