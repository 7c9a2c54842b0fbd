// The blocks below a cursor, as a walk down the chain: the node's as far as it holds them, since it knows more of them
// than an indexer. The view decides what is read of each block, and how it is shown.
import type { BlocksByHeight } from '../chain/actions/blocks-by-height.ts'
import { type Anchor, anchorAt, blockHeightOf, type LinkedBlock } from '../chain/actions/linked-blocks.ts'
import { nodeChainFrom, type Replaced, readRun } from '../chain/actions/node-run.ts'
import type { ChainView, Indexer } from '../chain/port.ts'
import type { CursorBlock } from '../contract/forms.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { heightsDown, heightValues } from '../upstream/heights.ts'
import { kOf, type Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { type ChainSource, chainSources, finalHeightOf } from './chain-source.ts'
import { ChainWalk, type RunOfNode } from './chain-walk.ts'
import { askingOnce, type MissingFields, queryIndexer } from './indexed.ts'
import type { RunBelow, RunOfIndexer } from './indexed-runs.ts'
import { type BlockReceipts, blockReceipts, maxWalkedBlocks, type OlderBlock } from './older-blocks.ts'
import { askEvery, type IndexerAnswer } from './responsible-indexers.ts'

/** A block as an answer has it, with the fields that an upstream should have given and did not. */
export interface ShownBlock<Shown> {
  readonly block: Exact<Shown>
  readonly missing: readonly MissingFields[]
}

interface WalkedBlock<Shown> extends CursorBlock {
  /** Asks for what the block lacks. @throws WireError for a block that cannot be read */
  show(): Promise<ShownBlock<Shown>>
}

/** Blocks without a gap. */
export interface WalkedBlocks<Shown> {
  readonly state: 'canonical'
  /** Newest first. */
  readonly blocks: readonly WalkedBlock<Shown>[]
  /** How many of them the page has. */
  readonly limit: number
  /** Of the node's answer that shows the first of them. */
  readonly tip: Tip
  /** Blocks of this height and below cannot change; minus infinity if the first of them comes from a node. */
  readonly finalHeight: number
  /** True if the walk ended above blocks that another page may show. */
  readonly isCut: boolean
}

/** When each indexer received the blocks of a page, if the view shows that, and how far it has come. */
export type Receipts = readonly IndexerAnswer<BlockReceipts>[]

/** What a page reads of each block, at a node and at an indexer, and how it shows that. */
export interface BlockView<OfNode extends LinkedBlock, OfIndexer, Shown> {
  readonly nodeBlocks: BlocksByHeight<OfNode>
  readBelow(anchor: Anchor, wanted: number, source: ChainSource): Promise<RunBelow<OlderBlock<OfIndexer>>>
  readonly showsReceipts: boolean
  showOfNode(block: OfNode, receipts: Receipts): Promise<ShownBlock<Shown>>
  /** @param network the node's, if it is known */
  showOfIndexer(
    older: OlderBlock<OfIndexer>,
    network: Network | undefined,
    indexer: Indexer,
  ): Promise<ShownBlock<Shown>>
}

/** The number of blocks of a page, by the upstream that gives the first of them. */
export interface PageSize {
  readonly ofNode: number
  readonly ofIndexer: number
}

/**
 * The blocks below a cursor's: a page and one more, which shows that there is a next one. The walk ends at the first block that
 * can be shown.
 *
 * @returns `replaced` if the chain has another block in place of the cursor's; undefined if no upstream has blocks
 *   below it
 * @throws WireError if nothing can be shown without a gap
 */
export async function blocksBelowCursor<OfNode extends LinkedBlock, OfIndexer, Shown>(
  view: BlockView<OfNode, OfIndexer, Shown>,
  cursor: CursorBlock,
  { ofNode, ofIndexer }: PageSize,
  chain: ChainView,
): Promise<WalkedBlocks<Shown> | Replaced | undefined> {
  const { nodeBlocks } = view
  const neededFrom = Math.max(1, cursor.height - ofNode - 1)
  const heights = view.showsReceipts ? heightsDown(cursor.height, neededFrom) : []
  const values = heightValues(maxWalkedBlocks, heights)
  const receipts = askEvery(chain, (each) => queryIndexer(each, blockReceipts, values))
  const anchor = anchorAt(cursor, false)
  const fromNode = ({ blocks, below }: Pick<RunOfNode<OfNode>, 'blocks' | 'below'>) =>
    blocks
      .filter((block) => blockHeightOf(block) < below)
      .map((block) => ({
        ...{ height: blockHeightOf(block), stateHash: block.stateHash },
        show: () => view.showOfNode(block, receipts),
      }))
      .toReversed()
  // A node's block can change until it is deeper than the node holds.
  const changing = { state: 'canonical', finalHeight: Number.NEGATIVE_INFINITY } as const
  const whole = await readRun(anchor, neededFrom, undefined, nodeBlocks, chain)
  if (whole?.state === 'replaced') return whole
  if (whole !== undefined) {
    const blocks = fromNode({ ...whole, below: anchor.doneFrom })
    return { ...changing, blocks, limit: ofNode, tip: whole.tip, isCut: false }
  }
  const nodeChain = await nodeChainFrom(cursor, chain)
  const network = await chain.networks.of(nodeChain.tip.genesisStateHash)
  const k = kOf(network)
  const blocksFor = (wanted: number) => Math.min(wanted, ofNode + 1)
  const reads = { nodeBlocks, blocksFor, readBelow: view.readBelow }
  const start = { anchor, nodeChain, wanted: ofNode + 1, mayList: Number.POSITIVE_INFINITY }
  const walk = new ChainWalk(chain, reads, start)

  function fromIndexer({ items, source }: RunOfIndexer<OlderBlock<OfIndexer>, ChainSource>) {
    const indexer = askingOnce(source.indexer)
    return items.map((older) => ({
      ...{ height: older.blockHeight, stateHash: older.stateHash },
      show: () => view.showOfIndexer(older, network, indexer),
    }))
  }

  async function* runs() {
    yield* walk.held(k)
    if (walk.lowest === undefined) walk.wanted = ofIndexer + 1
    yield* walk.settled(await chainSources(receipts, walk.nodeChain.tip, () => ({})), network)
  }

  let first: Pick<WalkedBlocks<Shown>, 'state' | 'tip' | 'finalHeight'> | undefined
  let limit = ofIndexer
  const blocks: WalkedBlock<Shown>[] = []
  for await (const run of runs()) {
    if (run.state === 'replaced') return run
    const { tip } = walk.nodeChain
    first ??= { ...changing, ...(run.from === 'indexer' && { finalHeight: finalHeightOf(run.source, tip, k) }), tip }
    if (run.from === 'node') limit = ofNode
    const taken = run.from === 'node' ? fromNode(run) : fromIndexer(run)
    blocks.push(...taken)
    walk.wanted -= taken.length
    if (blocks.length > limit) break
  }
  return first && { ...first, blocks, limit, isCut: walk.rest !== undefined }
}
