// An instance's knowledge of the chain and its nodes, as one value: network, heights, budget. Every rule is a pure
// function of it.
import { memberOf } from '../mapping/exact-json.ts'
import type { NodeLabel } from '../upstream/query.ts'
import { isRefusedUnread, type Outcome } from './decide.ts'
import { failed, type NodeState, succeeded, unknownNode } from './node-state.ts'

export interface ChainState {
  /** In the order of the settings. */
  readonly nodes: readonly NodeState[]
  /** State hash of the genesis block that the stage pins. */
  readonly pin: string | undefined
  /** Length of a slot in milliseconds; undefined until a node was asked. */
  readonly slotMs: number | undefined
  /** Extra calls that may still be made. */
  readonly tokens: number
  /** Index of the node that is asked first as long as none is clearly better. */
  readonly leader: number
  readonly leaderSince: number
  /** Greatest height that an answer has shown; 0 before the first one. */
  readonly greatestHeight: number
  /** Since when no node that answers has reached that height; undefined while one does. */
  readonly belowSince: number | undefined
  /** When another node was last asked because the tip was old, and had no younger one. */
  readonly nothingFresherAt: number
}

const startingTokens = 2
const maxTokens = 5
const tokensPerSuccess = 0.1

/** @param random from 0 to below 1: a random first node spreads a fleet over all of them */
export const initialState = (count: number, random: number, pin: string | undefined): ChainState => ({
  nodes: Array.from({ length: count }, () => unknownNode),
  pin,
  slotMs: undefined,
  tokens: startingTokens,
  leader: Math.floor(random * count),
  leaderSince: Number.NEGATIVE_INFINITY,
  greatestHeight: 0,
  belowSince: undefined,
  nothingFresherAt: Number.NEGATIVE_INFINITY,
})

/** @throws RangeError for an index without a node */
export function nodeAt({ nodes }: ChainState, index: number): NodeState {
  const node = nodes[index]
  if (node === undefined) throw new RangeError(`node index ${index} is out of range`)
  return node
}

export const withNode = (state: ChainState, index: number, change: (node: NodeState) => NodeState): ChainState => ({
  ...state,
  nodes: state.nodes.map((node, at) => (at === index ? change(node) : node)),
})

/** Sums of tenths are not exact. */
export const hasBudget = ({ tokens }: ChainState): boolean => tokens >= 1 - 1e-9

export const spent = (state: ChainState): ChainState => ({ ...state, tokens: Math.max(0, state.tokens - 1) })

/** Successes credit the budget, not time: sleep does not refill it. */
export const credited = (state: ChainState): ChainState => ({
  ...state,
  tokens: Math.min(maxTokens, state.tokens + tokensPerSuccess),
})

const isOfService = ({ unsupportedAt }: NodeState): boolean => unsupportedAt === Number.NEGATIVE_INFINITY

/** True if every node has answered, and all name one other genesis than the pinned one: a hard fork. */
export function isForked({ nodes, pin }: ChainState): boolean {
  const [first, ...others] = nodes.filter(isOfService).map(({ genesis }) => genesis)
  return pin !== undefined && first !== undefined && first !== pin && others.every((genesis) => genesis === first)
}

/** The network by its genesis: the pinned one, or that of the first listed node which has named one. */
export const networkOf = (state: ChainState): string | undefined =>
  state.pin !== undefined && !isForked(state)
    ? state.pin
    : state.nodes.find(({ genesis }) => genesis !== undefined)?.genesis

export function isForeign(state: ChainState, index: number): boolean {
  const { genesis } = nodeAt(state, index)
  return genesis !== undefined && genesis !== networkOf(state)
}

/** After a node has named its genesis. Another network may have slots of another length, and has other heights. */
export function withGenesis(before: ChainState, index: number, genesis: string, now: number): ChainState {
  const unsupportedAt = Number.NEGATIVE_INFINITY
  const state = withNode(before, index, (node) => ({ ...node, genesis, genesisAt: now, unsupportedAt }))
  const [known, current] = [networkOf(before), networkOf(state)]
  if (current === known) return state
  const isOther = known !== undefined
  return { ...state, slotMs: undefined, ...(isOther && { greatestHeight: 0, belowSince: undefined }) }
}

/** After a node refused what every daemon understands. */
export const withoutSupport = (state: ChainState, index: number, now: number): ChainState =>
  withNode(state, index, (node) => ({ ...node, genesis: undefined, unsupportedAt: now }))

/**
 * The nodes listed before one, and before all whose network is known: without a pin, each of them may overrule what is
 * taken for the network.
 */
export function unknownBefore({ nodes, pin }: ChainState, index: number): readonly number[] {
  if (pin !== undefined) return []
  const before = nodes.slice(0, index)
  const firstKnown = before.findIndex(({ genesis }) => genesis !== undefined)
  const unknown = firstKnown === -1 ? before : before.slice(0, firstKnown)
  return unknown.flatMap((node, at) => (isOfService(node) ? [at] : []))
}

