// Compares the fate of a command, as the service tells it, with the chains and pools that it was shown.
//
// The chains that count are the best chains of the nodes that were searched, at the moment when they answered, if they reach
// the greatest height that this instance has been shown. Of what the indexer tells, the best chains of all nodes count.

import type { Transaction } from '../../../../shared/contract/transaction.ts'
import { zkappCommandHash } from '../../../testnet/hashes.ts'
import type { HistoryCommand } from '../broadcasts/signed-command.ts'
import { accountAt, type Block, type Chain, latestIn } from '../chain/block.ts'

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

/** The terms of a question: of the command, unless a wallet is mistaken. */
export interface Terms {
  /** Its own terms are those that are named. */
  readonly command: HistoryCommand
  /** The question says what the command does, too. */
  readonly isFull: boolean
  /** But not what it pays, as if it were a delegation. */
  readonly omitsAmount?: boolean
}

/** One node's answer to a search. */
export interface Sight {
  readonly chain: Chain
  /** False where the node was asked for pools and tip alone. */
  readonly isRead: boolean
  /** Its whole pool; empty where it was not asked for. */
  readonly pooled: readonly HistoryCommand[]
}

export interface Inquiry {
  readonly command: HistoryCommand
  /** The question has the hash that nodes give the command; some wallets compute another. */
  readonly hasChainHash: boolean
  readonly terms: Terms | undefined
  /** Of the searches whose answers came back as they were given. */
  readonly sights: readonly Sight[]
  /** Shown to the instance, until it answered. */
  readonly greatestHeight: number
  /** Behind one address stands a daemon that has stopped. */
  readonly hidesStopped: boolean
  /** The best chains of all nodes of the network, since the question was asked. */
  readonly chains: readonly Chain[]
  /** The pool of a node that was not asked holds the command. */
  readonly isLeftOut: boolean
  readonly indexer: 'none' | 'right hashes' | 'wrong hashes'
  /** After a hard fork the indexer knows the chain before it alone. */
  readonly indexerStays: boolean
  /** The network's k, which stands for the confirmations of a block that a hard fork has made final. */
  readonly finalDepth: number
}

type Fits = (command: HistoryCommand) => boolean

const uses =
  ({ command: { from, nonce } }: Terms, own = nonce): Fits =>
  (shown) =>
    shown.from === from && shown.nonce === own

const holds = (blocks: readonly Block[], fits: Fits): boolean => blocks.some(({ commands }) => commands.some(fits))

/**
 * The blocks in which the service searches for a command. Behind one address with a daemon that has stopped it reads fewer
 * of the good one, and says from which height on.
 */
const searchedIn = (chain: Chain, told: Partial<Transaction>, { hidesStopped }: Inquiry): Chain =>
  latestIn(chain).filter(({ height }) => !hidesStopped || height >= (told.searched?.fromHeight ?? 0))

const firstPast = (recent: Chain, { command: { validUntil } }: Terms): Block | undefined =>
  recent.find(({ slot }) => slot > validUntil)

const isPast = (chain: Chain, recent: Chain, terms: Terms): boolean =>
  firstPast(recent, terms) !== undefined && !holds(chain, uses(terms))

const namedKeys = ['from', 'nonce', 'to', 'fee', 'memo'] as const

/** True of a command that is equal in all that full terms name, but for its amount where they leave that out. */
const fitsTerms =
  (terms: Terms | undefined): Fits =>
  (shown) => {
    if (terms?.isFull !== true || shown.isZkapp) return false
    const { command, omitsAmount } = terms
    const { kind, amount } = command
    const isAmountOpen = omitsAmount === true || kind === 'STAKE_DELEGATION'
    return (
      namedKeys.every((key) => shown[key] === command[key]) &&
      (isAmountOpen || (shown.kind === kind && shown.amount === amount))
    )
  }

