// A run of a node's best chain, read downwards from the block that a walk stands at.
import { WireError } from '../../upstream/errors.ts'
import type { Tip } from '../../upstream/query.ts'
import type { Exchange } from '../port.ts'
import { type BlocksByHeight, readBlocks } from './blocks-by-height.ts'
import { nodeHashAt } from './find-block.ts'
import { type Anchor, isLinked, type LinkedBlock } from './linked-blocks.ts'

/** The node that a walk began at, as its first answer shows it. */
export interface NodePlace {
  readonly node: number
  readonly tip: Tip
  /**
   * Height of its genesis block, the lowest that it surely has until that is deeper than its root. A node that kept blocks from
   * before a hard fork has older ones; those are asked for by their hashes.
   */
  readonly bottom: number
}

/** Blocks of one best chain without a gap. */
export interface NodeRun<Block> {
  readonly state: 'canonical'
  readonly node: number
  readonly tip: Tip
  /** The highest last; at least one. */
  readonly blocks: readonly Block[]
}

/** The chain has another block in place of a cursor's. */
export interface Replaced {
  readonly state: 'replaced'
  readonly tip: Tip
}

const busy = (reason: string) => new WireError('busy', `walk: ${reason}`)

/**
 * The node's blocks from the anchor's down to a height. A node does not find its root by the height: the genesis block is
 * asked for by its hash, and so is the anchor's if it is the only one.
 *
 * @param place absent before the first answer: then the anchor is that of a cursor
 * @param lowest at most the anchor's height; below the place's bottom that itself, for the one block of a shown anchor
 * @returns `replaced` where the anchor is that of a cursor, and the node shows another block in its place; undefined where the
 *   node does not hold one of the blocks
 * @throws WireError `busy` where the blocks do not fit to what is shown already, or the node that shows another block lies
 *   behind
 */
export async function readRun<Block extends LinkedBlock>(
  anchor: Anchor,
  lowest: number,
  place: Pick<NodePlace, 'tip' | 'bottom'> | undefined,
  questions: BlocksByHeight<Block>,
  chain: Exchange,
): Promise<NodeRun<Block> | Replaced | undefined> {
  const heights = Array.from({ length: anchor.height - lowest + 1 }, (_, index) => anchor.height - index)
  const onlyHash = anchor.isShown && heights.length === 1 ? anchor.stateHash : undefined
  const rootHash = lowest === place?.bottom ? place.tip.genesisStateHash : onlyHash
  const read = await readBlocks(chain, questions, {
    heights,
    root: rootHash === undefined ? undefined : { height: lowest, stateHash: rootHash },
    // The links to what is shown already prove that these are of the same chain.
    isUnderKnown: anchor.isShown,
  })
  if (read === undefined) return undefined
  const { blocks, node } = read
  const tip = anchor.isShown ? place?.tip : read.tip
  if (tip === undefined) throw busy('the node shows no tip')
  if (!isLinked(blocks)) throw busy('the blocks of two answers do not fit together')
  if (blocks.at(-1)?.stateHash === anchor.stateHash) return { state: 'canonical', node, tip, blocks }
  if (anchor.isShown) throw busy(`the node has another block at height ${anchor.height}`)
  if (chain.isStaleHeight(tip.height)) throw busy('the node that shows another block lies behind')
  return { state: 'replaced', tip }
}

/**
 * The node's word for the block of a cursor that it does not find by the height: the block above names it.
 *
 * @returns false where the node's chain has another block there
 * @throws WireError `busy` where nothing shows it
 */
export async function isOnNodesChain({ height, stateHash }: Anchor, tip: Tip, chain: Exchange): Promise<boolean> {
  const named = await nodeHashAt(chain, height)
  if (named === stateHash) return true
  if (named === undefined) throw busy(`nothing shows the block of the cursor at height ${height}`)
  if (chain.isStaleHeight(tip.height)) throw busy('the node that shows another block lies behind')
  return false
}
