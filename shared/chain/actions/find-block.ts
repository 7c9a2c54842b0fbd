// A block that a node holds, by its hash or its height, and whether it is canonical, in questions that convert few blocks.
// A node has no field for the latter, and a list of its whole best chain costs it the conversion of 290 blocks.
import { WireError } from '../../upstream/errors.ts'
import { labelTip, nodeQuery, nodeTipQuery, nonEmptyChain } from '../../upstream/node-query.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { NodeLabel } from '../../upstream/query.ts'
import { called, count, hash, listOf, nullable, shape, type Variables } from '../../upstream/wire.ts'
import type { Driver } from '../driver.ts'
import type { AskNode, BlockQuestions, HeldBlock, ReadBlock } from '../port.ts'

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

/** The end of the best chain, its root included, which a question for a height does not find. */
export const chainEndQuery = nodeQuery('chainEnd', '$maxLength: Int!', {
  bestChain: called(
    'bestChain(maxLength: $maxLength)',
    nullable(listOf(labelTip)),
    (blocks, { maxLength }) => blocks === null || blocks.length <= Number(maxLength),
  ),
})

/** The evidence of an answer about a place in the chain, and the height of the tip it was given under. */
interface Evidence {
  readonly isCanonical: boolean
  readonly tipHeight: number
}

const shownByTip = (tip: NodeLabel | undefined, stateHash: string, height: number): Evidence | undefined =>
  tip?.height === height ? { isCanonical: tip.stateHash === stateHash, tipHeight: height } : undefined

/** Behind one address, so many answers are about as good as one of each daemon. */
const maxRounds = 3

/**
 * A block with the tip of the answer, or undefined where the nodes say that they do not hold it, three times where they
 * share an address.
 */
async function findBlock<Block>(
  { isShared }: Driver,
  ask: AskNode,
  variables: Variables,
  operation: Operation<{ readonly block: Block }>,
) {
  const first = await ask(operation, variables)
  if (first.data !== undefined || !isShared) return { block: first.data?.block, tip: first.label }
  const others = await Promise.all([1, 2].map(() => ask(operation, variables, true)))
  const found = others.find(({ data }) => data !== undefined)
  return { block: found?.data?.block, tip: found?.label ?? first.label }
}

/**
 * Looks up a block, and whether it is canonical. Only what an answer shows counts: this block or another one at its
 * height, or the parent of the best chain's block one higher. An absence says nothing but about the daemon that gave it,
 * and an answer under a lower tip than was seen before may be of the past.
 *
 * @returns `isBrief` where it is shown as canonical, but only under lower tips
 * @throws WireError for an answer that cannot be read; `busy` when nothing shows whether the block is canonical
 */
export async function lookUp<Block extends ReadBlock>(
  driver: Driver,
  ask: AskNode,
  stateHash: string,
  operation: Operation<{ readonly block: Block }>,
): Promise<HeldBlock<Block>> {
  const greatestHeight = () => driver.shared.state.greatestHeight
  const { block, tip: firstTip } = await findBlock(driver, ask, { stateHash }, operation)
  if (block === undefined) {
    if (firstTip === undefined) throw new WireError('busy', `${operation.name}: the node shows no tip`)
    return { state: 'not-held', tipHeight: firstTip.height }
  }
  const height = block.protocolState.consensusState.blockHeight
  let tip = firstTip
  let wasShown = false
  const held = (canonical: boolean, isBrief: boolean): HeldBlock<Block> => {
    return { state: 'held', block, canonical, isBrief, depth: Math.max(0, (tip?.height ?? height) - height) }
  }
  let evidence = shownByTip(tip, stateHash, height)
  for (let round = 0; ; round++) {
    if (evidence !== undefined && evidence.tipHeight >= greatestHeight()) return held(evidence.isCanonical, false)
    wasShown ||= evidence?.isCanonical === true
    if (round === maxRounds) break
    if (greatestHeight() > height) {
      const { data, label } = await ask(blockAtHeightQuery, { height: height + 1 })
      const parent = data?.block.protocolState.previousStateHash
      evidence = parent === undefined ? undefined : { isCanonical: parent === stateHash, tipHeight: label?.height ?? 0 }
      if (label !== undefined && label.height > (tip?.height ?? 0)) tip = label
    } else {
      const { label } = await ask(nodeTipQuery, {})
      evidence = shownByTip(label, stateHash, height)
      tip = label ?? tip
    }
  }
  if (wasShown) return held(true, true)
  throw new WireError('busy', `${operation.name}: no answer shows whether the block is canonical`)
}

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
  if (listed !== undefined) {
    const found = await lookUp(driver, ask, listed.stateHash, questions.byStateHash)
    // The chain has changed since.
    if (found.state === 'held' && !found.canonical) throw undecided(height, tipHeight)
    return found
  }
  if (heightOf(lowest) < height || chain.length === maxLength) throw undecided(height, tipHeight)
  return { state: 'not-held', tipHeight }
}
