// Chooses the indexer that answers, if there are several. Accounts, staking fields and counters come from the one on
// the node's network. An old block or command may be at any of them, and the first that has it answers; it counts as
// absent only once all have answered, and together know the chain before and since a hard fork. A single indexer, the
// usual case, is asked without any of these rules.
import { awaitedLater } from '../chain/awaited-later.ts'
import type { ChainView, Indexer } from '../chain/port.ts'
import { WireError } from '../upstream/errors.ts'
import type { Attempted } from './indexed.ts'

/** An indexer, with the chain whose nodes verify what it shows. */
export interface IndexerOfChain {
  readonly indexer: Indexer
  readonly chain: ChainView
}

export interface IndexerAnswer<Answer> extends IndexerOfChain {
  readonly answer: Promise<Attempted<Answer>>
}

/** Puts a question to every indexer at once. A failure is a value, and need not be awaited. */
export const askEvery = <Answer>(
  chain: ChainView,
  question: (indexer: Indexer) => Promise<Attempted<Answer>>,
): readonly IndexerAnswer<Answer>[] =>
  chain.indexers.map((indexer) => ({ chain, indexer, answer: awaitedLater(question(indexer)) }))

/** An answer that shows its indexer's network. */
interface OfNetwork {
  readonly tip: { readonly genesisStateHash: string } | null
}

/** True for the answer of an indexer on the network of a genesis block; without one, of an indexer on any. */
export const isOfNetwork = <Answer extends OfNetwork>(
  answer: Attempted<Answer>,
  genesisStateHash: string | undefined,
): answer is Extract<Attempted<Answer>, { readonly state: 'known' }> => {
  const shown = answer.state === 'known' ? answer.value.tip?.genesisStateHash : undefined
  return shown !== undefined && shown === (genesisStateHash ?? shown)
}

/**
 * The first indexer on the node's network. If none is known to be, one that did not answer: it may be the one.
 *
 * @param genesisStateHash of the node; undefined if no node shows it
 * @returns undefined without an indexer
 */
export async function onNetwork<Answer extends OfNetwork>(
  asked: readonly IndexerAnswer<Answer>[],
  genesisStateHash: string | undefined,
): Promise<IndexerAnswer<Answer> | undefined> {
  const [only, ...others] = asked
  if (others.length === 0) return only
  let silent: IndexerAnswer<Answer> | undefined
  for (const each of asked) {
    const answer = await each.answer
    if (isOfNetwork(answer, genesisStateHash)) return each
    if (answer.state === 'missing') silent ??= each
  }
  return silent ?? only
}

/** An indexer does not hold what it was asked for. */
export interface Absence {
  readonly state: 'none'
  /** The reason why it may still exist before the node's hard fork; absent from an indexer that has that chain. */
  readonly openBefore?: WireError | undefined
  /** The reason why it may exist since that fork. */
  readonly openSince?: WireError | undefined
}

/** No indexer holds it, or that is unknown. */
export type NotFound = { readonly state: 'none' } | { readonly state: 'unknown'; readonly error: WireError }

type Looked = Absence | Extract<NotFound, { readonly state: 'unknown' }>

const isNotFound = (looked: { readonly state: string }): looked is Looked =>
  looked.state === 'none' || looked.state === 'unknown'

/** The reason for doubt if no indexer rules out one part of the chain, before or since the fork. */
function openPart(absences: readonly Absence[]): WireError | undefined {
  for (const part of ['openBefore', 'openSince'] as const) {
    const open = absences.map((absence) => absence[part])
    if (!open.includes(undefined)) return open[0]
  }
  return undefined
}

/**
 * Looks for a thing at one indexer after the other, until one has it.
 *
 * @param look throws a WireError if an indexer cannot tell, or shows something that cannot be believed
 * @returns the absence only if every indexer has answered, and none leaves a part of the chain open
 * @throws WireError that `look` has thrown, if no other indexer has the thing
 */
export async function firstFound<Place, Found extends { readonly state: string }>(
  places: readonly Place[],
  look: (place: Place) => Promise<Found | Looked>,
): Promise<Exclude<Found, Looked> | NotFound> {
  const absences: Absence[] = []
  let unknown: NotFound | undefined
  let failure: WireError | undefined
  for (const place of places) {
    try {
      const looked = await look(place)
      if (!isNotFound(looked)) return looked as Exclude<Found, Looked>
      if (looked.state === 'none') absences.push(looked)
      else unknown ??= looked
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  if (unknown !== undefined) return unknown
  const open = openPart(absences)
  return open === undefined ? { state: 'none' } : { state: 'unknown', error: open }
}
