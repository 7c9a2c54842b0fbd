// The right answers for a block that the node does not hold: only the indexer can know it.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { heightOf } from '../bodies/block-bodies.ts'
import { indexerBlockBody, isBeforeBerkeley, isZkapp, listsZkapps, zkappCommandOf } from '../bodies/old-block-body.ts'
import { isCut } from '../bodies/zkapp-commands.ts'
import { isReadable, sentIn } from '../sent/sent.ts'
import { flag, integer, list } from '../sent/values.ts'
import { answerTo, lacksConstantsOnly, ofOtherChain, type Right, shown, statuses } from './right.ts'

/** Of a block that may still change. */
const maxNotFinalSeconds = 1800

/** So near to the node's tip, the indexer has all that the node has forgotten. */
const farBlocks = 10n

/** So near to its tip, an indexer may still prefer a sibling of a block. */
const nearBlocks = 10n

const distance = (left: bigint, right: bigint): bigint => (left > right ? left - right : right - left)

/** True if the indexer names two receivers, or no account that a zkApp command updates, or a reason of failure without a failure, or a failure without a reason. */
export const isContradictory = (command: unknown): boolean => {
  const named = [at(command, 'receiver_account', 'publicKey'), at(command, 'to')]
  const namesTwo = named.every((key) => typeof key === 'string') && named[0] !== named[1]
  if (at(command, 'isApplied') !== (at(command, 'failureReason') === null)) return true
  return isZkapp(command) ? at(command, 'zkapp') === null : namesTwo
}

/** The node's chain and its k, or the right answers if the node does not tell. */
function chainOf(exchanges: readonly Exchange[]) {
  const sent = answerTo(exchanges, 'nodeGenesis')
  if (sent?.state !== 'data') return { rights: sent === undefined ? [] : statuses(...sent.statuses) }
  const { broken, doubtful } = sent.findings
  const hasNoK = lacksConstantsOnly(broken)
  if (broken.length > 0 && !hasNoK) return { rights: statuses(502) }
  return {
    genesisHash: at(sent.data, 'genesisBlock', 'stateHash'),
    k: hasNoK ? undefined : integer(sent.data, 'daemonStatus', 'consensusConfiguration', 'k'),
    isDoubtful: broken.length + doubtful.length > 0,
  }
}

/** The genesis blocks that the node names. With two, its answers are of another network, or cannot be read. */
function genesesOf(exchanges: readonly Exchange[]): ReadonlySet<unknown> {
  const answers = exchanges.filter(({ upstream }) => upstream === 'node').map((exchange) => sentIn(exchange).data)
  const named = answers.map((data) => at(data, 'genesisBlock', 'stateHash'))
  return new Set(named.filter((hash) => hash !== undefined))
}

const contradictsGenesis = (exchanges: readonly Exchange[]): boolean => genesesOf(exchanges).size > 1

/** The right answers to a hash that nobody knows: the contract's 404, unless the node names it as a hard fork's parent. */
function rightUnknown(stateHash: string, exchanges: readonly Exchange[]): readonly Right[] {
  const sent = answerTo(exchanges, 'genesisParent')
  if (sent === undefined) return []
  if (sent.state !== 'data') return statuses(...sent.statuses)
  if (sent.findings.broken.length > 0) return statuses(502)
  const genesis = at(sent.data, 'genesisBlock', 'protocolState')
  const isForked = integer(genesis, 'consensusState', 'blockHeight') > 1n
  const isParent = isForked && at(genesis, 'previousStateHash') === stateHash
  const doubts = sent.findings.doubtful.length > 0 || contradictsGenesis(exchanges) ? statuses(404, 502, 503) : []
  return [...statuses(isParent ? 503 : 404), ...doubts]
}

/** The chain has a block at each height below its tip, so an indexer that shows none has a hole or begins above it. */
function rightHole(exchanges: readonly Exchange[]): readonly Right[] {
  const asked = ['nodeGenesis', 'forkParent', 'forkParentAtIndexer'].map((name) => answerTo(exchanges, name))
  const troubles = asked.flatMap((sent) => {
    if (sent === undefined) return []
    if (sent.state !== 'data') return sent.statuses
    return sent.findings.broken.length + sent.findings.doubtful.length > 0 ? [502] : []
  })
  return statuses(503, ...troubles)
}

