// Blocks of a best chain, each of which names its parent, and the block from which a walk down the chain continues.
import { called, listOf, nullable, type WireType } from '../../upstream/wire.ts'

/** The height of a block, in the shape that nodes and indexers share. */
interface HighBlock {
  readonly protocolState: { readonly consensusState: { readonly blockHeight: number } }
}

export const blockHeightOf = ({ protocolState }: HighBlock): number => protocolState.consensusState.blockHeight

export interface LinkedBlock extends HighBlock {
  readonly stateHash: string
  readonly protocolState: HighBlock['protocolState'] & { readonly previousStateHash: string }
}

/** True if each block is the child of the one before it: heights without a gap, each naming its parent's state hash. */
export const isLinked = (blocks: readonly LinkedBlock[]): boolean =>
  blocks.every((block, index) => {
    const parent = blocks[index - 1]
    if (parent === undefined) return true
    const isNamed = block.protocolState.previousStateHash === parent.stateHash
    return isNamed && blockHeightOf(block) === blockHeightOf(parent) + 1
  })

/** The latest blocks of the best chain, oldest first: as many as the variable `maxLength` says. */
export const linkedChain = <Block extends LinkedBlock>(block: WireType<Block>): WireType<readonly Block[] | null> =>
  called(
    'bestChain(maxLength: $maxLength)',
    nullable(listOf(block)),
    (blocks, { maxLength }) => blocks === null || (blocks.length <= Number(maxLength) && isLinked(blocks)),
  )

/** The block below which a walk continues. The next source must have it too: no walk leaves a gap or changes branch. */
export interface Anchor {
  readonly height: number
  readonly stateHash: string
  /** Heights from here up are done. */
  readonly doneFrom: number
  /** True if a source has shown that the block is canonical; false for that of a caller's cursor. */
  readonly isProven: boolean
}

/** The anchor under the lowest block that a node has shown. */
export const parentOf = (block: LinkedBlock): Anchor => {
  const doneFrom = blockHeightOf(block)
  return { height: doneFrom - 1, stateHash: block.protocolState.previousStateHash, doneFrom, isProven: true }
}

/** The anchor at a block that the walk has finished with. */
export const anchorAt = (block: Pick<Anchor, 'height' | 'stateHash'>, isProven: boolean): Anchor => ({
  height: block.height,
  stateHash: block.stateHash,
  doneFrom: block.height,
  isProven,
})
