// The block of the best chain at a height, as long as a node's frontier holds it.
import { WireError } from '../upstream/errors.ts'
import { labelTip, nodeQuery, nodeTipQuery, nonEmptyChain } from '../upstream/node-query.ts'
import { called, listOf, nullable } from '../upstream/wire.ts'
import type { Driver } from './driver.ts'
import { findBlock, lookUp, maxRounds } from './look-up.ts'
import type { AskNode, BlockQuestions, HeldBlock, ReadBlock } from './port.ts'

/** The end of the best chain, its root included, which a question for a height does not find. */
export const chainEndQuery = nodeQuery('chainEnd', '$maxLength: Int!', {
  bestChain: called(
    'bestChain(maxLength: $maxLength)',
    nullable(listOf(labelTip)),
    (blocks, { maxLength }) => blocks === null || blocks.length <= Number(maxLength),
  ),
})

/** So near to the tip, a daemon that does not find a block may lag. A node converts each listed block. */
const maxLag = 30

const undecided = (height: number, tipHeight: number): WireError =>
  new WireError('busy', `no answer shows the block at height ${height}; the node's tip is at ${tipHeight}`)

const heightOf = ({ protocolState }: ReadBlock): number => protocolState.consensusState.blockHeight

/** The block that the node answers with, and the height of its tip. */
interface Shown<Block> {
  readonly block: Block
  readonly tipHeight: number
}

/** The block under the highest tip that a few rounds show, or undefined where the nodes find none. */
async function shownAt<Block>(
  driver: Driver,
  ask: AskNode,
  height: number,
  { byHeight }: BlockQuestions<Block>,
): Promise<Shown<Block> | undefined> {
  let shown: Shown<Block> | undefined
  for (let round = 0; round < maxRounds; round++) {
    const { block, tip } = await findBlock(driver, ask, { height }, byHeight)
    if (tip !== undefined && tip.height < height) {
      throw new WireError('mismatched', `${byHeight.name}: a block above its own tip at ${tip.height}`)
    }
    if (block !== undefined && tip !== undefined && tip.height >= (shown?.tipHeight ?? 0)) {
      shown = { block, tipHeight: tip.height }
    }
    if (shown === undefined || shown.tipHeight >= driver.shared.state.greatestHeight) break
  }
  return shown
}

/**
 * Looks up the block of the best chain at a height. A node looks along its best chain, so a block that it gives is
 * canonical under its tip; one under a lower tip than was seen before may be of the past. An absence means that the height
 * is above the tip, or at the root or below, or that the daemon lags: only an answer that shows which one counts.
 *
 * @returns `isBrief` where the block is shown under lower tips only
 * @throws WireError for an answer that cannot be read; `busy` when nothing shows where the height lies
 */
export async function lookUpHeight<Block extends ReadBlock>(
  driver: Driver,
  ask: AskNode,
  height: number,
  questions: BlockQuestions<Block>,
): Promise<HeldBlock<Block>> {
  const shown = await shownAt(driver, ask, height, questions)
  const { greatestHeight } = driver.shared.state
  if (shown !== undefined) {
    const { block, tipHeight } = shown
    return { state: 'held', block, canonical: true, isBrief: tipHeight < greatestHeight, depth: tipHeight - height }
  }
  const { label } = await ask(nodeTipQuery, {})
  if (label === undefined) throw new WireError('busy', `${questions.byHeight.name}: the node shows no tip`)
  const tipHeight = label.height
  if (height > tipHeight) {
    if (height <= driver.shared.state.greatestHeight) throw undecided(height, tipHeight)
    return { state: 'not-held', tipHeight }
  }
  const depth = tipHeight - height
  if (depth > maxLag) return { state: 'not-held', tipHeight }
  const maxLength = depth + maxRounds
  const { data } = await ask(chainEndQuery, { maxLength })
  const chain = nonEmptyChain(data?.bestChain ?? null)
  const [lowest] = chain
  const listed = chain.find((block) => heightOf(block) === height)
  if (listed !== undefined) return lookUp(driver, ask, listed.stateHash, questions.byStateHash)
  if (heightOf(lowest) < height || chain.length === maxLength) throw undecided(height, tipHeight)
  return { state: 'not-held', tipHeight }
}