/** The right answers if the indexer does not have the block: its tip decides if such a block exists. */
function rightAbsence(
  { stateHash }: Asking,
  tip: unknown,
  exchanges: readonly Exchange[],
  nodeHeight: bigint,
): readonly Right[] {
  if (stateHash === undefined) return rightHole(exchanges)
  const height = integer(tip, 'blockHeight')
  const unknown = rightUnknown(stateHash, exchanges)
  if (distance(height, nodeHeight) <= farBlocks) return unknown
  const chain = chainOf(exchanges)
  if (chain.rights !== undefined) return chain.rights
  const isOther = at(tip, 'genesisStateHash') !== chain.genesisHash
  const isBehind = height < nodeHeight - (chain.k ?? 0n)
  return [...(isOther || isBehind ? statuses(503) : unknown), ...(chain.isDoubtful ? statuses(404, 502, 503) : [])]
}

/** The lengths of the staking epoch that may be shown, and for each if a later answer could show more. */
function epochLengths(block: unknown, exchanges: readonly Exchange[]) {
  const consensus = at(block, 'protocolState', 'consensusState')
  const unknown = { epochLength: undefined, isLasting: true }
  const notYet = { epochLength: undefined, isLasting: false }
  if (integer(consensus, 'epoch') === 0n) return [{ epochLength: 1n, isLasting: true }]
  const endHeight = heightOf(block) - integer(consensus, 'nextEpochData', 'epochLength')
  if (!flag(block, 'canonical') || endHeight < 1n) return [unknown]
  const sent = answerTo(exchanges, 'epochEndAt')
  if (sent === undefined) return []
  if (!isReadable(sent)) return [notYet]
  const ends = list(sent.data, 'blocks')
  const isOther = ends.some((end) => !flag(end, 'canonical') || integer(end, 'blockHeight') !== endHeight)
  if (ends.length > 1 || isOther) return [notYet]
  const ended = at(ends, 0, 'protocolState', 'consensusState')
  const isEnd =
    ended !== undefined &&
    at(ends, 0, 'genesisStateHash') === at(block, 'genesisStateHash') &&
    // Both as the indexer counts.
    integer(ended, 'epoch') < integer(at(block, 'indexedEpoch') ?? at(consensus, 'epoch'))
  if (!isEnd) return [unknown, notYet]
  const known = { epochLength: integer(ended, 'nextEpochData', 'epochLength'), isLasting: true }
  return sent.findings.doubtful.length > 0 ? [known, unknown, notYet] : [known]
}

/** What the indexer does not show of a block's zkApp commands. */
function missingOfZkapps(block: unknown): readonly string[] {
  if (!listsZkapps(block)) return ['transactions.zkappCommands']
  const zkapps = list(block, 'transactions', 'userCommands').filter(isZkapp)
  const missing = [
    ...(zkapps.some((one) => isCut(zkappCommandOf(one))) ? ['balanceChanges'] : []),
    ...(zkapps.some((one) => flag(one, 'isApplied')) ? ['balanceChanges.implicitAccountCreationFee'] : []),
  ]
  return missing.map((field) => `transactions.zkappCommands.${field}`)
}

export const parentOf = (block: unknown): unknown => at(block, 'protocolState', 'previousStateHash')

/** The blocks above this height that the node's answers show on its best chain. */
export function successorsOf(exchanges: readonly Exchange[], height: bigint): readonly unknown[] {
  const answers = exchanges.filter(({ name }) => name === 'blockAtHeight').map((exchange) => sentIn(exchange))
  const blocks = answers.filter(isReadable).map(({ data }) => at(data, 'block'))
  return blocks.filter((block) => block !== undefined && heightOf(block) === height + 1n)
}

