// The order in which nodes are asked.
import type { Outcome } from './decide.ts'
import { type ChainState, hasBudget, isForeign, isForked, isOnlyAtTip, nodeAt } from './network-state.ts'
import { hasFailed, isDemoted, isUnproven, isUnsupported, type NodeState } from './node-state.ts'
import type { NodeEvent } from './outside.ts'

/** A node that was seen to lag, or not to be synced, may have recovered by then. */
const lagKeptMs = 60_000

/** So that a node that has become faster, or has left another network, is noticed. */
const maxUnheardMs = 600_000

/** Of nodes that are all on other networks, each is tried again after this time. */
const foreignRetryMs = 10_000

/** A better node takes over only when it is faster by this factor, and not before this time. */
const clearlyFaster = 0.7
const minLeadMs = 30_000

/** 0: at the best tip known, or not known to be elsewhere. 1: a block behind. 2: further, or not synced. 3: demoted. */
function tierOf(node: NodeState, now: number): 0 | 1 | 2 | 3 {
  if (isDemoted(node, now)) return 3
  if (now - node.heardAt > lagKeptMs) return 0
  if (!node.isSynced || node.lag > 1) return 2
  return node.lag === 1 ? 1 : 0
}

/** True if the next question goes to this node as a trial, to measure it again. */
function isOnTrial(state: ChainState, node: NodeState, now: number): boolean {
  // A trial that fails takes a second call, which there must be a budget for.
  if (isDemoted(node, now) || !hasBudget(state)) return false
  const mayHaveChanged = node.lag > 0 || !node.isSynced
  return isUnproven(node) || now - node.heardAt > (mayHaveChanged ? lagKeptMs : maxUnheardMs)
}

/** True if a node may be asked beside another one at once: it is at the best tip, as far as is known. */
export const isOfBestTier = (state: ChainState, index: number, now: number): boolean =>
  !isUnproven(nodeAt(state, index)) && tierOf(nodeAt(state, index), now) === 0

/**
 * The nodes that may be asked, by index: those of the network. Without any, others that were not tried lately, and last
 * those that answered unlike a daemon: a gateway's answer must not empty the list.
 */
function eligible(state: ChainState, now: number): readonly number[] {
  const all = [...state.nodes.keys()]
  const supported = all.filter((index) => !isUnsupported(nodeAt(state, index), now))
  if (supported.length === 0) return all
  const isOut = (index: number, keptMs: number) =>
    isForeign(state, index) && now - nodeAt(state, index).genesisAt < keptMs
  const members = supported.filter((index) => !isOut(index, maxUnheardMs))
  return members.length > 0 ? members : supported.filter((index) => !isOut(index, foreignRetryMs))
}

const meanOf = ({ meanMs }: NodeState): number => meanMs ?? Number.MAX_VALUE

/** The leader with a successor where one is due. */
export function elected(state: ChainState, now: number): ChainState {
  const { leader, leaderSince } = state
  const possible = eligible(state, now)
  const tier = (index: number) => (isUnproven(nodeAt(state, index)) ? 3 : tierOf(nodeAt(state, index), now))
  const mean = (index: number) => meanOf(nodeAt(state, index))
  const [best] = possible.toSorted((left, right) => tier(left) - tier(right) || mean(left) - mean(right))
  if (best === undefined || best === leader) return state
  const isFaster = mean(best) < clearlyFaster * mean(leader) && now - leaderSince >= minLeadMs
  const keeps = possible.includes(leader) && tier(best) === tier(leader) && !isFaster
  return keeps ? state : { ...state, leader: best, leaderSince: now }
}

/** The nodes that may be asked, by index, the one to ask first at the front. */
export function ranked(state: ChainState, now: number): readonly number[] {
  const { nodes, leader } = state
  const possible = eligible(state, now)
  if (possible.length < 2) return possible
  const fromLeader = (index: number) => (index - leader + nodes.length) % nodes.length
  const keyOf = (index: number) => {
    const node = nodeAt(state, index)
    return [
      tierOf(node, now),
      // Of demoted nodes, busy ones are alive. The one spared for the longest comes first, so that each is tried again.
      isDemoted(node, now) ? (node.busyAt ?? Number.MAX_VALUE) : 0,
      isOnTrial(state, node, now) ? 0 : 1,
      index === leader ? 0 : 1,
      meanOf(node),
      fromLeader(index),
    ] as const
  }
  return possible
    .map((index) => ({ index, key: keyOf(index) }))
    .toSorted((left, right) => {
      const at = left.key.findIndex((value, place) => value !== right.key[place])
      return (left.key[at] ?? 0) - (right.key[at] ?? 0)
    })
    .map(({ index }) => index)
}

/** The number of nodes that are out of use: of another network, not a daemon, or without a success since they were demoted. */
export const outOfUse = (state: ChainState, now: number): number =>
  state.nodes.filter((node, index) => isUnproven(node) || isForeign(state, index) || isUnsupported(node, now)).length

/** The events that a change of what is known of one node makes, each with the index of its node. */
export function eventsOf(
  before: ChainState,
  after: ChainState,
  index: number,
  now: number,
): readonly (readonly [NodeEvent, number])[] {
  const events: [NodeEvent, number][] = []
  const note = (event: NodeEvent, at: number, holds: (state: ChainState) => boolean) => {
    if (holds(after) && !holds(before)) events.push([event, at])
  }
  if (before.nodes.length > 1) note('demoted', index, (state) => isDemoted(nodeAt(state, index), now))
  note('unsupported', index, (state) => isUnsupported(nodeAt(state, index), now))
  note('hard-fork', index, isForked)
  for (const at of before.nodes.keys()) note('other-network', at, (state) => isForeign(state, at))
  return events
}

/**
 * The node to ask in place of one that failed. With an empty budget, only one that has not failed since it last
 * answered, so that an outage of all nodes costs one such call to each. Behind an address that several daemons share
 * another one may answer, so it is asked once more. So is the only node at the tip, before those that lag: they do not
 * know the latest blocks.
 *
 * @param isFree nothing was sent yet
 * @param ended the calls so far; empty where one was repeated
 */
export function successor(
  state: ChainState,
  left: readonly number[],
  isFree: boolean,
  ended: readonly (Outcome & { readonly node: number })[],
  isShared: (index: number) => boolean,
): number | undefined {
  if (isFree) return left[0]
  if (!hasBudget(state)) return left.find((index) => !hasFailed(nodeAt(state, index)))
  const answeredBadly = (call: Outcome) =>
    call.kind === 'failure' && ['busy', 'unreadable', 'mismatched'].includes(call.error.fault)
  const again = ended.filter(answeredBadly).map(({ node }) => node)
  return again.find((index) => isOnlyAtTip(state, index)) ?? left[0] ?? again.find(isShared)
}
