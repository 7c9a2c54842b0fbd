// The order in which nodes are asked.
import { hasBudget } from './budget.ts'
import { isDemoted } from './health.ts'
import { isOfOtherNetwork } from './network.ts'
import { type NodeState, nodeAt, type PoolState } from './state.ts'

/** What was seen of a node that lags, or is not synced, may be over by then. */
const lagKeptMs = 60_000

/** So that a node that has become faster is noticed. */
const longestUnheardMs = 600_000

/** A better node takes over only when it is faster by this factor, and not before this time. */
const clearlyFaster = 0.7
const leastLeadMs = 30_000

/** 0: at the best tip known, or not known to be elsewhere. 1: a block behind. 2: further, or not synced. 3: demoted. */
function tierOf(node: NodeState, now: number): 0 | 1 | 2 | 3 {
  if (isDemoted(node, now)) return 3
  if (now - node.heardAt > lagKeptMs) return 0
  if (!node.isSynced || node.lag > 1) return 2
  return node.lag === 1 ? 1 : 0
}

/** Whether a node was demoted and has not answered since. */
const isUnproven = ({ demotions }: NodeState): boolean => demotions > 0

/** Whether a node gets the next question so that it can show what it is worth now. */
function isOnTrial(state: PoolState, node: NodeState, now: number): boolean {
  // A trial that fails takes a second call, which there must be a budget for.
  if (isDemoted(node, now) || !hasBudget(state)) return false
  const mayHaveChanged = node.lag > 0 || !node.isSynced
  return isUnproven(node) || now - node.heardAt > (mayHaveChanged ? lagKeptMs : longestUnheardMs)
}

/** Whether a node may be asked beside another one: it is at the best tip, as far as is known. */
export function isOfBestTier(state: PoolState, index: number, now: number): boolean {
  const node = nodeAt(state, index)
  return !isUnproven(node) && tierOf(node, now) === 0
}

/** Whether a node's answer may confirm or correct another one's. */
export const isUsable = (state: PoolState, index: number): boolean => !isUnproven(nodeAt(state, index))

const meanOf = ({ meanMs }: NodeState): number => meanMs ?? Number.POSITIVE_INFINITY

/** The leader with a successor where one is due. */
export function elected(state: PoolState, now: number): PoolState {
  const { leader, leaderSince } = state
  const current = nodeAt(state, leader)
  const isPossible = !isOfOtherNetwork(state, leader)
  const key = (node: NodeState) => [isUnproven(node) ? 3 : tierOf(node, now), meanOf(node)] as const
  const [best] = state.nodes
    .map((node, index) => ({ index, key: key(node) }))
    .filter(({ index }) => !isOfOtherNetwork(state, index))
    .toSorted((left, right) => left.key[0] - right.key[0] || compareMeans(left.key[1], right.key[1]))
  if (best === undefined || best.index === leader) return state
  const [tier, mean] = best.key
  const isFaster = mean < clearlyFaster * meanOf(current) && now - leaderSince >= leastLeadMs
  const [currentTier] = key(current)
  return isPossible && tier === currentTier && !isFaster ? state : { ...state, leader: best.index, leaderSince: now }
}

/** Infinity minus itself is no number. */
const compareMeans = (left: number, right: number): number => (left === right ? 0 : left - right)

/**
 * The order of demoted nodes: one that says that it is busy is alive, and so comes first; of several the one that was
 * spared for the longest, so that none that has recovered stays unasked.
 */
const sparedSince = ({ busyAt }: NodeState): number => busyAt ?? Number.POSITIVE_INFINITY

/** The nodes of the network by index, the one to ask first at the front. */
export function ranked(state: PoolState, now: number): readonly number[] {
  const { nodes, leader } = state
  const fromLeader = (index: number) => (index - leader + nodes.length) % nodes.length
  return nodes
    .map((node, index) => ({ node, index }))
    .filter(({ index }) => !isOfOtherNetwork(state, index))
    .map(({ node, index }) => ({
      index,
      key: [
        tierOf(node, now),
        isDemoted(node, now) ? sparedSince(node) : 0,
        isOnTrial(state, node, now) ? 0 : 1,
        index === leader ? 0 : 1,
        meanOf(node),
        fromLeader(index),
      ] as const,
    }))
    .toSorted((left, right) => {
      for (const [at, value] of left.key.entries()) {
        const difference = compareMeans(value, right.key[at] ?? 0)
        if (difference !== 0) return difference
      }
      return 0
    })
    .map(({ index }) => index)
}

/** How many nodes are out of use: of another network, or without a success since they were demoted. */
export const outOfUse = (state: PoolState): number =>
  state.nodes.filter((node, index) => isUnproven(node) || isOfOtherNetwork(state, index)).length
