// The state of a command in the form of the answer.

import type { Transaction } from '../contract/transaction.ts'
import { fitsInt64, jsonInteger } from '../mapping/amounts.ts'
import { endOf } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { commandFromIndexer } from '../mapping/indexer-command.ts'
import { bareZkappFromIndexer, isIndexerZkapp } from '../mapping/indexer-zkapp.ts'
import { isoTime } from '../mapping/times.ts'
import { bareZkappFromNode } from '../mapping/zkapp-command.ts'
import { bareUser } from './bare-commands.ts'
import type { DeepCommand, HeldCommand } from './indexed-transaction.ts'
import type { CommandInBlock, Inclusion } from './shown-commands.ts'
import type { Terms } from './terms.ts'
import type { TransactionState } from './transaction-state.ts'

/** The part of the answer that its state decides. */
export type TransactionFate = Omit<Exact<Transaction>, 'hash' | 'searched' | 'terms' | 'hint'> & {
  /** Fields of its command that the contract cannot show as a whole, as paths below it; not a part of the body. */
  readonly cutFields?: readonly string[]
}

const blockOf = ({ stateHash, height, atMs }: Pick<Inclusion['block'], 'stateHash' | 'height' | 'atMs'>) => ({
  stateHash,
  blockHeight: height,
  dateTime: isoTime(atMs),
})

type ShownCommand = Pick<TransactionFate, 'command' | 'cutFields'>

function commandOf({ command, zkapp }: Pick<CommandInBlock, 'command' | 'zkapp'>): ShownCommand {
  if (command !== undefined) return bareUser(command)
  return zkapp === undefined ? {} : bareZkappFromNode(zkapp)
}

/** The hash of the command on the chain, if its wallet has another one. */
const chainHashOf = (hash: string, shown: Pick<CommandInBlock, 'hash'>) =>
  shown.hash === hash ? {} : { chainHash: shown.hash }

/** A command with the nonce of the question: people compare receiver and amount. */
const byOf = (shown: CommandInBlock) => ({ by: shown.hash, ...commandOf(shown) })

function included(hash: string, { block, shown, depth }: Inclusion): TransactionFate {
  return {
    state: 'included',
    ...chainHashOf(hash, shown),
    block: blockOf(block),
    confirmations: depth,
    ...endOf(shown.failureReason),
    ...commandOf(shown),
  }
}

const replaced = ({ block, shown, depth }: Inclusion): TransactionFate => ({
  state: 'replaced',
  ...byOf(shown),
  block: blockOf(block),
  confirmations: depth,
})

function absent(found: Extract<TransactionState, { readonly state: 'absent' }>): TransactionFate {
  switch (found.sending) {
    case 'rival-pending':
      return { ...found, ...byOf(found.by) }
    case 'nonce-used':
    case 'unknown': {
      const { by, ...rest } = found
      return { ...rest, ...(by !== undefined && byOf(by)) }
    }
    default:
      return found
  }
}

/** @returns undefined if nothing was found and nothing can be said */
export function fateFromNodes(hash: string, found: TransactionState): TransactionFate | undefined {
  switch (found.state) {
    case 'included':
      return included(hash, found)
    case 'replaced':
      return replaced(found)
    case 'expired':
      return { state: 'expired', confirmations: found.depth }
    case 'pending':
      return { state: 'pending', ...chainHashOf(hash, found.shown), ...commandOf(found.shown) }
    case 'absent':
      return absent(found)
    case 'not-found':
      return undefined
  }
}

/** A state that depends on an indexer's answer by the hash, while that is missing. */
export const undecided = (found: TransactionState): TransactionFate => ({
  state: 'absent',
  sending: 'unknown',
  ...(found.state === 'replaced' && byOf(found.shown)),
})

/** A command in an older block that a node holds: the one that was asked for, or one that used its nonce. */
export function fateOfHeld(hash: string, found: HeldCommand): TransactionFate {
  switch (found.match) {
    case 'same':
      return included(hash, found)
    case 'another':
      return replaced(found)
    case 'unproven':
      return { state: 'absent', sending: 'nonce-used', ...byOf(found.shown) }
  }
}

/**
 * A command in a block that the indexer alone has.
 *
 * @throws WireError for a command that the indexer shows without a receiver, or with an impossible memo
 */
export function fateFromIndexer(hash: string, { block, depth, finalDepth, hit, match }: DeepCommand): TransactionFate {
  const { command } = hit
  const shownCommand: ShownCommand = isIndexerZkapp(command)
    ? bareZkappFromIndexer(command)
    : { command: commandFromIndexer(command) }
  const hashFromIndexer = { hashFromIndexer: true } as const
  const by = { by: hit.hash, ...hashFromIndexer, ...shownCommand }
  const inBlock = {
    block: blockOf(block),
    // Final means at least k: a caller's bound that was met once stays met.
    ...(finalDepth === undefined ? { confirmations: depth } : { confirmations: finalDepth, final: true }),
  }
  switch (match) {
    case 'same':
      return {
        state: 'included',
        ...chainHashOf(hash, hit),
        ...(hit.hash !== hash && hashFromIndexer),
        ...inBlock,
        ...endOf(hit.failureReason),
        ...shownCommand,
      }
    case 'another':
      return { state: 'replaced', ...by, ...inBlock }
    case 'unproven':
      return { state: 'absent', sending: 'nonce-used', ...by }
  }
}

/** Amounts of the terms that the answer's numbers cannot hold, and that no command of the chain can have. */
export const cutTermsOf = (terms: Terms | undefined): readonly string[] =>
  (['fee', 'amount'] as const).filter((term) => !fitsInt64(terms?.content?.[term] ?? 0n)).map((term) => `terms.${term}`)

/** The terms as the answer repeats them. */
export function termsBody(terms: Terms | undefined): Pick<Exact<Transaction>, 'terms'> {
  if (terms === undefined) return {}
  const { content, ...first } = terms
  if (content === undefined) return { terms: first }
  const { amount, fee, ...further } = content
  const bid = fitsInt64(fee) ? { fee: jsonInteger(fee) } : {}
  const paid = amount !== undefined && fitsInt64(amount) ? { amount: jsonInteger(amount) } : {}
  return { terms: { ...first, ...further, ...bid, ...paid } }
}
