// The two views of a page of blocks: each block whole, and each in one line.
import { blocksByHeight } from '../chain/actions/blocks-by-height.ts'
import type { Block } from '../contract/block.ts'
import type { BlockHeader } from '../contract/block-header.ts'
import { maxNodeHeaders } from '../contract/limits.ts'
import { blockFromNode, type NodeBlock, nodeBlock } from '../mapping/block.ts'
import {
  headerFromIndexer,
  headerFromNode,
  type IndexerHeader,
  type NodeHeader,
  nodeHeader,
} from '../mapping/block-header.ts'
import type { IndexerBlock } from '../mapping/indexer-block.ts'
import { tooManyBlocks } from '../upstream/node-query.ts'
import type { BlockView, Receipts, ShownBlock } from './block-walk.ts'
import { atOwnClock } from './epoch-clock.ts'
import { attempt, lasting, undecided } from './indexed.ts'
import { shownBlock } from './old-block.ts'
import { blocksBelow, headersDown, maxWalkedBlocks, receivedTimesIn, wholeBlocksDown } from './older-blocks.ts'

/** A node's block with its time of receipt from the first indexer that has it. */
async function showNodeBlock(shown: NodeBlock, receipts: Receipts): Promise<ShownBlock<Block>> {
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

export const wholeBlocks: BlockView<NodeBlock, IndexerBlock, Block> = {
  nodeBlocks: blocksByHeight('blocksByHeight', maxWalkedBlocks, nodeBlock, tooManyBlocks),
  readBelow: (anchor, wanted, source) => blocksBelow(wholeBlocksDown, anchor, wanted, source),
  showsReceipts: true,
  showOfNode: showNodeBlock,
  showOfIndexer: ({ block, tipHeight }, network, indexer) => shownBlock(block, tipHeight, network, indexer),
}

export const headers: BlockView<NodeHeader, IndexerHeader, BlockHeader> = {
  // The blocks of a page, the one above them, and one below that shows that there is more.
  nodeBlocks: blocksByHeight('headersByHeight', maxNodeHeaders + 2, nodeHeader, tooManyBlocks),
  readBelow: (anchor, wanted, source) => blocksBelow(headersDown, anchor, wanted, source),
  showsReceipts: false,
  showOfNode: async (header) => ({ block: headerFromNode(header, true), missing: [] }),
  async showOfIndexer({ block }, network, indexer) {
    const shown = await attempt(async () => headerFromIndexer(await atOwnClock(block, indexer, network)))
    if (shown.state === 'missing') throw undecided(shown)
    return { block: shown.value, missing: [] }
  },
}
