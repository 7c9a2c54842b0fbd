// The right answers for the block at a height.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { tipIn } from '../bodies/best-chain.ts'
import { heightOf } from '../bodies/block-bodies.ts'
import { type Sent, sentIn } from '../sent/sent.ts'
import { list, text } from '../sent/values.ts'
import { answerTo, type Right, statuses } from './right.ts'
import { isUnsteady, rightBlock } from './right-block.ts'
import { rightFrontierBlock } from './right-blocks.ts'
import { askedByHeight, parentOf, rightOldBlock, successorsOf } from './right-old-block.ts'

/** So near to the tip, a block that a node does not find is looked for in the list of its best chain. */
const nearBlocks = 30n

/** The answers that are right because an answer says nothing that can be relied on. */
function rightInstead(sent: Sent): readonly Right[] {
  if (sent.state !== 'data') return statuses(...sent.statuses)
  const { broken, doubtful } = sent.findings
  if (broken.length > 0) return statuses(502)
  if (list(sent.data, 'bestChain').length === 0) return statuses(503)
  return doubtful.length > 0 ? statuses(502, 503) : []
}

/** The same of the node's block above another one, which it need not hold. */
const rightAbove = (sent: Sent): readonly Right[] => (sent.state === 'not-found' ? [] : rightInstead(sent))

const isUseless = (sent: Sent): boolean =>
  sent.state !== 'data' || sent.findings.broken.length > 0 || list(sent.data, 'bestChain').length === 0

/** A block that the node gives at the height, under its own tip. */
function rightGivenBlock(
  { data }: Sent,
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  height: bigint,
): readonly Right[] {
  const block = at(data, 'block')
  const tipHeight = heightOf(tipIn(data))
  if (heightOf(block) !== height || tipHeight < height) return statuses(502)
  const right = rightFrontierBlock(data, true, exchanges, text(block, 'stateHash'))
  if (!isUnsteady([...earlier, ...exchanges])) return right
  return [...right, ...right.map((one) => ({ ...one, isBrief: true })), ...statuses(503)]
}

/** The end of the best chain, where the height is near the tip: it shows the block, or that its root lies above. */
function rightAtEnd(
  chainEnd: Sent,
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  height: bigint,
): readonly Right[] | 'below' {
  if (isUseless(chainEnd)) return []
  const chain = list(chainEnd.data, 'bestChain')
  const listed = chain.find((block) => heightOf(block) === height)
  if (listed !== undefined) {
    const stateHash = text(listed, 'stateHash')
    // The list names the block, and the block above it another parent: no block is shown at the height.
    const isReplaced = successorsOf(exchanges, height).some((above) => parentOf(above) !== stateHash)
    const right = rightBlock(exchanges, earlier, stateHash, askedByHeight(height))
    return isReplaced ? [...right, ...statuses(503)] : right
  }
  const isFull = BigInt(chain.length) > heightOf(chain.at(-1)) - height + 1n
  return heightOf(chain[0]) < height || isFull ? statuses(503) : 'below'
}

export function rightBlockAtHeight(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  height: bigint,
): readonly Right[] {
  const looks = exchanges.filter(({ name }) => name === 'blockByHeight').map(sentIn)
  const troubles = looks.filter(({ state }) => state !== 'not-found').flatMap(rightInstead)
  const given = looks.find((sent) => sent.state === 'data' && !isUseless(sent))
  if (given !== undefined) return [...rightGivenBlock(given, exchanges, earlier, height), ...troubles]
  const tip = answerTo(exchanges, 'nodeTip')
  if (tip === undefined || isUseless(tip)) return [...troubles, ...(tip === undefined ? [] : rightInstead(tip))]
  const above = exchanges.filter(({ name }) => name === 'blockAtHeight').map(sentIn)
  const beside = [...troubles, ...rightInstead(tip), ...above.flatMap(rightAbove)]
  const tipHeight = heightOf(tipIn(tip.data))
  if (tipHeight < height)
    return [...statuses(404), ...(isUnsteady([...earlier, ...exchanges]) ? statuses(503) : []), ...beside]
  const chainEnd = answerTo(exchanges, 'chainEnd')
  if (tipHeight - height > nearBlocks) {
    return [...rightOldBlock(exchanges, askedByHeight(height), [tipHeight]), ...beside]
  }
  if (chainEnd === undefined) return beside
  const atEnd = rightAtEnd(chainEnd, exchanges, earlier, height)
  const rights = atEnd === 'below' ? rightOldBlock(exchanges, askedByHeight(height), [tipHeight]) : atEnd
  return [...rights, ...rightInstead(chainEnd), ...beside]
}
