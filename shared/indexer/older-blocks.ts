// The blocks of an indexer below a block, newest first. A height is a look-up for it, whatever lies above, so blocks are asked
// for height by height in one document.

import { type Anchor, blockHeightOf, isLinked } from '../chain/actions/linked-blocks.ts'
import { maxSiblings } from '../chain/limits.ts'
import { maxBlocks } from '../contract/limits.ts'
import { type IndexerBlock, indexerBlock } from '../mapping/indexer-block.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { fieldsAtHeights, heightsDown, heightValues, heightVariables, valuesAtHeights } from '../upstream/heights.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { hash, isoInstant, listOf, shape, type Wire } from '../upstream/wire.ts'
import type { ChainSource } from './chain-source.ts'
import type { RunBelow } from './indexed-runs.ts'
import { indexerTip } from './indexer-tip.ts'
import { type BlockRow, earliestBlock, isAskedFor, judgementFields, judgementVariables, rowJudge } from './judge.ts'

/** The blocks of a page, the one above them, and one below that shows that there is more. */
export const maxWalkedBlocks = maxBlocks + 2

const receipts = fieldsAtHeights(
  maxWalkedBlocks,
  (height) => `blocks(limit: ${maxSiblings}, query: {blockHeight: ${height}})`,
  listOf(shape({ receivedTime: isoInstant, stateHash: hash })),
  (blocks) => blocks.length <= maxSiblings,
)

/**
 * How far the indexer has come, and when it received the blocks at some heights: not only canonical ones, since near its tip
 * it may prefer siblings of the node's.
 */
export const blockReceipts = indexerQuery(
  'blockReceipts',
  heightVariables(maxWalkedBlocks),
  shape(Object.assign({}, receipts, { tip: indexerTip })),
)

export type BlockReceipts = Wire<typeof blockReceipts.data>

/** Milliseconds since 1970 by state hash. */
export const receivedTimesIn = (received: BlockReceipts): ReadonlyMap<string, number> =>
  new Map(
    valuesAtHeights(maxWalkedBlocks, received)
      .flat()
      .map(({ receivedTime, stateHash }) => [stateHash, receivedTime]),
  )

const blocksAtHeights = fieldsAtHeights(
  maxWalkedBlocks,
  (height) => `blocks(limit: ${maxSiblings}, query: {blockHeight: ${height}, canonical: $canonical})`,
  listOf(indexerBlock),
  (blocks, height, asked) =>
    blocks.length <= maxSiblings && blocks.every((one) => blockHeightOf(one) === height && isAskedFor(one, asked)),
)

/** The question that asks an indexer for most. */
export const blocksBelowQuery = indexerQuery(
  'blocksBelow',
  `${heightVariables(maxWalkedBlocks)}, ${judgementVariables}`,
  shape(Object.assign({}, blocksAtHeights, { earliest: earliestBlock }, judgementFields)),
  { isPatient: true },
)

export const olderBlocksOperations = [blockReceipts, blocksBelowQuery]

/** A canonical block of an indexer, and the height of the indexer's tip. */
export interface OlderBlock {
  readonly blockHeight: number
  readonly block: IndexerBlock
  readonly tipHeight: number
}

const rowOf = (block: IndexerBlock): BlockRow => ({
  ...{ blockHeight: blockHeightOf(block), canonical: block.canonical, stateHash: block.stateHash },
})

/**
 * The blocks below an anchor, as many as wanted, or down to the first one of the indexer's chain. Each is the parent of the
 * one before it, and the first a child of nothing but the anchor.
 *
 * @param wanted at most a page's blocks and one more
 * @throws WireError when the indexer gives no answer, leaves a gap, or does not show that the anchor is on its chain; `busy`
 *   where nothing shows that its chain is the node's
 */
export async function blocksBelow(anchor: Anchor, wanted: number, source: ChainSource): Promise<RunBelow<OlderBlock>> {
  const wantedFrom = Math.max(1, anchor.below - wanted)
  const judge = await rowJudge(anchor, source)
  const variables = { ...heightValues(maxWalkedBlocks, heightsDown(anchor.height, wantedFrom)), ...judge.variables }
  const { data } = await source.indexer.ask(blocksBelowQuery, variables)
  const listed = valuesAtHeights(maxWalkedBlocks, data).flat()
  const atAnchor = listed.filter((block) => blockHeightOf(block) === anchor.height).map(rowOf)
  const { isCanonical, state } = await judge.judge({ ...data, anchor: atAnchor })
  if (state !== 'canonical') return { state }

  const blocks = listed.filter((block) => isCanonical(rowOf(block)))
  const lowest = blocks.at(-1)
  const firstHeight = data.earliest[0]?.blockHeight ?? 1
  const isWhole = lowest !== undefined && blockHeightOf(lowest) === Math.max(wantedFrom, firstHeight)
  if (!isWhole || !isLinked(blocks.toReversed())) {
    throw indexerBusy(`the indexer leaves a gap below height ${anchor.height}`)
  }
  const tipHeight = data.tip?.blockHeight ?? 0
  return {
    state,
    items: blocks
      .filter((block) => blockHeightOf(block) < anchor.below)
      .map((block) => ({ blockHeight: blockHeightOf(block), block: { ...block, canonical: true }, tipHeight })),
    lowest: { height: blockHeightOf(lowest), stateHash: lowest.stateHash },
    isFirst: blockHeightOf(lowest) === firstHeight,
  }
}
