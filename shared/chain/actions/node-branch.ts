// The end of each node's best chain: nodes at one height may follow two branches, of which the chain keeps one.
import { blocksLeftBehind } from '../../contract/tip-age.ts'
import { nodeQuery, tipBlock } from '../../upstream/node-query.ts'
import { called, listOf, nullable } from '../../upstream/wire.ts'
import { blockHeightOf } from './linked-blocks.ts'

/** Just enough to detect a fork of `blocksLeftBehind` blocks: a node converts every listed block with all its commands. */
const comparedBlocks = blocksLeftBehind + 1

/** The end of a node's best chain, oldest first. */
export const nodeBranchQuery = nodeQuery('nodeBranch', '', {
  bestChain: called(
    `bestChain(maxLength: ${comparedBlocks})`,
    nullable(listOf(tipBlock)),
    (blocks) => blocks === null || blocks.length <= comparedBlocks,
  ),
})

interface PlacedBlock {
  readonly height: number
  readonly stateHash: string
}

/** The blocks of a branch, oldest first, as far as they are known; at least its tip. */
export type Branch = readonly PlacedBlock[]

export const branchOf = (
  bestChain: readonly (Parameters<typeof blockHeightOf>[0] & { readonly stateHash: string })[] | null,
): Branch => (bestChain ?? []).map((block) => ({ height: blockHeightOf(block), stateHash: block.stateHash }))

/** The distance between a node's branch and the best one. */
interface Distance {
  /** The number of blocks at the end of the best branch that the node lacks; capped at `comparedBlocks` if they parted earlier. */
  readonly lacks: number
  /** The highest pair of different blocks at one height, the best node's first; absent if the node is only behind. */
  readonly rivals?: readonly [PlacedBlock, PlacedBlock]
}

export function compareBranches(best: Branch, other: Branch): Distance {
  const bestBlocks = new Map(best.map((block) => [block.height, block]))
  const isCommon = ({ height, stateHash }: PlacedBlock) => bestBlocks.get(height)?.stateHash === stateHash
  const firstApart = Math.max(best[0]?.height ?? 0, other[0]?.height ?? 0)
  const lastCommon = other.findLast(isCommon)?.height ?? Math.min(other.at(-1)?.height ?? 0, firstApart - 1)
  const theirs = other.findLast(({ height }) => height > lastCommon && bestBlocks.has(height))
  const ours = theirs && bestBlocks.get(theirs.height)
  return { lacks: (best.at(-1)?.height ?? 0) - lastCommon, ...(ours && { rivals: [ours, theirs] }) }
}
