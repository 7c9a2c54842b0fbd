// What is right for one block by its hash.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { indexerBlockBody } from '../bodies/old-block-body.ts'
import { digitsOf } from '../sent/scalars.ts'
import { isReadable, type Sent, sentIn } from '../sent/sent.ts'
import { list } from '../sent/values.ts'
import { lacksConstantsOnly, lastSent, type Right, shown, statuses } from './right.ts'
import { rightFrontierBlock } from './right-blocks.ts'

/** Of a block that may still change. */
const longestNotFinalSeconds = 1800

/** Whether the indexer names two receivers, or a reason of failure for a command that it calls applied, or none for a failed one. */
const isContradictory = (command: unknown): boolean => {
  const named = [at(command, 'receiver_account', 'publicKey'), at(command, 'to')]
  const namesTwo = named.every((key) => typeof key === 'string') && named[0] !== named[1]
  const isZkapp = at(command, 'kind') === 'ZKAPP'
  return !isZkapp && (namesTwo || at(command, 'isApplied') !== (at(command, 'failureReason') === null))
}

/** A block that the node does not hold: only the indexer can know it. */
function rightOldBlock(exchanges: readonly Exchange[], stateHash: string): readonly Right[] {
  const answers = exchanges.filter(({ upstream }) => upstream === 'indexer').map(sentIn)
  if (!answers.every(isReadable)) return statuses(503)
  const found = answers.map(({ data }) => ({ block: at(data, 'block'), tip: at(data, 'tip') }))
  if (found.length === 0 || found.some(({ tip }) => tip === null)) return statuses(503)
  const isDoubted = answers.some(({ findings }) => findings.doubtful.length > 0)
  if (found.every(({ block }) => block === null)) return isDoubted ? statuses(404, 503) : statuses(404)
  // Asked twice, it said both.
  if (found.some(({ block }) => block === null)) return statuses(404, 503)

  const isOther = found.some(({ block }) => (at(block, 'stateHash') ?? stateHash) !== stateHash)
  if (isOther) return statuses(502, 503)
  const full = found.find(({ block }) => at(block, 'transactions') !== undefined)
  if (full === undefined) return statuses(503)
  const genesis = lastSent(exchanges, 'node', 'genesisBlock')
  if (genesis === undefined) return []
  if (genesis.state !== 'data') return statuses(...genesis.statuses)
  const { broken, doubtful } = genesis.findings
  if (broken.length > 0 && !lacksConstantsOnly(broken)) return statuses(502)
  const genesisHash = at(genesis.data, 'genesisBlock', 'stateHash')
  // A block of another chain is none of this one; whether the indexer's word is worth anything then is open.
  if (at(full.tip, 'genesisStateHash') !== genesisHash) return statuses(404, 502, 503)
  if (list(full.block, 'transactions', 'userCommands').some(isContradictory)) return statuses(502, 503)
  const body = shown(() => ({ block: indexerBlockBody(full.block) }))
  const isDoubtful =
    isDoubted ||
    broken.length + doubtful.length > 0 ||
    at(full.block, 'genesisStateHash') !== genesisHash ||
    at(full.block, 'protocolState', 'consensusState', 'blockHeight') !==
      at(full.block, 'protocolState', 'consensusState', 'blockchainLength')
  // Without the network's k nobody knows that the block is final.
  const longest = broken.length > 0 && { longestSeconds: longestNotFinalSeconds }
  const right = body === undefined ? [] : [{ status: 200, body, missing: [], ...longest }]
  return right.length === 0 || isDoubtful ? [...right, ...statuses(502, 503)] : right
}

/** What the node sent beside the block: its tips, and the block of the best chain one higher. */
const besideBlock = (exchanges: readonly Exchange[]): readonly (readonly [Exchange, Sent])[] =>
  exchanges
    .filter(({ upstream, document }) => upstream === 'node' && /bestChain|block\(height:/.test(document))
    .filter(({ document }) => !/block\(stateHash:|genesisBlock/.test(document))
    .map((exchange) => [exchange, sentIn(exchange)] as const)

/** What is right besides the block, or instead of it, because of what was sent beside it. */
function rightBeside(beside: readonly (readonly [Exchange, Sent])[]): readonly Right[] {
  return beside.flatMap(([{ variables }, sent]) => {
    // Each tip above a block that the best chain does not have there: the chain changes, or the node contradicts itself.
    if (sent.state === 'not-found') return statuses(503)
    if (sent.state === 'trouble') return statuses(...sent.statuses)
    const { broken, doubtful } = sent.findings
    if (broken.length > 0) return statuses(502)
    const hasNoTip = at(sent.data, 'bestChain') !== undefined && list(sent.data, 'bestChain').length === 0
    const sentHeight = at(sent.data, 'block', 'protocolState', 'consensusState', 'blockHeight')
    const isOther = sentHeight !== undefined && digitsOf(sentHeight) !== digitsOf(variables.height)
    return [
      ...(hasNoTip ? statuses(503) : []),
      ...(isOther ? statuses(502) : []),
      ...(doubtful.length > 0 ? statuses(502, 503) : []),
    ]
  })
}

/** Whether the block is on the best chain: it is a tip, or the parent of the chain's block one higher. */
function isCanonical(beside: readonly (readonly [Exchange, Sent])[], stateHash: string): boolean {
  const tips = beside.map(([, { data }]) => at(data, 'bestChain', 0, 'stateHash'))
  const parents = beside.map(([, { data }]) => at(data, 'block', 'protocolState', 'previousStateHash'))
  const parent = parents.findLast((hash) => hash !== undefined)
  return parent === undefined ? tips.includes(stateHash) : parent === stateHash
}

export function rightBlock(exchanges: readonly Exchange[], stateHash: string): readonly Right[] {
  const node = lastSent(exchanges, 'node', 'block(stateHash:')
  const beside = besideBlock(exchanges)
  const others = rightBeside(beside)
  if (node === undefined) return others
  const isCertain = beside.every(
    ([, sent]) => sent.state !== 'trouble' && !(sent.state === 'data' && sent.findings.broken.length > 0),
  )
  if (node.state === 'trouble') return [...statuses(...node.statuses), ...others]
  if (node.state === 'not-found') {
    return [...(isCertain ? rightOldBlock(exchanges, stateHash) : []), ...statuses(...node.statuses), ...others]
  }
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return [...statuses(502), ...others]
  const right = isCertain ? rightFrontierBlock(node.data, isCanonical(beside, stateHash), exchanges, stateHash) : []
  return [...right, ...(doubtful.length > 0 ? statuses(502) : []), ...others]
}