/**
 * The ways in which `canonical` may read: near the indexer's tip by the node's block above.
 *
 * @returns none where nothing shows it
 */
function canonicalWays(block: unknown, tipHeight: bigint, exchanges: readonly Exchange[]): readonly boolean[] {
  if (heightOf(block) <= tipHeight - nearBlocks) return [flag(block, 'canonical')]
  const parents = successorsOf(exchanges, heightOf(block)).map(parentOf)
  return [...new Set(parents.map((parent) => parent === at(block, 'stateHash')))]
}

/** True if the node's blocks show that the indexer is on another branch: it calls canonical none of those that they name. */
function isOnOtherBranch(data: unknown, exchanges: readonly Exchange[]): boolean {
  const answers = exchanges.filter(({ name }) => name === 'blockAtHeight').map((exchange) => sentIn(exchange))
  const named = answers.filter(isReadable).map((sent) => parentOf(at(sent.data, 'block')))
  return named.length > 0 && !named.includes(at(data, 'proof', 0, 'stateHash'))
}

/** The block in each way in which it may be shown. */
function rightBodies(block: unknown, exchanges: readonly Exchange[]): readonly Right[] {
  // zkApp commands that the block counts and does not list are asked for apart, and no answer here adds any: a later one may.
  const mayListMore = !listsZkapps(block) && answerTo(exchanges, 'zkappsApart') !== undefined
  return epochLengths(block, exchanges).flatMap(({ epochLength, isLasting }): readonly Right[] => {
    const body = shown(() => ({ block: indexerBlockBody(block, epochLength) }))
    const missing = [
      ...(isBeforeBerkeley(block) ? [] : ['protocolState.blockchainState.snarkedLedgerHash']),
      ...(epochLength === undefined ? ['protocolState.consensusState.stakingEpochData.epochLength'] : []),
      ...missingOfZkapps(block),
    ]
    if (body === undefined) return []
    const right = { status: 200, body, missing }
    return mayListMore
      ? [
          { ...right, isLasting: false },
          { ...right, isLasting: true },
        ]
      : [{ ...right, isLasting }]
  })
}

/** The block with epoch and slot by the node's clock; undefined for one that it cannot have. */
function atClock(block: unknown, clock: unknown): unknown {
  const state = at(block, 'protocolState', 'consensusState')
  const perEpoch = integer(clock, 'daemonStatus', 'consensusConfiguration', 'slotsPerEpoch')
  const genesis = integer(clock, 'genesisBlock', 'protocolState', 'consensusState', 'slotSinceGenesis')
  const since = integer(state, 'slotSinceGenesis') - genesis
  if (perEpoch < 1n || since < 0n) return undefined
  const consensusState = { ...Object(state), epoch: String(since / perEpoch), slot: String(since % perEpoch) }
  const protocolState = { ...Object(at(block, 'protocolState')), consensusState }
  return { ...Object(block), protocolState, indexedEpoch: at(state, 'epoch') }
}

/** The way in which the indexer is asked for a block. */
export interface Asking {
  readonly full: string
  /** The question whether it has the block. */
  readonly light: string
  /** The request names the one or the other. */
  readonly height?: bigint
  readonly stateHash?: string
  /** In an answer's data; null for none. */
  blockIn(data: unknown): unknown
  isAsked(block: unknown): boolean
}

export const askedByHash = (stateHash: string): Asking => ({
  full: 'indexedBlock',
  light: 'receivedTimeOf',
  stateHash,
  blockIn: (data) => at(data, 'block'),
  isAsked: (block) => at(block, 'stateHash') === stateHash,
})

const heightIn = (block: unknown): bigint =>
  at(block, 'blockHeight') === undefined ? heightOf(block) : integer(block, 'blockHeight')

export const askedByHeight = (height: bigint): Asking => ({
  full: 'indexedBlockAt',
  light: 'receivedTimesAt',
  height,
  blockIn(data) {
    const blocks = list(data, 'blocks')
    // One of another height, or an orphan among canonical ones, answers something else.
    const isFull = blocks.some((block) => at(block, 'protocolState') !== undefined)
    return blocks.find((block) => isFull || heightIn(block) !== height || flag(block, 'canonical')) ?? null
  },
  isAsked: (block) => heightIn(block) === height && flag(block, 'canonical'),
})

