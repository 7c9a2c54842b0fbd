// The right answers to a question for the fate of a command. Each state has a licence: what the upstreams must have said for
// it to be true. Whatever no licence covers is wrong; an error needs an excuse.
import type { AskedTransaction } from '../../setting/fates.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { heightOf } from '../bodies/block-bodies.ts'
import { isUntouched, named, type Right, statuses } from '../rights/right.ts'
import { integer } from '../sent/values.ts'
import { type Said, type Sighting, saidBy } from './said.ts'

/** How long caches may keep an answer that the next command or block may change, one with a block, and one with a final block. */
const maxSeconds = { open: 2, included: 15, final: 86_400 }

const maxMissingNonces = 20

/** A fate for which there is a licence. */
interface Claim {
  readonly fate: object
  /** True if it counts on an indexer that was searched. */
  readonly indexer: boolean
  readonly maxSeconds?: number
}

type Terms = NonNullable<AskedTransaction['terms']>

const byOf = ({ hash, shown: { command } }: Sighting) => ({ by: hash, command })

const tipHeightOf = ({ blocks }: Said): bigint => heightOf(blocks.at(-1))

/** True of blocks that another source than the list of the latest ones shows: the indexer has named them. */
const needsIndexer = ({ by }: Sighting): boolean => by === 'height' || by === 'indexer'

/** The blocks on top: of one that the indexer alone has, below the lower tip, and final with k of them. */
function depthOf({ by, block }: Sighting, said: Said) {
  const { indexerTip = 0n, k } = said
  const height = block?.blockHeight ?? 0n
  const tip = by === 'indexer' && indexerTip < tipHeightOf(said) ? indexerTip : tipHeightOf(said)
  const isFinal = by === 'indexer' && k !== undefined && tip - height >= k
  return isFinal ? { confirmations: k, final: true } : { confirmations: tip - height }
}

/** `included`: a block of the chain holds it. A command of the very hash comes before one of the same terms. */
function included(said: Said, { hash }: AskedTransaction): readonly Claim[] {
  const holding = said.sightings.filter(({ likeness, block }) => likeness === 'same' && block !== undefined)
  const own = holding.filter((sighting) => sighting.hash === hash)
  return (own.length > 0 ? own : holding).map((sighting) => {
    const chainHash = sighting.hash === hash ? {} : { chainHash: sighting.hash }
    const depth = depthOf(sighting, said)
    return {
      fate: { state: 'included', ...chainHash, block: sighting.block, ...depth, ...sighting.shown },
      indexer: needsIndexer(sighting),
      maxSeconds: 'final' in depth ? maxSeconds.final : maxSeconds.included,
    }
  })
}

/** `pending`: a pool holds it, and no block. Only a block can fail it, so a reason there is none. */
function pending({ sightings }: Said, { hash }: AskedTransaction): readonly Claim[] {
  const isThere = ({ likeness, block }: Sighting) => likeness === 'same' && block !== undefined
  const waiting = sightings.filter(({ likeness, by }) => likeness === 'same' && by === 'pool')
  const own = waiting.filter((sighting) => sighting.hash === hash)
  if (own.length === 0 && sightings.some(isThere)) return []
  return (own.length > 0 ? own : waiting).map((sighting) => {
    const chainHash = sighting.hash === hash ? {} : { chainHash: sighting.hash }
    return { fate: { state: 'pending', ...chainHash, command: sighting.shown.command }, indexer: false }
  })
}

/** The blocks from the first one past the last slot to the tip, if the ledger shows that none below holds the command. */
function blocksPast({ blocks, ledgerNonce }: Said, { nonce, valid_until }: Terms): bigint | undefined {
  const isPast = (block: unknown) =>
    integer(block, 'protocolState', 'consensusState', 'slotSinceGenesis') > BigInt(valid_until)
  const isFree = ledgerNonce !== undefined && (ledgerNonce ?? 0n) <= BigInt(nonce)
  if (!isFree || !isPast(blocks.at(-1))) return undefined
  return BigInt(blocks.length - 1 - blocks.findIndex(isPast))
}

