// Blocks of the best chain by height, in one document: as many as are wanted, and no others.
import {
  type AtHeights,
  fieldsAtHeights,
  heightValues,
  heightVariables,
  valuesAtHeights,
} from '../../upstream/heights.ts'
import { nodeQueryWithoutTip } from '../../upstream/node-query.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Tip } from '../../upstream/query.ts'
import { called, includedIf, type WireType } from '../../upstream/wire.ts'
import type { ChainView } from '../port.ts'
import { blockHeightOf, type LinkedBlock } from './linked-blocks.ts'

type Blocks<Block> = AtHeights<Block | undefined> & { readonly root: Block | undefined }

export interface BlocksByHeight<Block> {
  readonly operation: Operation<Blocks<Block>>
  /** The most blocks that one question asks for by their heights. */
  readonly size: number
}

/**
 * Asks for blocks by height, each in its own field and only if wanted, and for the root by hash: a node does not find
 * its root by height. `block` is non-null, so a missing one leaves no data.
 *
 * @param block selects height, state hash and parent
 * @param tooLong public text for blocks that are too long to be read
 */
export function blocksByHeight<Block extends LinkedBlock>(
  name: string,
  size: number,
  block: WireType<Block>,
  tooLong: string,
): BlocksByHeight<Block> {
  const byHeight = fieldsAtHeights(
    size,
    (height) => `block(height: ${height})`,
    block,
    (shown, height) => blockHeightOf(shown) === height,
  )
  const root = called(
    'block(stateHash: $root) @include(if: $wantsRoot)',
    block,
    (shown, asked) => shown.stateHash === asked.root,
  )
  const fields = { ...byHeight, root: includedIf('wantsRoot', root) }
  const declared = `${heightVariables(size)}, $root: String!, $wantsRoot: Boolean!`
  return { operation: nodeQueryWithoutTip(name, declared, fields, { tooLong }), size }
}

interface Wanted {
  /** From the highest down, without a gap. */
  readonly heights: readonly number[]
  /** The block of the last height, if it is the node's root. */
  readonly root: { readonly height: number; readonly stateHash: string } | undefined
  /** Blocks above them are known, so no tip is asked for. */
  readonly isUnderKnown: boolean
}

interface Read<Block> {
  /** The highest last. */
  readonly blocks: readonly Block[]
  /** Index of the node that gave the highest. */
  readonly node: number
  readonly tip: Tip | undefined
}

/**
 * Reads blocks by height. The tip comes with the highest of them, if at all.
 *
 * @returns undefined if the node does not hold one of them
 * @throws WireError when no node answers
 */
export async function readBlocks<Block extends LinkedBlock>(
  chain: ChainView,
  { operation, size }: BlocksByHeight<Block>,
  { heights, root, isUnderKnown }: Wanted,
): Promise<Read<Block> | undefined> {
  const byHeight = heights.filter((height) => height !== root?.height)
  let read: Read<Block> | undefined
  for (let start = 0; start === 0 || start < byHeight.length; start += size) {
    const part = byHeight.slice(start, start + size)
    const isLast = start + size >= byHeight.length
    const ofRoot = { root: root?.stateHash ?? '', wantsRoot: isLast && root !== undefined }
    const variables = { ...heightValues(size, part), ...ofRoot }
    const withoutTip = isUnderKnown || read !== undefined
    const { data, node, tip } = await chain.request(operation, variables, { withoutTip })
    if (data === undefined) return undefined
    const shown = valuesAtHeights(size, data).toReversed()
    const blocks = data.root === undefined ? shown : [data.root, ...shown]
    read = { blocks: [...blocks, ...(read?.blocks ?? [])], node: read?.node ?? node, tip: read?.tip ?? tip }
  }
  return read
}
