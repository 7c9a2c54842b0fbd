// An indexer's answer about the block that a walk goes on from, in the document of the rows that are read below it: nothing
// of an indexer is remembered from one question to the next.

import type { Anchor } from '../chain/actions/linked-blocks.ts'
import { maxSiblings } from '../chain/limits.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { called, count, flag, hash, listOf, shape, type Wire } from '../upstream/wire.ts'

const blockRow = shape({ blockHeight: count, canonical: flag, stateHash: hash })

export type BlockRow = Wire<typeof blockRow>

export const blocksAt = (variable: 'height' | 'lowest') =>
  called(
    `blocks(limit: ${maxSiblings}, query: {blockHeight: $${variable}})`,
    listOf(blockRow),
    (blocks, asked) =>
      blocks.length <= maxSiblings && blocks.every(({ blockHeight }) => blockHeight === asked[variable]),
  )

/** The first block of the indexer's chain; none where it has no block. */
export const earliestBlock = called(
  'blocks(limit: 1, query: {canonical: true}, sortBy: BLOCKHEIGHT_ASC)',
  listOf(blockRow),
)

/** The part of a document that shows the anchor, at `$height`, and the first block of the indexer's chain. */
export const anchorFields = { anchor: blocksAt('height'), earliest: earliestBlock }

interface ShownAnchor {
  readonly anchor: readonly BlockRow[]
  readonly earliest: readonly BlockRow[]
}

/** `bottom`: the indexer has no block there, and none below. */
export type AnchorState = 'canonical' | 'replaced' | 'bottom'

/**
 * @param isCanonical by a `RowJudgement`
 * @param settledHeight of the source
 * @throws WireError `busy` where nothing shows which block of the anchor's height is canonical
 */
export function stateOfAnchor(
  { height, stateHash }: Anchor,
  { anchor, earliest: [earliest] }: ShownAnchor,
  isCanonical: (block: BlockRow) => boolean,
  settledHeight: number,
): AnchorState {
  if (earliest === undefined || earliest.blockHeight > height) return 'bottom'
  if (height > settledHeight) throw indexerBusy(`nothing shows which block at height ${height} is canonical`)
  const [canonical, ...others] = anchor.filter(isCanonical)
  if (others.length > 0) throw indexerBusy(`the indexer has two canonical blocks at height ${height}`)
  if (canonical === undefined) throw indexerBusy(`the indexer shows no canonical block at height ${height}`)
  return canonical.stateHash === stateHash ? 'canonical' : 'replaced'
}
