// The end of a node's best chain as an account's history reads it: each block once, and 40 of them at most.
import { blocksByHeight, readBlocks } from '../chain/actions/blocks-by-height.ts'
import { isLinked } from '../chain/actions/linked-blocks.ts'
import type { Answered, Exchange } from '../chain/port.ts'
import { includedCommand } from '../mapping/command.ts'
import { nodeZkappCommand } from '../mapping/zkapp-command.ts'
import { WireError } from '../upstream/errors.ts'
import type { nodeTipQuery } from '../upstream/node-query.ts'
import type { Tip } from '../upstream/query.ts'
import { count, hash, instant, listOf, shape, type Wire } from '../upstream/wire.ts'

export const busy = (reason: string) => new WireError('busy', `history: ${reason}`)

export const historyBlock = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count }),
    previousStateHash: hash,
  }),
  stateHash: hash,
  transactions: shape({ userCommands: listOf(includedCommand), zkappCommands: listOf(nodeZkappCommand) }),
})

/** Blocks that are read at once: as many as a command is searched for in, and more than an indexer needs to settle. */
export const latestBlocks = 20

/**
 * Blocks by their heights on the best chain, as many as are wanted. A node converts the blocks that it lists with all of their
 * commands, so those that are known are not listed again. It does not find its root by the height: the genesis block is asked
 * for by its hash.
 */
export const historyBlocks = blocksByHeight('historyBlocks', latestBlocks, historyBlock)

/** The most blocks that one request lists. A node converts each of them with all of its commands. */
const maxNodeBlocks = 40

/** The end of the best chain as one node's answer lists it. */
export interface NodeEnd {
  readonly node: number
  readonly tip: Tip
  /** Height of the first block of the node's network. */
  readonly genesisHeight: number
  /** True if the node has no older blocks. */
  readonly isWhole: boolean
  /** Without a gap, the highest last; empty where none was asked for. */
  readonly blocks: readonly Wire<typeof historyBlock>[]
}

/** An answer's tip, where blocks are read from it or below it. @throws WireError `busy` for an answer without one */
export function placeOf({ data, node, tip }: Answered<Wire<typeof nodeTipQuery.data>>) {
  if (tip === undefined || data === undefined) throw busy('the node shows no tip')
  return { node, tip, genesisHeight: data.genesisBlock.protocolState.consensusState.blockchainLength }
}

/**
 * The same blocks, and those below them down to a height, or to the genesis block.
 *
 * @param from the first of these heights; where it is the only one, and its child is known, the block may be the node's root
 * @throws WireError `busy` where the node does not hold them, or they are not linked to those above
 */
export async function extended(end: NodeEnd, from: number, to: number, chain: Exchange): Promise<NodeEnd> {
  const lowest = Math.max(to, end.genesisHeight)
  if (from < lowest) return { ...end, isWhole: from < end.genesisHeight }
  const [known] = end.blocks
  const heights = Array.from({ length: from - lowest + 1 }, (_, index) => from - index)
  const parent = heights.length === 1 ? known?.protocolState.previousStateHash : undefined
  const rootHash = lowest === end.genesisHeight ? end.tip.genesisStateHash : parent
  const lower = await readBlocks(chain, historyBlocks, {
    heights,
    root: rootHash === undefined ? undefined : { height: lowest, stateHash: rootHash },
    // The links to the blocks above show that these are under the same tip.
    isUnderKnown: known !== undefined,
  })
  if (lower === undefined) throw busy(`the node does not hold its blocks from height ${lowest} to ${from}`)
  const blocks = [...lower.blocks, ...end.blocks]
  if (!isLinked(blocks)) throw busy('the blocks of two answers do not fit together')
  const tip = known === undefined ? lower.tip : end.tip
  if (tip === undefined) throw busy('the node shows no tip')
  return { ...end, node: lower.node, tip, blocks, isWhole: lowest === end.genesisHeight }
}

export const heightOf = ({ protocolState }: Wire<typeof historyBlock>): number =>
  protocolState.consensusState.blockHeight

/**
 * The height of the first block to read below those that are known: the cursor's itself, which shows if it is canonical.
 *
 * @param top the tip's height, or the cursor's
 */
export const nextHeight = ({ blocks: [lowest] }: NodeEnd, top: number): number =>
  lowest === undefined ? top : heightOf(lowest) - 1

/**
 * The lowest height that one request reads. The network's k comes with a tip, which is listed once more; for a cursor it is
 * listed twice besides: alone, and beside the blocks.
 */
export const lowestToRead = ({ tip }: NodeEnd, before: { readonly height: number } | undefined): number =>
  before === undefined ? tip.height - (maxNodeBlocks - 1) + 1 : before.height - (maxNodeBlocks - 3) + 1