/** True of the command that full terms name, whatever its hash: without an amount it is a delegation. */
const isOfTerms =
  (terms: Terms | undefined, isExact: boolean): Fits =>
  (shown) => {
    if (terms === undefined || !fitsTerms(terms)(shown)) return false
    const namesPayment = terms.command.kind === 'PAYMENT' && terms.omitsAmount !== true
    // An indexer does not tell `validUntil`.
    const isLastSlotTold = !isExact || shown.validUntil === terms.command.validUntil
    return (shown.kind === 'PAYMENT') === namesPayment && isLastSlotTold
  }

const isByHash =
  ({ command, hasChainHash }: Inquiry): Fits =>
  (shown) =>
    hasChainHash && shown === command

/** True of what the question names: by its hash, or by all of its terms. */
const isNamed =
  (inquiry: Inquiry, isExact = true): Fits =>
  (shown) =>
    isByHash(inquiry)(shown) || isOfTerms(inquiry.terms, isExact)(shown)

/** True for the hash of a command, as the nodes or this indexer have it. */
export const isHashOf = (hash: string | undefined, shown: HistoryCommand, { indexer }: Inquiry): boolean =>
  hash === shown.hash || (indexer === 'wrong hashes' && hash === zkappCommandHash(shown.hash))

/** True if a chain has the named block, with such a command and so many blocks on top: of an indexer's at least. */
function hasPlace(chain: Chain, told: Transaction, fits: Fits, finalDepth: number): boolean {
  const { block, confirmations = 0, final, searched } = told
  const { stateHash, blockHeight = 0 } = block ?? {}
  const held = chain[blockHeight - 1]
  const depth = chain.length - blockHeight
  const isKept = final === true && confirmations === finalDepth && blockHeight < (chain.at(-1)?.genesisHeight ?? 1)
  const isDepth = searched.indexer ? confirmations <= depth || isKept : confirmations === depth
  return held !== undefined && held.stateHash === stateHash && isDepth && held.commands.some(fits)
}

/** The answers that count, of what was read at the greatest height. */
const bestOf = ({ sights, greatestHeight }: Inquiry): readonly Chain[] =>
  sights.filter(({ chain, isRead }) => isRead && chain.length >= greatestHeight).map(({ chain }) => chain)

/** True of a command that can no longer be included: the ledger of a highest chain among the answers is past its nonce. */
function isOver({ sights }: Inquiry): Fits {
  const height = Math.max(...sights.map(({ chain }) => chain.length))
  const highest = sights.map(({ chain }) => chain).filter((chain) => chain.length === height)
  return ({ from, nonce }) => highest.some((chain) => (accountAt(chain, from)?.nonce ?? 0) > nonce)
}

/** The commands of the pools that wait. */
function pooledIn(inquiry: Inquiry): readonly HistoryCommand[] {
  const over = isOver(inquiry)
  return inquiry.sights.flatMap(({ pooled }) => pooled).filter((command) => !over(command))
}

/** True if an answer of the tip's height shows a tip whose block was not read. */
function isTipUnread(inquiry: Inquiry): boolean {
  const read = bestOf(inquiry).map((chain) => chain.at(-1))
  const isOpen = ({ chain }: Sight) => chain.length >= inquiry.greatestHeight && !read.includes(chain.at(-1))
  return read.length === 0 || inquiry.sights.some(isOpen)
}

/** The blocks that an indexer can know. */
const indexable = (chain: Chain, { indexerStays }: Inquiry): Chain =>
  indexerStays ? chain.slice(0, (chain.at(-1)?.genesisHeight ?? 1) - 1) : chain

/** True if what was searched shows the command by its hash, or the indexer knows it by that: it comes before any terms. */
function isInSight(told: Pick<Transaction, 'searched'>, inquiry: Inquiry): boolean {
  const best = bestOf(inquiry)
  const isAsked = isByHash(inquiry)
  const isIndexed = told.searched.indexer && inquiry.indexer === 'right hashes'
  return (
    pooledIn(inquiry).some(isAsked) ||
    best.some((chain) => holds(searchedIn(chain, told, inquiry), isAsked)) ||
    (isIndexed && best.length > 0 && best.every((chain) => holds(indexable(chain, inquiry), isAsked)))
  )
}

