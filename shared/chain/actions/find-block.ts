// Finds a block by its hash at a node, and judges from few other blocks if it is canonical: a node has no field for
// that, and listing its whole best chain would make it convert 290 blocks.
import { nodeBusy } from '../../upstream/errors.ts'
import { nodeQuery, nodeTipQuery } from '../../upstream/node-query.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Tip } from '../../upstream/query.ts'
import { called, count, hash, shape } from '../../upstream/wire.ts'
import { sampleSize } from '../address.ts'
import type { ChainView } from '../port.ts'
import type { ReadBlock } from './block-questions.ts'
import { sample } from './sample.ts'

/** `depth`: how far the block lay below the tip at about the time the node gave it. */
export type FoundBlock<Block> =
  | {
      readonly state: 'held'
      readonly block: Block
      readonly canonical: boolean
      readonly depth: number
      /** True if `canonical` may be reversed by the next answer. */
      readonly isBrief: boolean
      /** The tip under which `canonical` was shown. */
      readonly tip: Tip | undefined
    }
  | { readonly state: 'not-held'; readonly tip: Tip }

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

/** The state hash of a node's canonical block, with the tip of the answer that names it. */
export interface NamedByNode {
  readonly stateHash: string
  readonly tip: Tip
}

/** The evidence of an answer about a place in the chain, and the tip it was given under. */
interface Evidence {
  readonly isCanonical: boolean
  readonly tip: Tip | undefined
}

/** @returns the node's canonical block at a height; undefined if no answer has the next one */
export async function namedByNode(chain: ChainView, height: number): Promise<NamedByNode | undefined> {
  const { data, tip } = await sample(chain, blockAtHeightQuery, { height: height + 1 })
  return data && tip && { stateHash: data.block.protocolState.previousStateHash, tip }
}

function shownByTip(tip: Tip | undefined, stateHash: string, height: number): Evidence | undefined {
  return tip?.height === height ? { isCanonical: tip.stateHash === stateHash, tip } : undefined
}

/** The nodes' evidence about a place in the chain. */
interface Judged {
  readonly canonical: boolean
  /** True if `canonical` may be reversed by the next answer. */
  readonly isBrief: boolean
  /** The highest that was seen. */
  readonly tip: Tip | undefined
  /** The tip of the answer that shows it. */
  readonly shownUnder: Tip | undefined
}

/**
 * Asks the nodes whether a block is canonical, whoever holds it.
 *
 * @param firstTip of an earlier answer of this request, if there was one
 * @returns undefined if nothing shows it in a few rounds
 * @throws WireError when no node answers
 */
export async function judgeBlock(
  chain: ChainView,
  stateHash: string,
  height: number,
  firstTip?: Tip,
): Promise<Judged | undefined> {
  let tip = firstTip
  let best: Evidence | undefined
  let evidence = shownByTip(tip, stateHash, height)
  const isBrief = (shown: Evidence) => chain.isStaleHeight(shown.tip?.height ?? 0)
  for (let round = 0; ; round++) {
    const isSure = evidence !== undefined && !isBrief(evidence)
    if (isSure || evidence?.isCanonical === true) best = evidence
    if (isSure || round === sampleSize) break
    if (chain.isStaleHeight(height)) {
      // The next block names its parent.
      const { data, tip: shown } = await chain.request(blockAtHeightQuery, { height: height + 1 })
      evidence = data && { isCanonical: data.block.protocolState.previousStateHash === stateHash, tip: shown }
      if (shown !== undefined && shown.height > (tip?.height ?? 0)) tip = shown
    } else {
      const { tip: shown } = await chain.request(nodeTipQuery, {})
      evidence = shownByTip(shown, stateHash, height)
      tip = shown ?? tip
    }
  }
  return best && { canonical: best.isCanonical, isBrief: isBrief(best), tip, shownUnder: best.tip }
}

/**
 * Looks up a block, and whether it is canonical. Only what an answer shows counts: this block or another one at its
 * height, or the parent of the best chain's block one higher. An absence says something only about its daemon,
 * and an answer under a lower tip than was seen before may be outdated.
 *
 * @param operation asks for `block(stateHash: $stateHash)`
 * @returns `isBrief` if it is shown as canonical, but only under lower tips
 * @throws WireError for an answer that cannot be read; `busy` when nothing shows whether the block is canonical
 */
export async function findBlock<Block extends ReadBlock>(
  chain: ChainView,
  stateHash: string,
  operation: Operation<{ readonly block: Block }>,
): Promise<FoundBlock<Block>> {
  const { data, tip: firstTip } = await sample(chain, operation, { stateHash })
  if (data === undefined) {
    if (firstTip === undefined) throw nodeBusy(`${operation.name}: the node shows no tip`)
    return { state: 'not-held', tip: firstTip }
  }
  const { block } = data
  const height = block.protocolState.consensusState.blockHeight
  const judged = await judgeBlock(chain, stateHash, height, firstTip)
  if (judged !== undefined) {
    const { canonical, isBrief, tip, shownUnder } = judged
    const depth = Math.max(0, (tip?.height ?? height) - height)
    return { state: 'held', block, canonical, isBrief, depth, tip: shownUnder }
  }
  throw nodeBusy(`${operation.name}: no answer shows whether the block is canonical`)
}
