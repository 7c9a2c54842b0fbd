// A block that a node holds: whether it does, and whether the block is on its best chain, in questions that convert one
// block each. A node has no field for the latter, and a list of its whole best chain costs it the conversion of 290 blocks.
import { WireError } from './errors.ts'
import { missingBlock, missingHeight } from './node-errors.ts'
import type { NodeLabel } from './node-label.ts'
import { currentTip, nodeQuery } from './node-query.ts'
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
  | { readonly state: 'not-held' }

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
 * Whether a held block is on the node's best chain. The tip is. A block below it is when it is the parent of the best
 * chain's block one higher: asked for its own height, a node does not find the root of its frontier, which is canonical
 * too. A block at or above the tip's height is not, unless it is the tip. That is believed only of a tip that was asked
 * for after the block had been found: the block may have arrived after the first tip was read.
 *
 * @param seen the node's tip at about the time when it gave the block
 * @throws WireError `busy` when the chain changed under each question
 */
async function isOnBestChain(
  stateHash: string,
  height: number,
  seen: NodeLabel,
  query: QueryUpstream,
): Promise<boolean> {
  let tip = seen
  let isLater = false
  for (let round = 0; round < mostRounds; round++) {
    if (tip.stateHash === stateHash) return true
    if (tip.height > height) {
      const parent = await parentAt(height + 1, query)
      if (parent !== undefined) return parent === stateHash
    } else if (isLater) {
      return false
    }
    const next = await currentTip(query)
    isLater = next.height >= tip.height
    tip = next
  }
  throw new WireError('busy', 'the best chain changed between two questions')
}

/**
 * Looks a block up at a node.
 *
 * @param operation asks for `block(stateHash: $stateHash)`, with the label beside it
 * @returns `depth` below the tip, at about the time when the node gave the block; `not-held` only where the node says so
 *   of this very block and of nothing else
 * @throws WireError for an answer that cannot be read or judged
 */
export async function findHeldBlock<Block extends ReadBlock>(
  operation: Operation<{ readonly block: Block }>,
  stateHash: string,
  query: QueryUpstream,
): Promise<HeldBlock<Block>> {
  const reply = await query(operation, { stateHash })
  if (saysOnly(reply, (message) => missingBlock(message) === stateHash)) {
    tipOf(reply, operation.name)
    return { state: 'not-held' }
  }
  const { block } = dataOf(operation, { stateHash }, reply)
  const tip = tipOf(reply, operation.name)
  const height = block.protocolState.consensusState.blockHeight
  const canonical = await isOnBestChain(stateHash, height, tip, query)
  return { state: 'held', block, canonical, depth: tip.height - height }
}
