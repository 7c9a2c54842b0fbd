// Decides if a command with the question's sender and nonce is the one that was asked for. Its hash may not tell, because
// some wallets compute another one than the node. Receiver, amount and the other terms do, as far as the question and the
// upstream give them.

import { isEncodedMemo, maxMemoBytes, memoFromText } from '../mapping/command.ts'
import type { IndexedCommand } from '../mapping/indexer-command.ts'
import { isIndexerZkapp } from '../mapping/indexer-zkapp.ts'
import type { CommandInBlock } from './shown-commands.ts'

/** A command's terms: they tell it from its sender's other commands with the same nonce. */
export interface Content {
  /** Public key of the receiver, or of the new delegate. */
  readonly to: string
  /** In nanomina. */
  readonly fee: bigint
  /** In base58check. */
  readonly memo: string
  /** In nanomina; undefined for a delegation, and if the question does not say. */
  readonly amount: bigint | undefined
}

/**
 * The terms of a command as its sender signed them. They are not trusted: an answer holds for these terms, whoever gave
 * them.
 */
export interface Terms {
  /** Public key of the sender. */
  readonly from: string
  readonly nonce: number
  /** The last slot, since the first genesis, in which it may be included. */
  readonly validUntil: number
  readonly content?: Content | undefined
}

/**
 * A command with the sender and the nonce of the terms is, by the terms:
 * - `same`: the one that was asked for, whatever its hash
 * - `another`: proven to be another one
 * - `unproven`: either
 */
export type TermsMatch = 'same' | 'another' | 'unproven'

/** Kind and amount, which may tell commands apart. */
interface Moved {
  readonly kind: string
  readonly amount: bigint
}

/** True if kind or amount prove another command: only a payment has an amount. */
const movesOther = ({ amount }: Content, command: Moved): boolean =>
  amount !== undefined && (command.kind !== 'PAYMENT' || command.amount !== amount)

/** True if the command may be the one that was asked for, whose amount the question left out. */
const isAmountOpen = ({ amount }: Content, { kind }: Moved): boolean =>
  amount === undefined && kind !== 'STAKE_DELEGATION'

/** How a command that a node shows matches the terms. */
export function matchOf({ content, validUntil }: Terms, { command }: CommandInBlock): TermsMatch {
  if (content === undefined) return 'unproven'
  // A zkApp command is neither a payment nor a delegation.
  if (command === undefined) return 'another'
  const isOther =
    command.to !== content.to ||
    command.fee !== content.fee ||
    command.memo !== content.memo ||
    movesOther(content, command)
  if (isOther) return 'another'
  if (isAmountOpen(content, command)) return 'unproven'
  // It does the same: a wrong guess of the last slot must not make a payment that was made look unpaid.
  return command.validUntil === validUntil ? 'same' : 'unproven'
}

/** Control characters, the replacement character, and blanks at an end: a program may drop or change them. */
const changeable = /[\p{C}\uFFFD]|^\s|\s$/u

/** The memo in base58check of a text that only this memo has; undefined of any other text. */
function exactMemo(text: string): string | undefined {
  const isShort = new TextEncoder().encode(text).length <= maxMemoBytes
  return isShort && !changeable.test(text) ? memoFromText(text) : undefined
}

/** True if an indexer shows this memo: in base58check, or as a text that stands for it alone. */
const showsMemo = (shown: string, memo: string): boolean => (isEncodedMemo(shown) ? shown : exactMemo(shown)) === memo

/**
 * How a command that an indexer lists matches the terms. No indexer shows `validUntil`: two commands that differ in
 * nothing else do the same. A memo proves that a command is the same, if it is in base58check or a text that only one
 * memo has, but never that it is another: indexers spell it in several ways.
 *
 * @param indexed a command with the sender and the nonce of the terms: of a zkApp command, those of its fee payer
 */
export function matchOfIndexed({ content }: Terms, { command }: IndexedCommand): TermsMatch {
  if (content === undefined) return 'unproven'
  if (isIndexerZkapp(command)) return 'another'
  const receiver = command.receiver_account?.publicKey ?? command.to
  const isOther =
    (receiver !== null && receiver !== content.to) || command.fee !== content.fee || movesOther(content, command)
  if (isOther) return 'another'
  const isOpen = receiver === null || isAmountOpen(content, command) || !showsMemo(command.memo, content.memo)
  return isOpen ? 'unproven' : 'same'
}
