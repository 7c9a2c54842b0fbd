// Whether all nodes say that they are busy. What is asked of them then only makes it worse.
import { isDemoted } from './health.ts'
import { isOfOtherNetwork } from './network.ts'
import type { NodeState, PoolState } from './state.ts'

/** So a node is tried at least once a second. */
const sparedMs = 1000

/** A clock that was set back must not spare a node for longer. */
const isBusy = ({ busyAt }: NodeState, now: number): boolean =>
  busyAt !== undefined && now >= busyAt && now - busyAt < sparedMs

/**
 * Whether the nodes are to be spared: one of them answered busy within the last second, and each of the others did so
 * too or is out of use. The busy answer is an attempt, so there is always one within a second.
 */
export const areBusy = (state: PoolState, now: number): boolean =>
  state.nodes.some((node) => isBusy(node, now)) &&
  state.nodes.every((node, index) => isBusy(node, now) || isDemoted(node, now) || isOfOtherNetwork(state, index))
