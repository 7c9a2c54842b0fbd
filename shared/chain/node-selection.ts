// Chooses the node to ask next.
import type { Instant } from './instant.ts'
import { hasBudget, isForeign, isOnlyAtTip, type NetworkState, nodeAt } from './network-state.ts'
import { hasFailed, isDemoted, isUnproven, isUnsupported, type NodeState, needsCheck } from './node-state.ts'
import { isRepeatable, type Outcome } from './outcome.ts'

export interface SelectionState extends NetworkState {
  /** Index of the node that is asked first unless another is clearly better. */
  readonly leader: number
  readonly leaderSince: number
}

/** A node that was seen to lag, or not to be synced, may have recovered by then. */
const lagKeptMs = 60_000

/** After this time without an answer a node is tried again: it may have become faster, or moved to the network. */
const maxUnheardMs = 600_000

/** If every node is on another network, each is tried again after this time. */
const foreignRetryMs = 10_000

/** A better node takes over only when it is faster by this factor, and not before this time. */
const clearlyFaster = 0.7
const minLeadMs = 30_000

/** 0: at the best tip known, or not known to be elsewhere. 1: a block behind. 2: further, or not synced. 3: demoted. */
function tierOf(node: NodeState, at: Instant): 0 | 1 | 2 | 3 {
  if (isDemoted(node, at)) return 3
  if (at.nowMs - node.heardAt > lagKeptMs) return 0
  if (!node.isSynced || node.lag > 1) return 2
  return node.lag === 1 ? 1 : 0
}

/** True if the next question goes to this node as a trial, to measure it again. */
function isOnTrial(state: NetworkState, node: NodeState, at: Instant): boolean {
  // A failed trial costs a second call, which needs budget.
  if (isDemoted(node, at) || !hasBudget(state)) return false
  const mayHaveChanged = node.lag > 0 || !node.isSynced
  return isUnproven(node) || at.nowMs - node.heardAt > (mayHaveChanged ? lagKeptMs : maxUnheardMs)
}

/** True if a node may be asked beside another one at once: it is at the best tip, as far as is known. */
export function isOfBestTier(state: NetworkState, index: number, at: Instant): boolean {
  const node = nodeAt(state, index)
  return !isUnproven(node) && tierOf(node, at) === 0
}

/**
 * The nodes that may be asked, by index: those of the network; without any, others that were not tried recently; last,
 * those that answered unlike a daemon: a gateway's answer must not empty the list.
 */
function eligible(state: NetworkState, at: Instant): readonly number[] {
  const all = [...state.nodes.keys()]
  const supported = all.filter((index) => !isUnsupported(nodeAt(state, index), at))
  if (supported.length === 0) return all
  const isForeignSince = (index: number, keptMs: number) =>
    isForeign(state, index) && at.nowMs - nodeAt(state, index).genesisAt < keptMs
  const ofNetwork = supported.filter((index) => !isForeignSince(index, maxUnheardMs))
  return ofNetwork.length > 0 ? ofNetwork : supported.filter((index) => !isForeignSince(index, foreignRetryMs))
}

/** Compares two nodes by index: negative if the first comes first. */
type Order = (left: number, right: number) => number

const ascending =
  (keyOf: (index: number) => number): Order =>
  (left, right) =>
    keyOf(left) - keyOf(right)

const meanOf = ({ meanMs }: NodeState): number => meanMs ?? Number.MAX_VALUE

/** The state with a new leader, if one is due. */
export function elected<State extends SelectionState>(state: State, at: Instant): State {
  const { leader, leaderSince } = state
  const possible = eligible(state, at)
  const tier = (index: number) => (isUnproven(nodeAt(state, index)) ? 3 : tierOf(nodeAt(state, index), at))
  const mean = (index: number) => meanOf(nodeAt(state, index))
  const [byTier, byLatency] = [ascending(tier), ascending(mean)]
  const [best] = possible.toSorted((left, right) => byTier(left, right) || byLatency(left, right))
  if (best === undefined || best === leader) return state
  const isFaster = mean(best) < clearlyFaster * mean(leader) && at.nowMs - leaderSince >= minLeadMs
  const keeps = possible.includes(leader) && tier(best) === tier(leader) && !isFaster
  return keeps ? state : { ...state, leader: best, leaderSince: at.nowMs }
}

