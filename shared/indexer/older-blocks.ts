// The blocks of an indexer below a block, newest first. It looks up any height quickly, so one document asks for blocks
// height by height.

import { type Anchor, blockHeightOf, isLinked, type LinkedBlock } from '../chain/actions/linked-blocks.ts'
import { maxRows, maxSiblings } from '../chain/limits.ts'
import type { Indexer } from '../chain/port.ts'
import { maxBlocks } from '../contract/limits.ts'
import { type IndexerHeader, indexerHeader } from '../mapping/block-header.ts'
import { type IndexerBlock, indexerBlock } from '../mapping/indexer-block.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { fieldsAtHeights, heightsDown, heightValues, heightVariables, valuesAtHeights } from '../upstream/heights.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { called, hash, isoInstant, listOf, shape, type Variables, type Wire } from '../upstream/wire.ts'
import type { ChainSource } from './chain-source.ts'
import { requireIndexed } from './indexed.ts'
import type { RunBelow } from './indexed-runs.ts'
import { indexerTip } from './indexer-tip.ts'
import { type BlockRow, earliestBlock, isAskedFor, judgeForWalk, judgementFields, judgementVariables } from './judge.ts'

/** The blocks of a page, the one above them, and one below that shows that there is more. */
export const maxWalkedBlocks = maxBlocks + 2

const receipts = fieldsAtHeights(
  maxWalkedBlocks,
  (height) => `blocks(limit: ${maxSiblings}, query: {blockHeight: ${height}})`,
  listOf(shape({ receivedTime: isoInstant, stateHash: hash })),
  (blocks) => blocks.length <= maxSiblings,
)

/**
 * How far the indexer has come, and when it received the blocks at some heights: forks too, since near its tip it may
 * prefer siblings of the node's.
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

/** The fields by which the rows of an indexer are judged and linked. */
interface IndexerRow extends LinkedBlock {
  readonly canonical: boolean
}

const besideRows = { earliest: earliestBlock, ...judgementFields }

interface ReadRows<Row> {
  /** The newest first; siblings too. */
  readonly rows: readonly Row[]
  readonly earliest: Wire<typeof besideRows.earliest>
  readonly proof: Wire<typeof besideRows.proof>
  readonly tip: Wire<typeof besideRows.tip>
}

/** Reads an indexer's blocks from one height down to another. @param judgement the variables of a `WalkJudge` */
type ReadDown<Row extends IndexerRow> = (
  indexer: Indexer,
  highest: number,
  lowest: number,
  judgement: Variables,
) => Promise<ReadRows<Row>>

const blocksAtHeights = fieldsAtHeights(
  maxWalkedBlocks,
  (height) => `blocks(limit: ${maxSiblings}, query: {blockHeight: ${height}, canonical: $canonical})`,
  listOf(indexerBlock),
  (blocks, height, asked) =>
    blocks.length <= maxSiblings && blocks.every((one) => blockHeightOf(one) === height && isAskedFor(one, asked)),
)

/** The heaviest question to an indexer. */
export const blocksBelowQuery = indexerQuery(
  'blocksBelow',
  `${heightVariables(maxWalkedBlocks)}, ${judgementVariables}`,
  shape(Object.assign({}, blocksAtHeights, besideRows)),
  { isPatient: true },
)

export const wholeBlocksDown: ReadDown<IndexerBlock> = async (indexer, highest, lowest, judgement) => {
  const heights = heightValues(maxWalkedBlocks, heightsDown(highest, lowest))
  const data = await requireIndexed(indexer, blocksBelowQuery, { ...heights, ...judgement })
  return { ...data, rows: valuesAtHeights(maxWalkedBlocks, data).flat() }
}

/** By range, in which a bound on the height seeks: fields for a hundred single heights exceed an indexer's limits. */
const headersBelowQuery = indexerQuery(
  'headersBelow',
  `$highest: Int!, $lowest: Int!, ${judgementVariables}`,
  shape({
    rows: called(
      `blocks(limit: ${maxRows}, query: {blockHeight_gte: $lowest, blockHeight_lte: $highest, canonical: $canonical}, sortBy: BLOCKHEIGHT_DESC)`,
      listOf(indexerHeader),
      (rows, asked) =>
        rows.length <= maxRows &&
        rows.every((row) => {
          const height = blockHeightOf(row)
          return height >= Number(asked.lowest) && height <= Number(asked.highest) && isAskedFor(row, asked)
        }),
    ),
    ...besideRows,
  }),
  { isPatient: true },
)

export const headersDown: ReadDown<IndexerHeader> = (indexer, highest, lowest, judgement) =>
  requireIndexed(indexer, headersBelowQuery, { highest, lowest, ...judgement })

export const olderBlocksOperations = [blockReceipts, blocksBelowQuery, headersBelowQuery]

/** A canonical block of an indexer, and the height of the indexer's tip. */
export interface OlderBlock<Row> {
  readonly blockHeight: number
  readonly stateHash: string
  readonly block: Row
  readonly tipHeight: number
}

const rowOf = (block: IndexerRow): BlockRow => ({
  ...{ blockHeight: blockHeightOf(block), canonical: block.canonical, stateHash: block.stateHash },
})

/**
 * The blocks below an anchor, as many as wanted, or down to the first one of the indexer's chain. Each is the parent of
 * the one before it, beginning at the anchor.
 *
 * @param wanted at most a page's blocks and one more
 * @throws WireError when the indexer gives no answer, leaves a gap, or does not show that the anchor is on its chain;
 *   `busy` if nothing shows that its chain is the node's
 */
export async function blocksBelow<Row extends IndexerRow>(
  readDown: ReadDown<Row>,
  anchor: Anchor,
  wanted: number,
  source: ChainSource,
): Promise<RunBelow<OlderBlock<Row>>> {
  const wantedFrom = Math.max(1, anchor.doneFrom - wanted)
  const judge = await judgeForWalk(anchor, source)
  const data = await readDown(source.indexer, anchor.height, wantedFrom, judge.variables)
  const atAnchor = data.rows.filter((block) => blockHeightOf(block) === anchor.height).map(rowOf)
  const { isCanonical, state } = await judge.verdictOn({ ...data, anchor: atAnchor })
  if (state !== 'canonical') return { state }

  const blocks = data.rows.filter((block) => isCanonical(rowOf(block)))
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
      .filter((block) => blockHeightOf(block) < anchor.doneFrom)
      .map((block) => ({ ...rowOf(block), block: { ...block, canonical: true }, tipHeight })),
    lowest: { height: blockHeightOf(lowest), stateHash: lowest.stateHash },
    isFirst: blockHeightOf(lowest) === firstHeight,
  }
}
