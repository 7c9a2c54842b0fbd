// The block of the best chain at a height. A node searches its best chain, so the block it gives is canonical under its
// tip.
import { nodeBusy, WireError } from '../../upstream/errors.ts'
import { nodeQuery, nodeTipQuery, nonEmptyChain, tipBlock } from '../../upstream/node-query.ts'
import type { Tip } from '../../upstream/query.ts'
import { called, listOf, nullable } from '../../upstream/wire.ts'
import { sampleSize } from '../address.ts'
import type { ChainView } from '../port.ts'
import type { BlockQuestions, ReadBlock } from './block-questions.ts'
import { type FoundBlock, findBlock } from './find-block.ts'
import { blockHeightOf } from './linked-blocks.ts'
import { sample } from './sample.ts'

/** The end of the best chain, its root included, which a question for a height does not find. */
export const chainEndQuery = nodeQuery('chainEnd', '$maxLength: Int!', {
  bestChain: called(
    'bestChain(maxLength: $maxLength)',
    nullable(listOf(tipBlock)),
    (blocks, { maxLength }) => blocks === null || blocks.length <= Number(maxLength),
  ),
})

/** Extra blocks to list, because the tip may advance between two answers. */
const maxAdvance = 3

/** This close to the tip, a daemon that finds no block may lag, so its chain is listed. More would cost it too much. */
const maxLag = 30

const undecided = (height: number, tipHeight: number): WireError =>
  nodeBusy(`no answer shows the block at height ${height}; the node's tip is at ${tipHeight}`)

/** The block that the node answers with, and its tip. */
interface Shown<Block> {
  readonly block: Block
  readonly tip: Tip
}

/** The block under the highest tip that a few rounds show, or undefined if the nodes find none. */
async function shownAt<Block>(
  chain: ChainView,
  height: number,
  { byHeight }: BlockQuestions<Block>,
): Promise<Shown<Block> | undefined> {
  let shown: Shown<Block> | undefined
  for (let round = 0; round < sampleSize; round++) {
    const { data, tip } = await sample(chain, byHeight, { height })
    if (tip !== undefined && tip.height < height) {
      throw new WireError('mismatched', `${byHeight.name}: a block above its own tip at ${tip.height}`)
    }
    if (data && tip && tip.height >= (shown?.tip.height ?? 0)) shown = { block: data.block, tip }
    if (shown === undefined || !chain.isStaleHeight(shown.tip.height)) break
  }
  return shown
}

/**
 * Looks up the block of the best chain at a height. Under a lower tip than was seen before it may be outdated. An
 * absence means that the height is above the tip, or at the root or below, or that the daemon lags: only an answer that
 * shows which counts.
 *
 * @returns `isBrief` if the block is shown under lower tips only; `not-held` for a height above the tip, or below the
 *   frontier
 * @throws WireError for an answer that cannot be read; `busy` if nothing shows where the height is
 */
export async function findBlockAtHeight<Block extends ReadBlock>(
  chain: ChainView,
  height: number,
  questions: BlockQuestions<Block>,
): Promise<FoundBlock<Block>> {
  const shown = await shownAt(chain, height, questions)
  if (shown !== undefined) {
    const { block, tip } = shown
    const isBrief = chain.isStaleHeight(tip.height)
    return { state: 'held', block, canonical: true, isBrief, depth: tip.height - height, tip }
  }
  const { tip } = await chain.request(nodeTipQuery, {})
  if (tip === undefined) throw nodeBusy(`${questions.byHeight.name}: the node shows no tip`)
  const tipHeight = tip.height
  if (height > tipHeight) {
    if (chain.isStaleHeight(height - 1)) throw undecided(height, tipHeight)
    return { state: 'not-held', tip }
  }
  const depth = tipHeight - height
  if (depth > maxLag) return { state: 'not-held', tip }
  const maxLength = depth + maxAdvance
  const { data } = await chain.request(chainEndQuery, { maxLength })
  const blocks = nonEmptyChain(data?.bestChain ?? null)
  const [lowest] = blocks
  const listed = blocks.find((block) => blockHeightOf(block) === height)
  if (listed !== undefined) {
    const found = await findBlock(chain, listed.stateHash, questions.byStateHash)
    // The chain has changed since, or another daemon answered.
    if (found.state === 'not-held' || !found.canonical) throw undecided(height, tipHeight)
    return found
  }
  if (blockHeightOf(lowest) < height || blocks.length === maxLength) throw undecided(height, tipHeight)
  return { state: 'not-held', tip }
}