/** @param nodeHeights of the tips that the node showed */
export function rightOldBlock(
  exchanges: readonly Exchange[],
  asking: Asking,
  nodeHeights: readonly bigint[],
): readonly Right[] {
  const full = answerTo(exchanges, asking.full)
  const sent = full ?? answerTo(exchanges, asking.light)
  if (!isReadable(sent)) return statuses(503)
  const [block, tip, isDoubted] = [asking.blockIn(sent.data), at(sent.data, 'tip'), sent.findings.doubtful.length > 0]
  if (tip === null) return statuses(503)
  if (block !== null && !asking.isAsked(block)) return statuses(502, 503)
  const askedHeight = asking.height ?? (full && block !== null ? heightOf(block) : undefined)
  const isNear = askedHeight !== undefined && askedHeight > integer(tip, 'blockHeight') - nearBlocks
  const parent = answerTo(exchanges, 'forkParent')
  if (parent !== undefined) {
    const geneses = genesesOf(exchanges)
    const isOther = !geneses.has(at(tip, 'genesisStateHash')) || geneses.size > 1
    if (isOther) return ofOtherChain(exchanges, statuses(503))
    // A fork may lie below blocks near the tip, and an orphan may be of the chain before it.
    const isOrphan = full !== undefined && block !== null && !flag(block, 'canonical')
    const isHole = block === null && asking.height !== undefined
    if (!isNear && !isOrphan && !isHole) return []
    if (parent.state !== 'data') return statuses(...parent.statuses)
    if (parent.findings.broken.length > 0) return statuses(502)
  }
  if (isNear && asking.height !== undefined) return statuses(503, ...(isDoubted ? [502] : []))
  if (block === null) {
    const absence = nodeHeights.flatMap((height) => rightAbsence(asking, tip, exchanges, height))
    return isDoubted ? [...absence, ...statuses(503)] : absence
  }
  if (full === undefined) return isDoubted ? statuses(502, 503) : []

  const chain = chainOf(exchanges)
  if (chain.rights !== undefined) return chain.rights
  if (at(tip, 'genesisStateHash') !== chain.genesisHash)
    return statuses(503, ...(contradictsGenesis(exchanges) ? [502] : []))
  if (list(block, 'transactions', 'userCommands').some(isContradictory)) return statuses(502, 503)
  const tipHeight = integer(tip, 'blockHeight')
  if (heightOf(block) <= tipHeight - nearBlocks && isOnOtherBranch(sent.data, exchanges)) return statuses(502, 503)
  const clock = answerTo(exchanges, 'epochClock')
  if (clock !== undefined && !isReadable(clock)) return statuses(502, 503)
  const ways = canonicalWays(block, tipHeight, exchanges)
  if (ways.length === 0) return statuses(502, 503)

  const length = integer(block, 'protocolState', 'consensusState', 'blockchainLength')
  const isClockDoubted = clock !== undefined && clock.findings.doubtful.length > 0
  const isDoubtful =
    isClockDoubted ||
    isDoubted ||
    chain.isDoubtful ||
    at(block, 'genesisStateHash') !== chain.genesisHash ||
    heightOf(block) !== length
  // Without the network's k, no answer shows that the block is final.
  const longest = chain.k === undefined && { maxSeconds: maxNotFinalSeconds }
  const clocked = clock === undefined ? block : atClock(block, clock.data)
  if (clocked === undefined) return statuses(503)
  const told = ways.map((canonical) => ({ ...Object(clocked), canonical }))
  const shown = told.flatMap((each) => rightBodies(each, exchanges)).map((right) => ({ ...right, ...longest }))
  const cannotBeShown = shown.length === 0 && told.some((each) => epochLengths(each, exchanges).length > 0)
  return cannotBeShown || isDoubtful ? [...shown, ...statuses(502, 503)] : shown
}
