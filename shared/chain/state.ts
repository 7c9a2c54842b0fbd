// An instance's knowledge of the chain and its nodes, and its only writer: every change is an event that is applied here.
import { memberOf } from '../mapping/exact-json.ts'
import type { Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { type Instant, never } from './instant.ts'
import {
  credited,
  isForeign,
  isForked,
  isOnlyAtTip,
  nodeAt,
  spent,
  stayedBelow,
  withChainId,
  withGenesis,
  withNetwork,
  withNode,
  withoutSupport,
  withTip,
} from './network-state.ts'
import { elected, type SelectionState } from './node-selection.ts'
import { cancelled, failed, isDemoted, isLeftBehind, isUnsupported, succeeded, unknownNode } from './node-state.ts'
import type { Outcome } from './outcome.ts'

export interface ChainState extends SelectionState {
  /** When the length of a slot was last asked for. */
  readonly slotAskedAt: number
  /** Until when an indexer has said that it refuses calls, by its index. */
  readonly sparedIndexers: ReadonlyMap<number, number>
}

/** The times at which something was last done, whatever came of it. */
type NotedTime = 'pinsAskedAt' | 'othersAskedAt' | 'slotAskedAt' | 'waitedLongAt' | 'nothingFresherAt'

/** The change of one node, by its index, or of what is known of all. */
export type ChainEvent =
  /** A question is about to choose its first node. */
  | { readonly type: 'choosing' }
  | {
      readonly type: 'call-ended'
      readonly node: number
      readonly outcome: Outcome
      readonly tookMs: number
    }
  | { readonly type: 'call-cancelled'; readonly node: number; readonly tookMs: number }
  | { readonly type: 'network-shown'; readonly node: number; readonly genesisStateHash: string }
  | { readonly type: 'tip-shown'; readonly node: number; readonly tip: Tip }
  | { readonly type: 'network-described'; readonly node: number; readonly network: Network }
  /** A node was asked for its chain id, and had time to answer; or, asked because others were slow, it was slow too. */
  | { readonly type: 'noted-of-node'; readonly node: number; readonly time: 'chainIdAskedAt' | 'slowAt' }
  /** A node refused the check of its network, which every daemon understands. */
  | { readonly type: 'check-refused'; readonly node: number }
  /** A request gave up waiting for a node to describe its network. */
  | { readonly type: 'description-missed'; readonly node: number }
  /** Something was done now, and whoever was asked had time to answer. */
  | { readonly type: 'noted'; readonly time: NotedTime }
  /** No request has waited long after all: each question failed at once. */
  | { readonly type: 'long-wait-unused' }
  /** An indexer, by its index, refuses calls for so long. */
  | { readonly type: 'indexer-refused'; readonly indexer: number; readonly forMs: number }
  /** A call that takes from the budget. */
  | { readonly type: 'extra-call' }
  | { readonly type: 'answered' }
  /** No node that answers has reached the greatest height. */
  | { readonly type: 'stayed-below'; readonly node: number; readonly height: number }

export type NodeEvent = 'behind' | 'demoted' | 'other-network' | 'unsupported' | 'reorganised' | 'hard-fork'

/** A change in the judgement of a node, by its index, for log and metrics. */
interface Notice {
  readonly event: NodeEvent
  readonly node: number
}

const startingTokens = 2

/**
 * @param random from 0 to below 1: a random first node spreads a fleet over all of them
 * @param chainIds of the pinned networks, in their order; empty for none
 */
export const initialState = (
  count: number,
  random: number,
  pins: readonly string[],
  chainIds: readonly string[] = [],
): ChainState => ({
  nodes: Array.from({ length: count }, () => unknownNode),
  pins,
  chainIds: chainIds.map((chainId) => chainId.toLowerCase()),
  reachedPin: 0,
  pinsAskedAt: never,
  othersAskedAt: never,
  newestTipMs: never,
  networks: new Map(),
  undescribed: new Set(),
  waitedLongAt: never,
  slotAskedAt: never,
  sparedIndexers: new Map(),
  tokens: startingTokens,
  leader: Math.floor(random * count),
  leaderSince: never,
  greatestHeight: 0,
  belowSince: undefined,
  nothingFresherAt: never,
})

/** After a call to a node: its pace and faults, and what the answer shows of its network and its tip. */
function afterCall(
  before: ChainState,
  { node: index, outcome, tookMs }: Extract<ChainEvent, { readonly type: 'call-ended' }>,
  at: Instant,
): ChainState {
  if (outcome.kind === 'failure') {
    const { error, reply } = outcome
    return withNode(before, index, (node) => ({
      ...failed(node, error.fault, tookMs, at, isOnlyAtTip(before, index)),
      ...(reply?.retryAfterMs !== undefined && { sparedUntil: at.nowMs + reply.retryAfterMs }),
    }))
  }
  const { tip, data } = outcome
  const genesis = memberOf(memberOf(data, 'genesisBlock'), 'stateHash')
  const state = withNode(before, index, (node) => succeeded(node, tookMs, at))
  if (tip !== undefined) return withTip(state, index, tip, at)
  return typeof genesis === 'string' ? withGenesis(state, index, genesis, at) : state
}

/** After a node has described its network: which one that is, and what all its nodes have in common. */
function afterDescription(
  before: ChainState,
  { node, network }: Extract<ChainEvent, { readonly type: 'network-described' }>,
  at: Instant,
): ChainState {
  // Before the genesis block is learnt, since both decide whether the node is used.
  const undescribed = new Set([...before.undescribed].filter((each) => each !== node))
  const named = withChainId({ ...before, undescribed }, node, network, at)
  const { stateHash } = network.genesis
  // The same genesis block again must not refresh `genesisAt`: a node of another network is still due for a look at its tip.
  const isNew = nodeAt(named, node).genesis !== stateHash
  return withNetwork(isNew ? withGenesis(named, node, stateHash, at) : named, network, at)
}

function next(state: ChainState, event: ChainEvent, at: Instant): ChainState {
  const { nowMs } = at
  switch (event.type) {
    case 'choosing':
      return elected(state, at)
    case 'call-ended':
      return afterCall(state, event, at)
    case 'call-cancelled':
      return withNode(state, event.node, (node) => cancelled(node, event.tookMs, at))
    case 'network-shown':
      return withGenesis(state, event.node, event.genesisStateHash, at)
    case 'tip-shown':
      return withTip(state, event.node, event.tip, at)
    case 'network-described':
      return afterDescription(state, event, at)
    case 'noted-of-node':
      return withNode(state, event.node, (node) => ({ ...node, [event.time]: nowMs }))
    case 'check-refused':
      return withoutSupport(state, event.node, at)
    case 'description-missed':
      return { ...state, undescribed: new Set([...state.undescribed, event.node]) }
    case 'noted':
      return { ...state, [event.time]: nowMs }
    case 'long-wait-unused':
      return { ...state, waitedLongAt: never }
    case 'indexer-refused':
      return { ...state, sparedIndexers: new Map(state.sparedIndexers).set(event.indexer, nowMs + event.forMs) }
    case 'extra-call':
      return spent(state)
    case 'answered':
      return credited(state)
    case 'stayed-below':
      return stayedBelow(state, event.height, at)
  }
}

/** The changes in the judgement of a node, or of all of them because of it. */
function noticesOf(before: ChainState, after: ChainState, node: number, at: Instant): readonly Notice[] {
  const has = (holds: (state: ChainState) => boolean) => holds(after) && !holds(before)
  const notices: Notice[] = []
  if (before.nodes.length > 1 && has((state) => isDemoted(nodeAt(state, node), at))) {
    notices.push({ event: 'demoted', node })
  }
  if (has((state) => isLeftBehind(nodeAt(state, node)))) notices.push({ event: 'behind', node })
  if (has((state) => isUnsupported(nodeAt(state, node), at))) notices.push({ event: 'unsupported', node })
  if (has(isForked)) notices.push({ event: 'hard-fork', node })
  for (const each of before.nodes.keys()) {
    if (has((state) => isForeign(state, each))) notices.push({ event: 'other-network', node: each })
  }
  return notices
}

/** Applies an event. The only place where a state changes. */
export function apply(
  before: ChainState,
  event: ChainEvent,
  at: Instant,
): { readonly state: ChainState; readonly notices: readonly Notice[] } {
  const state = next(before, event, at)
  if (event.type === 'stayed-below') {
    const isForgotten = state.greatestHeight < before.greatestHeight
    return { state, notices: isForgotten ? [{ event: 'reorganised', node: event.node }] : [] }
  }
  return { state, notices: 'node' in event ? noticesOf(before, state, event.node, at) : [] }
}
