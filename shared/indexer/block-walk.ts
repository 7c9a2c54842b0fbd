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
import { kOf } from '../upstream/network.ts'
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

/** Blocks without a gap. */
export interface WalkedBlocks {
  readonly state: 'canonical'
  /** Newest first. */
  readonly blocks: readonly WalkedBlock[]
  /** Of the node's answer that the first of them rests on. */
  readonly tip: Tip
  /** Blocks of these heights and below cannot change: where the first of them comes from an indexer. */
  readonly finalHeight: number
  /** The walk has ended above blocks that another page may show. */
  readonly isCut: boolean
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

/**
 * The blocks below a cursor's. The walk ends at the first block that can be shown.
 *
 * @param wanted the number of blocks: at most a page's and one more
 * @returns `replaced` where the chain has another block in place of the cursor's; undefined where no upstream has blocks below it
 * @throws WireError where nothing can be shown without a gap
 */
export async function blocksBelowCursor(
  cursor: CursorBlock,
  wanted: number,
  chain: ChainView,
): Promise<WalkedBlocks | Replaced | undefined> {
  const neededFrom = Math.max(1, cursor.height - wanted)
  const values = heightValues(maxWalkedBlocks, heightsDown(cursor.height, neededFrom))
  const receipts = askEvery(chain, (each) => queryIndexer(each, blockReceipts, values))
  const anchor = anchorAt(cursor, false)
  const ofNode = ({ blocks, below }: Pick<RunOfNode<NodeBlock>, 'blocks' | 'below'>) =>
    blocks
      .filter((block) => blockHeightOf(block) < below)
      .map((block) => ({
        ...{ height: blockHeightOf(block), stateHash: block.stateHash },
        show: () => showNodeBlock(block, receipts),
      }))
      .toReversed()
  // A node's block can change until it is deeper than the node holds.
  const changing = { state: 'canonical', finalHeight: Number.NEGATIVE_INFINITY } as const
  const whole = await readRun(anchor, neededFrom, undefined, walkedBlocks, chain)
  if (whole?.state === 'replaced') return whole
  if (whole !== undefined) {
    return { ...changing, blocks: ofNode({ ...whole, below: anchor.below }), tip: whole.tip, isCut: false }
  }
  const nodeChain = await nodeChainFrom(cursor, chain)
  const network = await chain.networks.of(nodeChain.tip.genesisStateHash)
  const k = kOf(network)
  const reads = { nodeBlocks: walkedBlocks, blocksFor: (blocks: number) => blocks, readBelow: blocksBelow }
  const walk = new ChainWalk(chain, reads, { anchor, nodeChain, wanted, mayList: Number.POSITIVE_INFINITY })

  function ofIndexer({ items, source }: RunOfIndexer<OlderBlock, ChainSource>): readonly WalkedBlock[] {
    const indexer = askingOnce(source.indexer)
    return items.map(({ block, blockHeight: height, tipHeight }) => {
      const { stateHash } = block
      return { height, stateHash, show: () => shownBlock(block, tipHeight, network, indexer) }
    })
  }

  async function* runs() {
    yield* walk.held(k)
    yield* walk.settled(await chainSources(receipts, walk.nodeChain.tip, () => ({})), network)
  }

  let first: Pick<WalkedBlocks, 'state' | 'tip' | 'finalHeight'> | undefined
  const blocks: WalkedBlock[] = []
  for await (const run of runs()) {
    if (run.state === 'replaced') return run
    const { tip } = walk.nodeChain
    first ??= { ...changing, ...(run.from === 'indexer' && { finalHeight: finalHeightOf(run.source, tip, k) }), tip }
    const taken = run.from === 'node' ? ofNode(run) : ofIndexer(run)
    blocks.push(...taken)
    walk.wanted -= taken.length
    if (walk.wanted <= 0) break
  }
  return first && { ...first, blocks, isCut: walk.rest !== undefined }
}
