// Compares the fate of a command, as the service tells it, with the chains and pools that it was shown.
//
// The chains that count are the best chains of the nodes that were searched, at the moment when they answered, if they reach
// the greatest height that this instance has been shown. Of what the indexer tells, the best chains of all nodes count.
import type { Transaction } from '../../../shared/contract/transaction.ts'
import type { HistoryCommand } from '../broadcasts/signed-command.ts'
import { accountAt, type Block, type Chain, recentBlocks } from '../chain/block.ts'

export const wrongFates = [
  'false included',
  'false replaced',
  'false expired',
  'false pending',
  'false absent',
  'false sending',
  'false final',
  'fate failed',
] as const
export type WrongFate = (typeof wrongFates)[number]

export type Terms = Pick<HistoryCommand, 'from' | 'nonce' | 'validUntil'>

/** One node's answer to a search. */
export interface Sight {
  readonly chain: Chain
  /** Its whole pool. */
  readonly pooled: readonly HistoryCommand[]
}

export interface Inquiry {
  readonly command: HistoryCommand
  readonly terms: Terms | undefined
  /** Of the searches whose answers came back as they were given. */
  readonly sights: readonly Sight[]
  /** Shown to the instance, until it answered. */
  readonly greatestHeight: number
  /** The best chains of all nodes of the network, since the question was asked. */
  readonly chains: readonly Chain[]
  /** The pool of a node that was not asked holds the command. */
  readonly isLeftOut: boolean
  /** The indexer knows the commands by their hashes. */
  readonly knowsHashes: boolean
}

type Fits = (command: HistoryCommand) => boolean

const uses =
  ({ from, nonce }: Terms): Fits =>
  (command) =>
    command.from === from && command.nonce === nonce

const holds = (blocks: readonly Block[], fits: Fits): boolean => blocks.some(({ commands }) => commands.some(fits))

const firstPast = (chain: Chain, { validUntil }: Terms): Block | undefined =>
  chain.slice(-recentBlocks).find(({ slot }) => slot > validUntil)

const isPast = (chain: Chain, terms: Terms): boolean =>
  firstPast(chain, terms) !== undefined && !holds(chain, uses(terms))

/** True if the latest blocks decide about the command: an answer that it waits, or is nowhere, is wrong then. */
function isDecided(chain: Chain, { command, terms }: Inquiry): boolean {
  const recent = chain.slice(-recentBlocks)
  if (holds(recent, (shown) => shown === command)) return true
  return terms !== undefined && (holds(recent, uses(terms)) || isPast(chain, terms))
}

/** True if a chain has the named block, with such a command and so many blocks on top: of an indexer's at least. */
function hasPlace(chain: Chain, { block, confirmations = 0, searched }: Transaction, fits: Fits): boolean {
  const { stateHash, blockHeight = 0 } = block ?? {}
  const held = chain[blockHeight - 1]
  const depth = chain.length - blockHeight
  const isDepth = searched.indexer ? confirmations <= depth : confirmations === depth
  return held !== undefined && held.stateHash === stateHash && isDepth && held.commands.some(fits)
}

function isSendingTrue(
  { sending, by, missingNonces = [] }: Transaction,
  terms: Terms,
  best: readonly Chain[],
  pooled: readonly HistoryCommand[],
): boolean {
  const ledger = Math.max(...best.map((chain) => accountAt(chain, terms.from)?.nonce ?? 0))
  const rivals = pooled.filter(uses(terms))
  const isMissing = (nonce: number) => nonce >= ledger && nonce < terms.nonce && !pooled.some(uses({ ...terms, nonce }))
  if (sending === 'possible') return ledger <= terms.nonce && rivals.length === 0
  if (sending === 'rival-pending') return rivals.some(({ hash }) => hash === by)
  if (sending === 'waits-for-nonce') return missingNonces.length > 0 && missingNonces.every(isMissing)
  // Every sender has an account.
  return sending === 'nonce-used' ? ledger > terms.nonce : sending === 'unknown'
}

function absenceFault(
  told: Pick<Transaction, 'searched'> & Partial<Transaction>,
  inquiry: Inquiry,
  best: readonly Chain[],
) {
  const { command, terms, sights, greatestHeight, isLeftOut, knowsHashes } = inquiry
  const { searched, sending } = told
  const pooled = sights.flatMap((sight) => sight.pooled)
  const isAsked: Fits = (shown) => shown === command
  const isUnseen = sending === 'unknown' && best.length === 0
  const isHidden = searched.indexer && knowsHashes && best.every((chain) => holds(chain, isAsked))
  const isShort = searched.toHeight < greatestHeight || searched.nodes > sights.length || best.length === 0
  if (pooled.some(isAsked) || best.some((chain) => isDecided(chain, inquiry)) || isLeftOut) return 'false absent'
  if (!isUnseen && (isShort || isHidden)) return 'false absent'
  if (terms === undefined || isUnseen) return undefined
  return isSendingTrue(told as Transaction, terms, best, pooled) ? undefined : 'false sending'
}

/** @returns the wrong in an answer at the moment when it is given; undefined for a true one */
export function wrongIn(told: Transaction, inquiry: Inquiry): WrongFate | undefined {
  const { command, terms, sights, chains, greatestHeight } = inquiry
  const reaches = (chain: Chain) => chain.length >= greatestHeight
  const best = sights.map(({ chain }) => chain).filter(reaches)
  const supporting = told.searched.indexer ? chains.filter(reaches) : best
  switch (told.state) {
    case 'included':
      return supporting.some((chain) => hasPlace(chain, told, (shown) => shown === command))
        ? undefined
        : 'false included'
    case 'replaced': {
      const isRival: Fits = (shown) => shown.hash === told.by && terms !== undefined && uses(terms)(shown)
      const isOther = told.by !== command.hash
      return isOther && supporting.some((chain) => hasPlace(chain, told, isRival)) ? undefined : 'false replaced'
    }
    case 'expired': {
      const isTold = (chain: Chain) =>
        terms !== undefined &&
        isPast(chain, terms) &&
        chain.length - (firstPast(chain, terms)?.height ?? 0) === told.confirmations
      return best.some(isTold) ? undefined : 'false expired'
    }
    case 'pending': {
      const isPooled = sights.some(({ pooled }) => pooled.includes(command))
      const isOver = best.length > 0 && best.every((chain) => isDecided(chain, inquiry))
      return isPooled && !isOver ? undefined : 'false pending'
    }
    default:
      return absenceFault(told, inquiry, best)
  }
}

/** @returns the wrong that the rest of the history shows in an answer, which said that it would never change */
export function wrongAfterwards(
  { state, block, final, searched }: Transaction,
  { command, terms, sights }: Inquiry,
  chain: Chain,
): WrongFate | undefined {
  if (final && chain[(block?.blockHeight ?? 0) - 1]?.stateHash !== block?.stateHash) return 'false final'
  if (state !== 'expired' || terms?.validUntil !== command.validUntil) return undefined
  const tips = sights.map((sight) => sight.chain.at(-1)).filter((tip) => tip?.height === searched.toHeight)
  const isOnTop = tips.some((tip) => tip !== undefined && chain[tip.height - 1] === tip)
  return isOnTop && holds(chain, (shown) => shown === command) ? 'false expired' : undefined
}