/** The fates of a command whose nonce a block's command has that is not proven to be itself. */
function usedUp(said: Said, users: readonly Sighting[]): readonly Claim[] {
  return users.map((user) => {
    const isSearched = said.isIndexerWhole || needsIndexer(user)
    // What an indexer alone has proves another command only where it is final, on the chain that the node shows.
    const isFinal = 'final' in depthOf(user, said) && said.isIndexerOnChain
    if (user.likeness === 'open' || (user.by === 'indexer' && !isFinal)) {
      return { fate: { state: 'absent', sending: 'nonce-used', ...byOf(user) }, indexer: isSearched }
    }
    // It may be known by its hash where nobody has looked.
    if (!said.isIndexerWhole) return { fate: { state: 'absent', sending: 'unknown', ...byOf(user) }, indexer: false }
    const place = { block: user.block, ...depthOf(user, said) }
    const kept = isFinal ? { maxSeconds: maxSeconds.final } : {}
    return { fate: { state: 'replaced', ...byOf(user), ...place }, indexer: true, ...kept }
  })
}

/** The prospects of a command whose nonce no block's command has. */
function sendingOf({ sightings, ledgerNonce, queued }: Said, { nonce }: Terms): object {
  const rivals = sightings.filter(({ by }) => by === 'pool')
  const unproven = rivals.find(({ likeness }) => likeness === 'open')
  if (ledgerNonce === undefined) return { sending: 'unknown' }
  if (ledgerNonce === null) return { sending: 'no-account' }
  if (ledgerNonce > BigInt(nonce)) return { sending: 'nonce-used' }
  if (unproven !== undefined) return { sending: 'unknown', ...byOf(unproven) }
  if (rivals[0] !== undefined) return { sending: 'rival-pending', ...byOf(rivals[0]) }
  const between = Array.from(
    { length: Math.min(1000, Number(BigInt(nonce) - ledgerNonce)) },
    (_, index) => ledgerNonce + BigInt(index),
  )
  const missingNonces = between.filter((each) => !queued.has(String(each))).slice(0, maxMissingNonces)
  return missingNonces.length === 0 ? { sending: 'possible' } : { sending: 'waits-for-nonce', missingNonces }
}

/** Nothing that was said has the command alive. */
function gone(said: Said, terms: Terms): readonly Claim[] {
  const users = said.sightings.filter(({ block }) => block !== undefined)
  if (users.length > 0) {
    // An indexer that lags leads to a block and cannot say that it is the only one: then the ledger may speak alone.
    const isByLead = !said.isIndexerWhole && users.every(needsIndexer)
    const alone = { fate: { state: 'absent', ...sendingOf(said, terms) }, indexer: false }
    return isByLead ? [...usedUp(said, users), alone] : usedUp(said, users)
  }
  const confirmations = blocksPast(said, terms)
  const indexer = said.isIndexerWhole
  if (confirmations === undefined) return [{ fate: { state: 'absent', ...sendingOf(said, terms) }, indexer }]
  const fate = indexer ? { state: 'expired', confirmations } : { state: 'absent', sending: 'unknown' }
  return [{ fate, indexer }]
}

/** Tips or ledgers that differ leave everything open. */
function open({ sightings, isIndexerWhole }: Said): readonly Claim[] {
  const unproven = sightings.find(({ by, likeness }) => by === 'pool' && likeness === 'open')
  const fate = { state: 'absent', sending: 'unknown', ...(unproven && byOf(unproven)) }
  return [false, ...(isIndexerWhole ? [true] : [])].map((indexer) => ({ fate, indexer }))
}

