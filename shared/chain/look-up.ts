// A block that a node holds, and whether it is canonical, in questions that convert one block each. A node has no field
// for the latter, and a list of its whole best chain costs it the conversion of 290 blocks.
import { WireError } from '../upstream/errors.ts'
import { nodeQuery, nodeTipQuery } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { NodeLabel } from '../upstream/query.ts'
import { called, count, hash, shape, type Variables } from '../upstream/wire.ts'
import type { Driver } from './driver.ts'
import type { AskNode, HeldBlock, ReadBlock } from './port.ts'

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

/** The evidence of an answer about a place in the chain, and the height of the tip it was given under. */
interface Evidence {
  readonly isCanonical: boolean
  readonly tipHeight: number
}

const shownByTip = (tip: NodeLabel | undefined, stateHash: string, height: number): Evidence | undefined =>
  tip?.height === height ? { isCanonical: tip.stateHash === stateHash, tipHeight: height } : undefined

/** Behind one address, so many answers are about as good as one of each daemon. */
export const maxRounds = 3

/**
 * A block with the tip of the answer, or undefined where the nodes say that they do not hold it, three times where they
 * share an address.
 */
export async function findBlock<Block>(
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
