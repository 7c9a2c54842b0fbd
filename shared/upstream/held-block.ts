// A block that a node holds: whether it does, and whether the block is on its best chain, in questions that convert one
// block each. A node has no field for the latter, and a list of its whole best chain costs it the conversion of 290 blocks.
import { WireError } from './errors.ts'
import { missingBlock, missingHeight } from './node-errors.ts'
import type { NodeLabel } from './node-label.ts'
import { nodeQuery } from './node-query.ts'
import type { Operation } from './operation.ts'
import type { QueryUpstream, Reply } from './query.ts'
import { dataOf, labelOfReply, saysOnly } from './reply.ts'
import { called, count, hash, shape } from './wire.ts'

/** The block at a height of the best chain. A node finds none at the height of its frontier's root. */
export const blockAtHeightQuery = nodeQuery('blockAtHeight', '$height: Int!', {
  block: called(
    'block(height: $height)',
    shape({
      protocolState: shape({ consensusState: shape({ blockHeight: count }), previousStateHash: hash }),
    }),
    ({ protocolState }, { height }) => protocolState.consensusState.blockHeight === height,
  ),
})

/** What is needed of a block, whatever else is read of it. */
interface ReadBlock {
  readonly protocolState: { readonly consensusState: { readonly blockHeight: number } }
}

export type HeldBlock<Block> =
  | { readonly state: 'held'; readonly block: Block; readonly canonical: boolean; readonly depth: number }
  | {
      readonly state: 'not-held'
      /** Height of the node's tip. */
      readonly tipHeight: number
    }

/** @throws WireError `busy` for a reply without a label: only a node without a frontier has no tip */
function tipOf(reply: Reply, asked: string): NodeLabel {
  const tip = labelOfReply(reply)
  if (tip === undefined) throw new WireError('busy', `${asked}: the node shows no tip`)
  return tip
}

/** The parent of the block at a height of the best chain; undefined where the node finds no block there. */
async function parentAt(height: number, query: QueryUpstream): Promise<string | undefined> {
  const reply = await query(blockAtHeightQuery, { height })
  if (saysOnly(reply, (message) => missingHeight(message) === height)) return undefined
  return dataOf(blockAtHeightQuery, { height }, reply).block.protocolState.previousStateHash
}

/** The chain may change between two questions, but not again and again. */
const mostRounds = 3

/**
 * Looks a block up at a node, and whether it is on the node's best chain. The tip is. A block below it is when it is the
 * parent of the best chain's block one higher: asked for its own height, a node does not find the root of its frontier,
 * which is canonical too. Where this says no by an absence, the look-up is repeated, since the block may have arrived,
 * or the chain may have changed, after the tip was read: a block at or above the tip's height, and one above which the
 * best chain has no block, is no part of it if it is held under a tip that is no lower, or the same, the second time.
 *
 * @param operation asks for `block(stateHash: $stateHash)`, with the label beside it
 * @returns `depth` below the tip, at about the time when the node gave the block; `not-held` only where the node says so
 *   of this very block and of nothing else
 * @throws WireError for an answer that cannot be read or judged; `busy` when the chain changed in each round
 */
export async function findHeldBlock<Block extends ReadBlock>(
  operation: Operation<{ readonly block: Block }>,
  stateHash: string,
  query: QueryUpstream,
): Promise<HeldBlock<Block>> {
  let lastTip: NodeLabel | undefined
  for (let round = 0; round < mostRounds; round++) {
    const reply = await query(operation, { stateHash })
    const isNotHeld = saysOnly(reply, (message) => missingBlock(message) === stateHash)
    const { block } = isNotHeld ? { block: undefined } : dataOf(operation, { stateHash }, reply)
    const tip = tipOf(reply, operation.name)
    if (block === undefined) return { state: 'not-held', tipHeight: tip.height }

    const height = block.protocolState.consensusState.blockHeight
    const held = (canonical: boolean) => ({ state: 'held', block, canonical, depth: tip.height - height }) as const
    if (tip.stateHash === stateHash) return held(true)
    if (lastTip?.stateHash === tip.stateHash) return held(false)
    if (tip.height > height) {
      const parent = await parentAt(height + 1, query)
      if (parent !== undefined) return held(parent === stateHash)
    } else if (lastTip !== undefined && tip.height >= lastTip.height) {
      return held(false)
    }
    lastTip = tip
  }
  throw new WireError('busy', `${operation.name}: the best chain changed between two questions`)
}