/** Without the nodes that stand still, where the command has expired by all of its terms: their pools keep it. */
function withoutKept(told: Partial<Transaction>, inquiry: Inquiry): Inquiry {
  const { terms, command, sights, greatestHeight } = inquiry
  if (terms === undefined || !isOfTerms(terms, true)(command)) return inquiry
  const hasExpired = bestOf(inquiry).some((chain) => isPast(chain, searchedIn(chain, told, inquiry), terms))
  return hasExpired ? { ...inquiry, sights: sights.filter(({ chain }) => chain.length >= greatestHeight) } : inquiry
}

function isSendingTrue(told: Transaction, terms: Terms, inquiry: Inquiry): boolean {
  const { sending, by, missingNonces = [] } = told
  const [best, pooled] = [bestOf(inquiry), pooledIn(inquiry)]
  const { nonce: own, from } = terms.command
  const ledger = Math.max(...best.map((chain) => accountAt(chain, from)?.nonce ?? 0))
  const rivals = pooled.filter(uses(terms))
  const isShown: Fits = (shown) => isHashOf(by, shown, inquiry)
  const isMissing = (nonce: number) => nonce >= ledger && nonce < own && !pooled.some(uses(terms, nonce))
  const isUsed = [...best, ...inquiry.chains].some((chain) =>
    holds(chain, (shown) => uses(terms)(shown) && isShown(shown)),
  )
  switch (sending) {
    case 'possible':
      return ledger <= own && rivals.length === 0
    case 'rival-pending':
      return rivals.some((shown) => terms.isFull && isShown(shown) && !fitsTerms(terms)(shown))
    case 'waits-for-nonce':
      return missingNonces.length > 0 && missingNonces.every(isMissing)
    // Every sender has an account.
    case 'nonce-used':
      return ledger > own && (by === undefined || isUsed)
    default:
      return sending === 'unknown' && (by === undefined || isUsed || rivals.some(isShown))
  }
}

/** What lasts waits for the indexer's answer by the hash. */
const mayWait = (told: Partial<Transaction>, { indexer }: Inquiry): boolean =>
  told.sending === 'unknown' && indexer !== 'none' && told.searched?.indexer === false

/** True if the latest blocks decide by the terms alone: an answer that the command is nowhere is wrong then. */
function isDecided(chain: Chain, told: Partial<Transaction>, inquiry: Inquiry): boolean {
  const { terms } = inquiry
  const recent = searchedIn(chain, told, inquiry)
  if (holds(recent, isNamed(inquiry))) return true
  if (terms === undefined || mayWait(told, inquiry)) return false
  if (!holds(recent, uses(terms))) return isPast(chain, recent, terms)
  const isTold = told.sending === 'nonce-used' && told.by !== undefined
  // A command that differs in its last slot alone does the same, and proves nothing; nor does an amount that nobody named.
  const isOpen = !terms.isFull || holds(recent, fitsTerms(terms))
  return !isOpen || !isTold
}