function termsOf({ terms }: AskedTransaction): object {
  if (terms === undefined) return {}
  const { from, nonce, valid_until, to, fee, memo, amount } = terms
  const first = { from, nonce: BigInt(nonce), validUntil: BigInt(valid_until) }
  if (fee === undefined) return { terms: first }
  const paid = amount === undefined ? {} : { amount: BigInt(amount) }
  return { terms: { ...first, to, fee: BigInt(fee), memo, ...paid } }
}

/** The words for a hash that no node shows, where further terms could find its command under another. */
const hintOf = ({ hash, terms }: AskedTransaction): object => {
  if (terms?.to !== undefined) return {}
  const why = hash.startsWith('Ckp')
    ? 'Ckp… is the form of hashes before June 2024: nodes and blocks name a command 5J… since then, which mina-signer 2.1.1 and later compute with hashPayment(signed, { berkeley: true }).'
    : 'No node knows the 5J… that mina-signer computes without { berkeley: true }, or before 2.1.1.'
  return {
    hint: `${why} Ask with from, nonce, valid_until, to, fee, memo, and amount of a payment, to find it whatever its hash.`,
  }
}

/** @param isIndexerAsked an absence counts only after the indexer was asked */
function rightsFor(said: Said, asked: AskedTransaction, isIndexerAsked: boolean): readonly Right[] {
  const { blocks, excuses, isUnsteady, isPoolAsked, isIndexerWhole } = said
  if (blocks.length === 0) return statuses(...excuses.node)
  const span = { pool: isPoolAsked, fromHeight: heightOf(blocks[0]), toHeight: tipHeightOf(said), nodes: 1n }
  const answer = ({ fate, indexer, maxSeconds: seconds = maxSeconds.open }: Claim): Right => {
    const hint = 'sending' in fate ? hintOf(asked) : {}
    const transaction = { hash: asked.hash, ...fate, ...hint, ...termsOf(asked), searched: { ...span, indexer } }
    const cut = said.sightings.some(
      ({ isCut, shown: { command } }) => isCut && 'command' in fate && fate.command === command,
    )
    return {
      status: 200,
      body: { transaction },
      maxSeconds: seconds,
      ...named([], cut ? ['command.balanceChanges'] : []),
    }
  }
  const alive = [...included(said, asked), ...pending(said, asked)]
  const unsteady = isUnsteady && asked.terms !== undefined ? open(said).map(answer) : []
  // What the node shows by itself hangs on no other upstream.
  const isShownByNode = said.sightings.some(
    ({ likeness, by }) => likeness === 'same' && (by === 'list' || by === 'pool'),
  )
  const errors = statuses(...excuses.node, ...(isShownByNode ? [] : excuses.indexer))
  const beside = [...unsteady, ...errors]
  if (alive.length > 0) return [...alive.map(answer), ...beside]
  if (!isIndexerAsked) return beside
  if (asked.terms !== undefined) return [...gone(said, asked.terms).map(answer), ...beside]
  const body = {
    message: 'No transaction found for that hash.',
    ...hintOf(asked),
    searched: { ...span, indexer: true },
  }
  return [...(isIndexerWhole ? [{ status: 404, body, maxSeconds: maxSeconds.open }] : []), ...beside]
}

const fateIn = ({ status, body }: Right): unknown => {
  const { state, sending } = (body as { transaction?: { state?: string; sending?: string } })?.transaction ?? {}
  return status === 404 ? 'not found' : (sending ?? state)
}

/** Upstreams that told the whole truth leave one right answer: the fate that the command has on the chain. */
export function rightFate(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  asked: AskedTransaction,
): readonly Right[] {
  const isIndexerAsked = exchanges.some(({ upstream }) => upstream === 'indexer')
  const rights = [true, false].flatMap((believesDoubtful) =>
    rightsFor(saidBy(exchanges, earlier, asked, believesDoubtful), asked, isIndexerAsked),
  )
  return isUntouched([...earlier, ...exchanges]) ? rights.filter((right) => fateIn(right) === asked.fate) : rights
}
