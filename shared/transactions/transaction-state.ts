// Decides the state of a command from the answers of nodes: what is shown counts, and an absence only where it was looked for.
import {
  type Inclusion,
  includedIn,
  type Recent,
  type RecentBlock,
  type Shown,
  usesNonce,
} from '../chain/actions/recent-commands.ts'
import { missingNonces } from '../mapping/nonces.ts'

/** The terms of a command as its sender signed them. They are believed only in an absence, which is then true of them. */
export interface Terms {
  /** Public key of the sender. */
  readonly from: string
  readonly nonce: number
  /** The last slot, since the first genesis, in which it may be included. */
  readonly validUntil: number
}

/** One node's answer. */
export interface Evidence {
  readonly recent: Recent
  /** The sender's nonce in the ledger of the tip, null without an account; undefined where no sender was asked for. */
  readonly nonce: number | null | undefined
  /** No answer has shown a greater height. */
  readonly isAtTip: boolean
}

/** The prospects of a command that was found nowhere. */
export type Sending =
  | { readonly sending: 'possible' | 'no-account' | 'nonce-used' | 'unknown' }
  | { readonly sending: 'rival-pending'; readonly by: string }
  | { readonly sending: 'waits-for-nonce'; readonly missingNonces: readonly number[] }

export type TransactionState =
  | ({ readonly state: 'included' } & Inclusion)
  /** By another command with its nonce. */
  | ({ readonly state: 'replaced' } & Inclusion)
  /** `depth` of the first searched block past its last slot: 0 at the tip. */
  | { readonly state: 'expired'; readonly depth: number }
  | { readonly state: 'pending'; readonly shown: Shown }
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

const tipOf = ({ blocks }: Recent): RecentBlock => blocks[blocks.length - 1] ?? blocks[0]

/** The tip is past the last slot, and its ledger shows that the command is in no block below. */
function expiredIn({ recent, nonce }: Evidence, { nonce: own, validUntil }: Terms): number | undefined {
  const tip = tipOf(recent)
  if (nonce === undefined || (nonce ?? 0) > own || tip.slot <= validUntil) return undefined
  const past = recent.blocks.find(({ slot }) => slot > validUntil)
  return past && tip.height - past.height
}

function sendingOf(terms: Terms, atTip: readonly Evidence[], pooled: readonly Shown[]): Sending {
  const [ledger, ...others] = new Set(atTip.map(({ nonce }) => nonce))
  if (ledger === undefined || others.length > 0) return { sending: 'unknown' }
  if (ledger === null) return { sending: 'no-account' }
  if (ledger > terms.nonce) return { sending: 'nonce-used' }
  const rival = pooled.find(usesNonce(terms.from, String(terms.nonce)))
  if (rival !== undefined) return { sending: 'rival-pending', by: rival.hash }
  const own = pooled.filter(({ from }) => from === terms.from)
  const missing = missingNonces(
    ledger,
    terms.nonce,
    own.map(({ nonce }) => nonce),
  )
  return missing.length > 0 ? { sending: 'waits-for-nonce', missingNonces: missing } : { sending: 'possible' }
}

/**
 * The state of a command. Blocks and ledgers count from nodes at the greatest height that was shown, since a node that lies
 * behind tells of a chain that may be abandoned; pools count from every node.
 *
 * @param evidence the best node's first
 */
export function transactionState(
  hash: string,
  terms: Terms | undefined,
  evidence: readonly Evidence[],
): TransactionState {
  const atTip = evidence.filter(({ isAtTip }) => isAtTip)
  const isAsked = (shown: Shown) => shown.hash === hash
  const included = firstOf(atTip, ({ recent }) => includedIn(recent, isAsked))
  if (included !== undefined) return { state: 'included', ...included }
  if (terms !== undefined) {
    const isRival = usesNonce(terms.from, String(terms.nonce))
    const replaced = firstOf(atTip, ({ recent }) => includedIn(recent, isRival))
    if (replaced !== undefined) return { state: 'replaced', ...replaced }
    const depth = firstOf(atTip, (each) => expiredIn(each, terms))
    if (depth !== undefined) return { state: 'expired', depth }
  }
  const pooled = evidence.flatMap(({ recent }) => recent.pooled)
  const shown = pooled.find(isAsked)
  if (shown !== undefined) return { state: 'pending', shown }
  return terms === undefined ? { state: 'not-found' } : { state: 'absent', ...sendingOf(terms, atTip, pooled) }
}
