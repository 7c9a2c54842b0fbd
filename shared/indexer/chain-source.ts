// Indexers as sources of old blocks and their commands: how far each can be trusted. On the node's network, blocks
// count that are ten or more below the tips of indexer and node; on a chain before a hard fork, those that the fork
// kept.
import { settledDepth } from '../chain/limits.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { finalHeightBelow, type Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { type ForkParent, forkParentIn } from './before-fork.ts'
import { type Attempted, attempt } from './indexed.ts'
import { type IndexerTip, otherChain, requireTip } from './indexer-tip.ts'
import type { IndexerAnswer, IndexerOfChain } from './responsible-indexers.ts'

/** The settled blocks of an indexer: those that are canonical beyond doubt. */
export interface ChainSource extends IndexerOfChain {
  /** Height of the highest settled block. */
  readonly settledHeight: number
  readonly tipHeight: number
  /** Of the node's tip. */
  readonly nodeHeight: number
  readonly genesisStateHash: string
  /** The fork that ended the chain which the indexer follows, or that settles its blocks; undefined if neither. */
  readonly parent: ForkParent | undefined
}

/** Each indexer as a source, or the reason why it cannot be one now. */
export type ChainSources<Source extends ChainSource = ChainSource> = readonly Attempted<Source>[]

/**
 * The indexer as a source, as far as it is on the node's chain or on the one before its hard fork.
 *
 * @throws WireError if the indexer has no block, or follows a chain that nothing connects to the node's
 */
async function chainSource(
  given: IndexerTip | null,
  node: Tip,
  { chain, indexer }: IndexerOfChain,
): Promise<ChainSource> {
  const tip = requireTip(given)
  const { blockHeight: tipHeight, genesisStateHash } = tip
  const source = { chain, indexer, tipHeight, nodeHeight: node.height, genesisStateHash }
  if (genesisStateHash === node.genesisStateHash) {
    return { ...source, settledHeight: Math.min(tipHeight, node.height) - settledDepth, parent: undefined }
  }
  const parent = forkParentIn(await chain.networks.of(node.genesisStateHash))
  if (parent === undefined) throw otherChain(tip)
  return { ...source, settledHeight: parent.height, parent }
}

/**
 * Every indexer as a source.
 *
 * @param asked each of them for its tip
 * @param node its tip
 * @param besides extra fields of a source, from the same answer
 */
export async function chainSources<Answer extends { readonly tip: IndexerTip | null }, Besides>(
  asked: readonly IndexerAnswer<Answer>[],
  node: Tip,
  besides: (answer: Answer) => Besides,
): Promise<ChainSources<ChainSource & Besides>> {
  const sources = asked.map((each) =>
    attempt(async () => {
      const given = await each.answer
      if (given.state === 'missing') throw indexerBusy(given.reason)
      return { ...(await chainSource(given.value.tip, node, each)), ...besides(given.value) }
    }),
  )
  return Promise.all(sources)
}

export const knownSources = <Source extends ChainSource>(sources: ChainSources<Source>): readonly Source[] =>
  sources.flatMap((source) => (source.state === 'known' ? [source.value] : []))

/**
 * Height of the highest block of a source that cannot change: below both tips by the network's k, or kept by a hard fork.
 *
 * @param tip of the node
 */
export const finalHeightOf = ({ parent, tipHeight }: ChainSource, tip: Tip, k: number | undefined): number =>
  parent?.height ?? finalHeightBelow(tipHeight, tip.height, k)

/** Height of the highest block that any indexer has settled; undefined if none is a source. */
export function settledHeightOf(sources: ChainSources): number | undefined {
  const heights = knownSources(sources).map(({ settledHeight }) => settledHeight)
  return heights.length === 0 ? undefined : Math.max(...heights)
}

/**
 * The sources for a block that none of them has settled, and for those below it. An indexer that followed the node
 * through a hard fork has settled no block near its tip, so the fork's parent shows which older ones are kept.
 *
 * @param height that a walk goes down from
 * @param network of the node
 * @throws WireError `busy` if that is not known
 */
export function settledByFork<Source extends ChainSource>(
  sources: ChainSources<Source>,
  height: number,
  network: Network | undefined,
): ChainSources<Source> {
  const settledHeight = settledHeightOf(sources)
  if (settledHeight === undefined || settledHeight >= height) return sources
  const isOpen = (source: ChainSource) => source.parent === undefined
  if (!knownSources(sources).some(isOpen)) return sources
  const parent = forkParentIn(network)
  if (parent === undefined || parent.height < height) return sources
  return sources.map((each) =>
    each.state === 'known' && isOpen(each.value)
      ? { ...each, value: { ...each.value, settledHeight: parent.height, parent } }
      : each,
  )
}