/** The nodes that may be asked, by index, the one to ask first at the front. */
export function ranked(state: SelectionState, at: Instant): readonly number[] {
  const { nodes, leader } = state
  const possible = eligible(state, at)
  if (possible.length < 2) return possible
  const byTier = ascending((index) => tierOf(nodeAt(state, index), at))
  // A demoted node that is busy is alive. The one that was busy first comes first, so that each gets another try.
  const byBusyTime = ascending((index) => {
    const node = nodeAt(state, index)
    return isDemoted(node, at) ? (node.busyAt ?? Number.MAX_VALUE) : 0
  })
  const trialsFirst = ascending((index) => (isOnTrial(state, nodeAt(state, index), at) ? 0 : 1))
  const leaderFirst = ascending((index) => (index === leader ? 0 : 1))
  const byLatency = ascending((index) => meanOf(nodeAt(state, index)))
  const byDistanceFromLeader = ascending((index) => (index - leader + nodes.length) % nodes.length)
  return possible.toSorted(
    (left, right) =>
      byTier(left, right) ||
      byBusyTime(left, right) ||
      trialsFirst(left, right) ||
      leaderFirst(left, right) ||
      byLatency(left, right) ||
      byDistanceFromLeader(left, right),
  )
}

/**
 * The standing of a node:
 * - `unknown`: it has not shown its network
 * - `foreign`: it is on another one
 * - `unsupported`: it recently refused the check of its network, which every daemon understands
 * - `used`: it is on the network
 */
export type NodeStatus = 'unknown' | 'foreign' | 'unsupported' | 'used'

export function nodeStatus(state: NetworkState, index: number, at: Instant): NodeStatus {
  const node = nodeAt(state, index)
  if (isForeign(state, index)) return 'foreign'
  if (isUnsupported(node, at)) return 'unsupported'
  return node.genesis === undefined ? 'unknown' : 'used'
}

/** True if a node of this status is left out: it is not asked, and nothing waits for it. */
export const isExcluded = (status: NodeStatus): boolean => status === 'foreign' || status === 'unsupported'

/** The nodes worth asking when all are asked, by index: those of the network, and those that may have moved to it since. */
export function nodesToAsk(state: NetworkState, at: Instant): readonly number[] {
  return [...state.nodes.keys()].filter((index) => {
    const node = nodeAt(state, index)
    if (at.nowMs < node.sparedUntil) return false
    const status = nodeStatus(state, index, at)
    return status === 'foreign' ? needsCheck(node, at, true) : status !== 'unsupported'
  })
}

/**
 * Milliseconds until a node may answer again; undefined unless each that is not known to be down has said how long it
 * refuses calls.
 */
export function refusedForMs(state: NetworkState, at: Instant): number | undefined {
  const leftMs = state.nodes.flatMap((node, index) => {
    const isSpared = at.nowMs < node.sparedUntil
    return isExcluded(nodeStatus(state, index, at)) || (isDemoted(node, at) && !isSpared)
      ? []
      : [node.sparedUntil - at.nowMs]
  })
  const soonestMs = Math.min(...leftMs)
  return leftMs.length > 0 && soonestMs > 0 ? soonestMs : undefined
}

/** The nodes that are out of use, by index: excluded, or without a success since they were demoted. */
export const outOfUse = (state: NetworkState, at: Instant): readonly number[] =>
  [...state.nodes.keys()].filter(
    (index) => isUnproven(nodeAt(state, index)) || isExcluded(nodeStatus(state, index, at)),
  )

/**
 * The node to ask in place of one that failed. With an empty budget, only one that has not failed since it last
 * answered, so that an outage of all nodes costs one such call to each. An address that several daemons share is asked once
 * more, since another daemon may answer. So is the only node at the tip, ahead of nodes that lag and lack the latest blocks.
 *
 * @param left the nodes that may still be asked, the best first
 * @param isFree nothing was sent yet
 * @param ended the calls so far; empty if one was repeated
 */
export function successor(
  state: NetworkState,
  left: readonly number[],
  isFree: boolean,
  ended: readonly Outcome[],
  answersAgain: (index: number) => boolean,
): number | undefined {
  if (isFree) return left[0]
  if (!hasBudget(state)) return left.find((index) => !hasFailed(nodeAt(state, index)))
  const again = ended.filter(isRepeatable).map(({ node }) => node)
  return again.find((index) => isOnlyAtTip(state, index)) ?? left[0] ?? again.find(answersAgain)
}
