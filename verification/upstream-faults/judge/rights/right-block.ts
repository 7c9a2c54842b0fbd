// The right answers for one block by its hash.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { tipHeights } from '../bodies/best-chain.ts'
import { heightOf } from '../bodies/block-bodies.ts'
import { digitsOf } from '../sent/scalars.ts'
import { type Sent, sentIn } from '../sent/sent.ts'
import { list } from '../sent/values.ts'
import { answerTo, type Right, statuses } from './right.ts'
import { rightFrontierBlock } from './right-blocks.ts'
import { type Asking, askedByHash, rightOldBlock } from './right-old-block.ts'

type Beside = readonly (readonly [Exchange, Sent])[]

/** The other answers of the node: its tips, and the block of the best chain one higher. */
const besideBlock = (exchanges: readonly Exchange[]): Beside =>
  exchanges
    .filter(({ name }) => name === 'nodeTip' || name === 'blockAtHeight')
    .map((exchange) => [exchange, sentIn(exchange)])

/** The answers that are right besides the block, or instead of it, because of these other answers. */
function rightBeside(beside: Beside): readonly Right[] {
  return beside.flatMap(([{ variables }, sent]) => {
    // The best chain has no block there although its tip is higher: the chain changes, or the node contradicts itself.
    if (sent.state === 'not-found') return statuses(503)
    if (sent.state === 'trouble') return statuses(...sent.statuses)
    const { broken, doubtful } = sent.findings
    if (broken.length > 0) return statuses(502)
    const hasNoTip = at(sent.data, 'bestChain') !== undefined && list(sent.data, 'bestChain').length === 0
    const date = digitsOf(at(sent.data, 'bestChain', 0, 'protocolState', 'blockchainState', 'date')) ?? '0'
    const sentHeight = at(sent.data, 'block', 'protocolState', 'consensusState', 'blockHeight')
    const isOther = sentHeight !== undefined && digitsOf(sentHeight) !== digitsOf(variables.height)
    return [
      // Nobody has to believe a tip that is dated ahead of the clock.
      ...(hasNoTip || BigInt(date) > BigInt(Date.now()) ? statuses(503) : []),
      ...(isOther ? statuses(502) : []),
      ...(doubtful.length > 0 ? statuses(502, 503) : []),
    ]
  })
}

/** True if the block is on the best chain: it is a tip, or the parent of the chain's block one higher. */
function isCanonical(beside: Beside, stateHash: string): boolean {
  const tips = beside.map(([, { data }]) => at(data, 'bestChain', 0, 'stateHash'))
  const parents = beside.map(([, { data }]) => at(data, 'block', 'protocolState', 'previousStateHash'))
  const parent = parents.findLast((hash) => hash !== undefined)
  return parent === undefined ? tips.includes(stateHash) : parent === stateHash
}

/** True if every shown tip lies below the block, so that the answers do not show if it is canonical. */
function isAboveTips(beside: Beside, node: Sent): boolean {
  const height = heightOf(at(node.data, 'block'))
  const shown = [...beside.map(([, sent]) => sent), node].map(({ data }) => at(data, 'bestChain', 0))
  const tips = shown.filter((tip) => tip !== undefined)
  return tips.every((tip) => heightOf(tip) < height)
}

/** True if the answers show tips of different heights: an answer under the lower one may be outdated. */
export function isUnsteady(exchanges: readonly Exchange[]): boolean {
  return new Set(tipHeights(exchanges)).size > 1
}

/** One of three daemons that are asked for an unknown block may be in trouble. */
const troubleOfOne = (exchanges: readonly Exchange[]): readonly Right[] =>
  exchanges
    .filter(({ name }) => name === 'blockByStateHash')
    .map(sentIn)
    .flatMap((sent) => (sent.state === 'trouble' ? statuses(...sent.statuses) : []))

export function rightBlock(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  stateHash: string,
  asking: Asking = askedByHash(stateHash),
): readonly Right[] {
  const node = answerTo(exchanges, 'blockByStateHash')
  const beside = besideBlock(exchanges)
  const others = rightBeside(beside)
  if (node === undefined) return others
  const isCertain = beside.every(
    ([, sent]) => sent.state !== 'trouble' && !(sent.state === 'data' && sent.findings.broken.length > 0),
  )
  if (node.state === 'trouble') return [...statuses(...node.statuses), ...others]
  if (node.state === 'not-found') {
    const tips = beside.map(([, { data }]) => at(data, 'bestChain', 0)).filter((tip) => tip !== undefined)
    const old = isCertain ? rightOldBlock(exchanges, asking, tips.map(heightOf)) : []
    return [...old, ...statuses(...node.statuses), ...others, ...troubleOfOne(exchanges)]
  }
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return [...statuses(502), ...others]
  const isUndecided = isCertain && isAboveTips(beside, node)
  if (isUndecided) return [...statuses(503, ...(doubtful.length > 0 ? [502] : [])), ...others]
  const right = isCertain ? rightFrontierBlock(node.data, isCanonical(beside, stateHash), exchanges, stateHash) : []
  const unsteady = isUnsteady([...earlier, ...exchanges])
    ? [...right.map((one) => ({ ...one, isBrief: true })), ...statuses(503)]
    : []
  return [...right, ...unsteady, ...(doubtful.length > 0 ? statuses(502) : []), ...others]
}
