// Decides the state of a command from the nodes' answers. A command that any of them shows counts; an absence counts only in
// answers that searched for the command.
import { includedIn, usesNonce } from '../chain/actions/recent-commands.ts'
import { missingNonces } from '../mapping/nonces.ts'
import { tipOf } from '../upstream/node-query.ts'
import type { Tip } from '../upstream/query.ts'
import type { CommandInBlock, Inclusion, Recent, RecentBlock } from './shown-commands.ts'
import { matchOf, type Terms } from './terms.ts'

/** One node's answer. */
export interface Evidence {
  /** Undefined if only the tip was asked for. */
  readonly blocks: Recent['blocks'] | undefined
  /** The commands of its pool that wait at the best tip. */
  readonly pooled: readonly CommandInBlock[]
  readonly tip: Pick<Tip, 'stateHash'>
  /** The sender's nonce in the ledger of the tip, null without an account; undefined if no sender was asked for. */
  readonly nonce: number | null | undefined
  /** No answer has shown a greater height. */
  readonly isAtTip: boolean
}

/** The prospects of a command that was found nowhere. */
export type Sending =
  | { readonly sending: 'possible' | 'no-account' }
  /** `by` uses its nonce, and may be the command itself under another hash. */
  | { readonly sending: 'nonce-used' | 'unknown'; readonly by?: CommandInBlock }
  | { readonly sending: 'rival-pending'; readonly by: CommandInBlock }
  | { readonly sending: 'waits-for-nonce'; readonly missingNonces: readonly number[] }

/** A command that is shown is the one that was asked for, by its hash or by its terms. */
export type TransactionState =
  | ({ readonly state: 'included' } & Inclusion)
  /** A command with its nonce, proven to be another one, is in a block. */
  | ({ readonly state: 'replaced' } & Inclusion)
  /** `depth` of the first searched block past its last slot: 0 at the tip. */
  | { readonly state: 'expired'; readonly depth: number }
  | { readonly state: 'pending'; readonly shown: CommandInBlock }
  | ({ readonly state: 'absent' } & Sending)
  /** Found nowhere, and without terms nothing more can be said. */
  | { readonly state: 'not-found' }

const firstOf = <Given, Found>(all: readonly Given[], find: (one: Given) => Found | undefined): Found | undefined => {
  for (const one of all) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

/** Evidence that has the latest blocks of the current chain. */
export type TipEvidence = Evidence & { readonly blocks: Recent['blocks'] }

/** The answers whose blocks count: of nodes at the greatest height that was shown. */
export const readAtTip = (evidence: readonly Evidence[]): readonly TipEvidence[] =>
  evidence.filter((each): each is TipEvidence => each.isAtTip && each.blocks !== undefined)

/** True if no answer has the blocks of the tip, or if an answer shows another tip of its height that was not read. */
export function isTipUnread(evidence: readonly Evidence[]): boolean {
  const read = readAtTip(evidence)
  const isRead = ({ tip }: Evidence) => read.some((other) => other.tip.stateHash === tip.stateHash)
  return read.length === 0 || evidence.some((each) => each.isAtTip && !isRead(each))
}

/** The tip is past the last slot, and its ledger shows that the command is in no block below. */
function expiredIn({ blocks, nonce }: TipEvidence, { nonce: own, validUntil }: Terms): number | undefined {
  const tip: RecentBlock = tipOf(blocks)
  if (nonce === undefined || (nonce ?? 0) > own || tip.slot <= validUntil) return undefined
  const past = blocks.find(({ slot }) => slot > validUntil)
  return past && tip.height - past.height
}

/** True of the command that the terms name in full. */
const isOf =
  (terms: Terms) =>
  (shown: CommandInBlock): boolean =>
    usesNonce(terms.from, String(terms.nonce))(shown) && matchOf(terms, shown) === 'same'

function sendingOf(terms: Terms, evidence: readonly Evidence[], pooled: readonly CommandInBlock[]): Sending {
  const users = pooled.filter(usesNonce(terms.from, String(terms.nonce)))
  const unproven = users.find((shown) => matchOf(terms, shown) === 'unproven')
  const unknown: Sending = { sending: 'unknown', ...(unproven !== undefined && { by: unproven }) }
  if (isTipUnread(evidence)) return unknown
  const [ledger, ...others] = new Set(evidence.filter(({ isAtTip }) => isAtTip).map(({ nonce }) => nonce))
  if (ledger === undefined || others.length > 0) return unknown
  if (ledger === null) return { sending: 'no-account' }
  if (ledger > terms.nonce) return { sending: 'nonce-used' }
  const [rival] = users
  if (rival !== undefined) return unproven === undefined ? { sending: 'rival-pending', by: rival } : unknown
  const own = pooled.filter(({ from }) => from === terms.from)
  const missing = missingNonces(
    ledger,
    terms.nonce,
    own.map(({ nonce }) => nonce),
  )
  return missing.length > 0 ? { sending: 'waits-for-nonce', missingNonces: missing } : { sending: 'possible' }
}

/** The state by the terms of a command whose hash no answer shows. */
function stateByTerms(
  terms: Terms,
  evidence: readonly Evidence[],
  pooled: readonly CommandInBlock[],
): Exclude<TransactionState, { readonly state: 'not-found' }> {
  const read = readAtTip(evidence)
  const usesIts = usesNonce(terms.from, String(terms.nonce))
  const isOwn = isOf(terms)
  const included = firstOf(read, (each) => includedIn(each, isOwn))
  if (included !== undefined) return { state: 'included', ...included }
  const other = firstOf(read, (each) => includedIn(each, usesIts))
  if (other !== undefined) {
    const isProven = matchOf(terms, other.shown) === 'another'
    return isProven ? { state: 'replaced', ...other } : { state: 'absent', sending: 'nonce-used', by: other.shown }
  }
  const shown = pooled.find(isOwn)
  const depth = firstOf(read, (each) => expiredIn(each, terms))
  const isHeldAtTip = evidence.some((each) => each.isAtTip && each.pooled.some(isOwn))
  // The pool of a stalled node keeps what has expired.
  if (depth !== undefined && !isHeldAtTip) return { state: 'expired', depth }
  if (shown !== undefined) return { state: 'pending', shown }
  return { state: 'absent', ...sendingOf(terms, evidence, pooled) }
}

/**
 * The state of a command. Blocks and ledgers count from nodes at the greatest height that was shown, since a node that is
 * behind may show an abandoned chain; pools count from every node, as far as their commands wait. A command found by the hash
 * comes before the terms, which may be wrong.
 *
 * @param evidence the best node's first
 */
export function transactionState(
  hash: string,
  terms: Terms | undefined,
  evidence: readonly Evidence[],
): TransactionState {
  const isAsked = (shown: CommandInBlock) => shown.hash === hash
  const read = readAtTip(evidence)
  const included = firstOf(read, (each) => includedIn(each, isAsked))
  if (included !== undefined) return { state: 'included', ...included }
  const pooled = evidence.flatMap((each) => each.pooled)
  const shown = pooled.find(isAsked)
  // Only terms that it fits in full say when it expires.
  const isOfTerms = shown !== undefined && terms !== undefined && isOf(terms)(shown)
  if (shown !== undefined && !isOfTerms) return { state: 'pending', shown }
  return terms === undefined ? { state: 'not-found' } : stateByTerms(terms, evidence, pooled)
}
