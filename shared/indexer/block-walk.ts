// The blocks below a cursor, as a walk down the chain: the node's as far as it holds them, since it knows more of them than an
// indexer.
import { blocksByHeight } from '../chain/actions/blocks-by-height.ts'
import { anchorAt, blockHeightOf } from '../chain/actions/linked-blocks.ts'
import { nodeChainFrom, type Replaced, readRun } from '../chain/actions/node-run.ts'
import type { ChainView } from '../chain/port.ts'
import type { Block } from '../contract/block.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { blockFromNode, type NodeBlock, nodeBlock } from '../mapping/block.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { heightsDown, heightValues } from '../upstream/heights.ts'
import { kOf, type Network } from '../upstream/network.ts'
import { tooManyBlocks } from '../upstream/node-query.ts'
import type { Tip } from '../upstream/query.ts'
import { type ChainSource, chainSources, finalHeightOf } from './chain-source.ts'
import { ChainWalk, type RunOfNode } from './chain-walk.ts'
import { askingOnce, lasting, type MissingFields, queryIndexer } from './indexed.ts'
import type { RunOfIndexer } from './indexed-runs.ts'
import { shownBlock } from './old-block.ts'
import {
  type BlockReceipts,
  blockReceipts,
  blocksBelow,
  maxWalkedBlocks,
  type OlderBlock,
  receivedTimesIn,
} from './older-blocks.ts'
import { type Asked, askEvery } from './responsible-indexers.ts'

/** A block in the form of the contract, with the fields that an upstream should have given and did not. */
export interface ShownBlock {
  readonly block: Exact<Block>
  readonly missing: readonly MissingFields[]
}

export interface WalkedBlock extends CursorBlock {
  /** Asks for what the block lacks. @throws WireError for a block that cannot be read */
  show(): Promise<ShownBlock>
}

/** The blocks of a run of heights. */
export interface BlockSegment {
  readonly state: 'canonical'
  /** Newest first. */
  readonly blocks: readonly WalkedBlock[]
  /** Of the latest answer of a node. */
  readonly tip: Tip
  /** Blocks of these heights and below cannot change. */
  readonly finalHeight: number
}

/** The walk has ended above blocks that another page may show. */
interface Cut {
  readonly state: 'cut'
}

export const walkedBlocks = blocksByHeight('blocksByHeight', maxWalkedBlocks, nodeBlock, tooManyBlocks)

type Receipts = readonly Asked<BlockReceipts>[]

/** A node's block with its time of receipt from the first indexer that has it. */
async function showNodeBlock(shown: NodeBlock, receipts: Receipts): Promise<ShownBlock> {
  const answers = await Promise.all(receipts.map(({ answer }) => answer))
  const times = answers.map((answer) =>
    answer.state === 'known' ? receivedTimesIn(answer.value).get(shown.stateHash) : undefined,
  )
  const receivedAt = times.find((time) => time !== undefined)
  const reasons = answers.map((answer) => (answer.state === 'missing' ? answer.reason : 'the indexer lacks the block'))
  const isMissing = receivedAt === undefined && receipts.length > 0
  const unreceived = isMissing ? [{ fields: ['receivedTime'], reason: reasons.join('; ') }] : []
  const { block, cutFields } = blockFromNode(shown, true, receivedAt)
  return { block, missing: [...unreceived, ...lasting(cutFields)] }
}

function segmentOfNode(
  { below, blocks, tip }: Pick<RunOfNode<NodeBlock>, 'below' | 'blocks' | 'tip'>,
  receipts: Receipts,
): BlockSegment {
  const walked = blocks
    .filter((block) => blockHeightOf(block) < below)
    .map((block) => ({
      ...{ height: blockHeightOf(block), stateHash: block.stateHash },
      show: () => showNodeBlock(block, receipts),
    }))
  // A node's block can change until it is deeper than the node holds.
  return { state: 'canonical', blocks: walked.toReversed(), tip, finalHeight: Number.NEGATIVE_INFINITY }
}

function segmentOfIndexer(
  { items, source }: RunOfIndexer<OlderBlock, ChainSource>,
  tip: Tip,
  network: Network | undefined,
): BlockSegment {
  const indexer = askingOnce(source.indexer)
  const blocks = items.map(({ block, blockHeight: height, tipHeight }): WalkedBlock => {
    const { stateHash } = block
    return { height, stateHash, show: () => shownBlock(block, tipHeight, network, indexer) }
  })
  return { state: 'canonical', blocks, tip, finalHeight: finalHeightOf(source, tip, kOf(network)) }
}

/**
 * The segments below a cursor's block. The walk ends at the first block that can be shown.
 *
 * @param wanted the number of blocks: at most a page's and one more
 * @returns `replaced`, and nothing more, where the chain has another block in place of the cursor's
 * @throws WireError where nothing can be shown without a gap
 */
export async function* blockSegments(
  cursor: CursorBlock,
  wanted: number,
  chain: ChainView,
): AsyncGenerator<BlockSegment | Cut | Replaced> {
  const neededFrom = Math.max(1, cursor.height - wanted)
  const values = heightValues(maxWalkedBlocks, heightsDown(cursor.height, neededFrom))
  const receipts = askEvery(chain, (each) => queryIndexer(each, blockReceipts, values))
  const anchor = anchorAt(cursor, false)
  const whole = await readRun(anchor, neededFrom, undefined, walkedBlocks, chain)
  if (whole !== undefined) {
    const { below } = anchor
    yield whole.state === 'replaced' ? whole : segmentOfNode({ ...whole, below }, receipts)
    return
  }
  const nodeChain = await nodeChainFrom(cursor, chain)
  const network = await chain.networks.of(nodeChain.tip.genesisStateHash)
  const reads = { nodeBlocks: walkedBlocks, blocksFor: (blocks: number) => blocks, readBelow: blocksBelow }
  const walk = new ChainWalk(chain, reads, { anchor, nodeChain, wanted, mayList: Number.POSITIVE_INFINITY })

  function segmentOf(run: RunOfNode<NodeBlock> | RunOfIndexer<OlderBlock, ChainSource> | Replaced) {
    if (run.state === 'replaced') return run
    const { tip } = walk.nodeChain
    const segment = run.from === 'node' ? segmentOfNode(run, receipts) : segmentOfIndexer(run, tip, network)
    walk.wanted -= segment.blocks.length
    return segment
  }

  for await (const run of walk.held(kOf(network))) yield segmentOf(run)
  const sources = await chainSources(receipts, walk.nodeChain.tip, () => ({}))
  for await (const run of walk.settled(sources, network)) yield segmentOf(run)
  if (walk.rest !== undefined) yield { state: 'cut' }
}