/** When every node that answers stays below the greatest height for so long, the chain was reorganised. */
const reorganisedAfterMs = 360_000

/** Three slots of four have a block, so six empty ones in a row are rare. */
const maxSlotsOld = 5

/** The longest and the shortest slots of the public networks. */
const assumedSlotMs = 180_000
const minSlotMs = 90_000

const nothingFresherForMs = 30_000

/** True if a tip is so old, or so far ahead, that the length of a slot decides about it and must be asked for. */
export const needsSlot = ({ slotMs }: ChainState, { atMs }: NodeLabel, now: number): boolean =>
  slotMs === undefined && (now - atMs > maxSlotsOld * minSlotMs || atMs - now > minSlotMs)

/** A tip more than one slot ahead of our clock is not believed. */
export const isBelievable = ({ slotMs = assumedSlotMs }: ChainState, { atMs }: NodeLabel, now: number): boolean =>
  atMs <= now + slotMs

/** Remembers what an answer showed of its node's tip. */
export function withHeight(state: ChainState, index: number, label: NodeLabel, now: number): ChainState {
  const isSynced = label.syncStatus === 'SYNCED'
  if (!isBelievable(state, label, now)) {
    return withNode(state, index, (node) => ({ ...node, isSynced, lag: Number.POSITIVE_INFINITY }))
  }
  const greatestHeight = Math.max(state.greatestHeight, label.height)
  const lag = greatestHeight - label.height
  const belowSince = lag === 0 ? undefined : state.belowSince
  return withNode({ ...state, greatestHeight, belowSince }, index, (node) => ({ ...node, isSynced, lag }))
}

/** True if an answer lies before one that was given. Equal height with another hash does not. */
export const isBehind = (state: ChainState, label: NodeLabel, now: number): boolean =>
  label.height < state.greatestHeight || !isBelievable(state, label, now)

/** True if another node is to be asked because the tip is old. */
export const needsFresher = (state: ChainState, { atMs }: NodeLabel, now: number): boolean =>
  now - state.nothingFresherAt >= nothingFresherForMs && now - atMs > maxSlotsOld * (state.slotMs ?? assumedSlotMs)

export const foundNothingFresher = (state: ChainState, now: number): ChainState => ({ ...state, nothingFresherAt: now })

/**
 * After an answer below the greatest height, because no node that answers has reached it. When that lasts, the height is
 * forgotten.
 */
export function stayedBelow(state: ChainState, height: number, now: number): ChainState {
  const { belowSince = now } = state
  return now - belowSince < reorganisedAfterMs
    ? { ...state, belowSince }
    : { ...state, belowSince: undefined, greatestHeight: height }
}

/** True if a node was at the best tip when it last answered, and each other one of its network was behind or failed. */
export function isOnlyAtTip(state: ChainState, index: number): boolean {
  const isAtTip = ({ heardAt, isSynced, lag }: NodeState) =>
    heardAt !== Number.NEGATIVE_INFINITY && isSynced && lag === 0
  const isOut = (at: number) => {
    const { heardAt, demotions, lag, isSynced, unsupportedAt } = nodeAt(state, at)
    const isHeard = heardAt !== Number.NEGATIVE_INFINITY
    const isService = unsupportedAt === Number.NEGATIVE_INFINITY
    return isForeign(state, at) || !isService || demotions > 0 || (isHeard && (lag > 0 || !isSynced))
  }
  return isAtTip(nodeAt(state, index)) && [...state.nodes.keys()].every((at) => at === index || isOut(at))
}

/** The state after a call to a node. */
export function learnt(before: ChainState, index: number, outcome: Outcome, tookMs: number, now: number): ChainState {
  if (outcome.kind === 'failure') {
    const { error, reply } = outcome
    const state = withNode(before, index, (node) => failed(node, error.fault, tookMs, now, isOnlyAtTip(before, index)))
    return reply !== undefined && isRefusedUnread(reply) ? withoutSupport(state, index, now) : state
  }
  const state = withNode(before, index, (node) => succeeded(node, tookMs, now))
  const { label, data } = outcome
  const genesis = label?.genesisStateHash ?? memberOf(memberOf(data, 'genesisBlock'), 'stateHash')
  if (typeof genesis !== 'string') return state
  const named = withGenesis(state, index, genesis, now)
  return label === undefined || isForeign(named, index) ? named : withHeight(named, index, label, now)
}

/** True if a call that failed shows nothing of the network, which other nodes may know. */
export function isVain(state: ChainState, node: number, outcome: Outcome): boolean {
  if (outcome.kind === 'answer') return false
  const { heardAt, unsupportedAt } = nodeAt(state, node)
  const isHeard = heardAt !== Number.NEGATIVE_INFINITY && unsupportedAt === Number.NEGATIVE_INFINITY
  return outcome.error.isUnsent || isForeign(state, node) || !isHeard
}
