// Runs of heights from one or several indexers, each from the first that has the block below which the walk continues.
// The one on the node's network has the blocks since a hard fork; below the fork's parent, any that holds the parent
// may have them. The two meet at the parent, which the node names. If one that may continue does not answer, the walk
// must stop.
import { type Anchor, anchorAt } from '../chain/actions/linked-blocks.ts'
import type { Replaced } from '../chain/actions/node-run.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { indexerBusy, nodeBusy, WireError } from '../upstream/errors.ts'
import type { Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { forkParentIn } from './before-fork.ts'
import type { ChainSource, ChainSources } from './chain-source.ts'

/** The blocks that an indexer has below an anchor, without a gap. */
export type RunBelow<Item> =
  | {
      readonly state: 'canonical'
      /** The newest first. */
      readonly items: readonly Item[]
      /** The lowest block whose items are all there. */
      readonly lowest: CursorBlock
      /** True if it is the first block of the indexer's chain. */
      readonly isFirst: boolean
    }
  /** The indexer's chain has another block in the anchor's place. */
  | { readonly state: 'replaced' }
  /** It begins above the anchor. */
  | { readonly state: 'bottom' }

/** Reads at one indexer, as many items as are wanted or a few more; fewer if that would cost too much. */
export type ReadBelow<Item, Source> = (anchor: Anchor, wanted: number, source: Source) => Promise<RunBelow<Item>>

export interface RunOfIndexer<Item, Source> {
  readonly state: 'canonical'
  readonly from: 'indexer'
  readonly items: readonly Item[]
  readonly lowest: CursorBlock
  readonly source: Source
}

/** Where a walk stands. */
export interface Position {
  readonly nodeChain: { readonly tip: Tip }
  /** Items that the page still has room for. */
  readonly wanted: number
  /** The block below which the next run continues. */
  anchor: Anchor
  /** The lowest block that has been given in full. */
  lowest: CursorBlock | undefined
  /** Where another page can continue, if the walk ended above the first block that can be shown. */
  rest: CursorBlock | undefined
}

const isOfOldChain = ({ parent }: ChainSource, { height }: Anchor): boolean =>
  parent !== undefined && height <= parent.height

/** Those that may hold the block: before the hard fork, those that stayed there come first. */
function responsibleFor<Source extends ChainSource>(
  anchor: Anchor,
  sources: ChainSources<Source>,
): ChainSources<Source> {
  if (sources.length === 1) return sources
  const old = sources.filter((each) => each.state === 'known' && isOfOldChain(each.value, anchor))
  const onNetwork = sources.filter((each) => each.state === 'known' && each.value.parent === undefined)
  return [...old, ...onNetwork, ...sources.filter(({ state }) => state === 'missing')]
}

/**
 * The indexers' runs below a block.
 *
 * @param sources at least one. A single indexer is asked as if there were no other
 * @param network of the node
 * @returns why older blocks may be missing although no indexer continues
 * @throws WireError when none gives an answer, or nothing shows that the anchor is on its chain
 */
export async function* indexedRuns<Item, Source extends ChainSource>(
  walk: Position,
  sources: ChainSources<Source>,
  read: ReadBelow<Item, Source>,
  network: Network | undefined,
): AsyncGenerator<RunOfIndexer<Item, Source> | Replaced, WireError | undefined> {
  const ended = new Set<ChainSources<Source>[number]>()

  /** The first run, and the failure of those that were to give it. */
  async function nextRun() {
    let failure: WireError | undefined
    for (const each of responsibleFor(walk.anchor, sources)) {
      if (ended.has(each)) continue
      try {
        if (each.state === 'missing') throw indexerBusy(each.reason)
        const found = await read(walk.anchor, walk.wanted, each.value)
        if (found.state === 'bottom' || (found.state === 'canonical' && found.isFirst)) ended.add(each)
        if (found.state !== 'bottom') return { found, source: each.value }
      } catch (error) {
        if (!(error instanceof WireError)) throw error
        failure ??= error
      }
    }
    return { failure }
  }

  while (walk.wanted > 0 && walk.anchor.doneFrom > 1) {
    const { failure, found, source } = await nextRun()
    if (found === undefined) {
      if (ended.size === 0) throw failure ?? indexerBusy(`no indexer has block ${walk.anchor.height}`)
      return failure ?? (sources.length > 1 ? lackOfOldChain(walk, network) : undefined)
    }
    const { height, isProven } = walk.anchor
    if (found.state === 'replaced') {
      if (isProven) throw nodeBusy(`node and indexer have different blocks at height ${height}`)
      yield { state: 'replaced', tip: walk.nodeChain.tip }
      return undefined
    }
    const { isFirst, items, lowest } = found
    walk.anchor = anchorAt(lowest, true)
    walk.lowest = lowest
    yield { state: 'canonical', from: 'indexer', items, lowest, source }
    if (!isFirst) {
      walk.rest = lowest
      return undefined
    }
    if (sources.length > 1) walk.anchor = underFork(walk, network)
  }
  return undefined
}

/** Replaces the genesis block of a hard fork by the fork's parent, which other indexers hold. */
function underFork({ anchor }: Position, network: Network | undefined): Anchor {
  const parent = forkParentIn(network)
  if (parent === undefined || anchor.stateHash !== parent.genesisStateHash) return anchor
  return { height: parent.height, stateHash: parent.stateHash, doneFrom: anchor.doneFrom, isProven: true }
}

/** Below a hard fork the chain goes on, whether an indexer has it or not. */
function lackOfOldChain({ anchor }: Position, network: Network | undefined): WireError | undefined {
  const parent = forkParentIn(network)
  return parent === undefined || anchor.doneFrom <= parent.height
    ? undefined
    : indexerBusy(`every indexer's chain ends above the hard fork at ${parent.height}`)
}