function absenceFault(told: Pick<Transaction, 'searched'> & Partial<Transaction>, inquiry: Inquiry) {
  const { terms, sights, greatestHeight, isLeftOut, hasChainHash, hidesStopped, command } = inquiry
  const { searched, sending } = told
  const best = bestOf(inquiry)
  const isUnseen = sending === 'unknown' && isTipUnread(inquiry)
  const isShort = searched.toHeight < greatestHeight || searched.nodes > sights.length || isTipUnread(inquiry)
  const isByTerms = terms?.isFull === true && terms.omitsAmount !== true && terms.command === command
  const couldBeFound = (hasChainHash && searched.pool) || isByTerms
  const inSight = mayWait(told, inquiry) ? withoutKept(told, inquiry) : inquiry
  if (isInSight(told, inSight) || pooledIn(inSight).some(isNamed(inquiry))) return 'false absent'
  if (isUnseen) return undefined
  // A node that shows what lasts is enough, and while the indexer does not answer, nothing is said of the others.
  const isMissed = isLeftOut && !isOver(inquiry)(command)
  if (isMissed && couldBeFound && !mayWait(told, inquiry)) return 'false absent'
  // A nonce that one of two tips has used says nothing of the command.
  if (hidesStopped && sending === 'nonce-used' && isTipUnread(inquiry)) return undefined
  if (isShort || best.some((chain) => isDecided(chain, told, inquiry))) return 'false absent'
  if (terms === undefined) return undefined
  return isSendingTrue(told as Transaction, terms, inquiry) ? undefined : 'false sending'
}

/** @returns the wrong in an answer at the moment when it is given; undefined for a true one */
export function wrongIn(told: Transaction, inquiry: Inquiry): WrongFate | undefined {
  const { terms, chains, greatestHeight, finalDepth } = inquiry
  const best = bestOf(inquiry)
  const supporting = told.searched.indexer ? chains.filter((chain) => chain.length >= greatestHeight) : best
  const isTold: Fits = (shown) =>
    isNamed(inquiry, !told.searched.indexer)(shown) &&
    (told.chainHash === undefined ? isByHash(inquiry)(shown) : isHashOf(told.chainHash, shown, inquiry))
  switch (told.state) {
    case 'included':
      return supporting.some((chain) => hasPlace(chain, told, isTold, finalDepth)) ? undefined : 'false included'
    case 'replaced': {
      // By a wrong hash nobody can know it, and then the answer is true of the terms, which are those of another command.
      const isUnknowable = told.final === true && inquiry.indexer === 'wrong hashes'
      const isRival: Fits = (shown) =>
        terms?.isFull === true &&
        uses(terms)(shown) &&
        isHashOf(told.by, shown, inquiry) &&
        (isUnknowable || !isByHash(inquiry)(shown)) &&
        !fitsTerms(terms)(shown)
      const isProven =
        !isInSight(told, inquiry) && supporting.some((chain) => hasPlace(chain, told, isRival, finalDepth))
      return isProven ? undefined : 'false replaced'
    }
    case 'expired': {
      const isRight = (chain: Chain) =>
        terms !== undefined &&
        isPast(chain, searchedIn(chain, told, inquiry), terms) &&
        chain.length - (firstPast(searchedIn(chain, told, inquiry), terms)?.height ?? 0) === told.confirmations
      return !isInSight(told, withoutKept(told, inquiry)) && best.some(isRight) ? undefined : 'false expired'
    }
    case 'pending': {
      const isIncluded = best.length > 0 && best.every((chain) => holds(latestIn(chain), isTold))
      return pooledIn(inquiry).some(isTold) && !isIncluded ? undefined : 'false pending'
    }
    default:
      return absenceFault(told, inquiry)
  }
}

/** @returns the wrong that the rest of the history shows in an answer, which said that it would never change */
export function wrongAfterwards(
  { state, block, final, searched }: Transaction,
  { command, terms, sights }: Inquiry,
  chain: Chain,
): WrongFate | undefined {
  if (final && chain[(block?.blockHeight ?? 0) - 1]?.stateHash !== block?.stateHash) return 'false final'
  if (state !== 'expired' || terms?.command !== command) return undefined
  const tips = sights.map((sight) => sight.chain.at(-1)).filter((tip) => tip?.height === searched.toHeight)
  const isOnTop = tips.some((tip) => tip !== undefined && chain[tip.height - 1] === tip)
  return isOnTop && holds(chain, (shown) => shown === command) ? 'false expired' : undefined
}
