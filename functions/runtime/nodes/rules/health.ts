// What the end of a call changes about its node.
import type { WireFault } from '../../../../shared/upstream/errors.ts'
import type { NodeState } from './state.ts'

/** The percentile of the hedge delay is taken of this many. */
const keptLatencies = 64

/** Weight of the latest latency in the moving average. */
const latestWeight = 0.2

const firstDemotionMs = 10_000
const longestDemotionMs = 60_000

export const isDemoted = ({ demotedUntil }: NodeState, now: number): boolean => now < demotedUntil

/** Whether the latest answer that was awaited of the node never came, or was useless. */
export const hasFailed = ({ faults, demotions }: NodeState): boolean => faults > 0 || demotions > 0

/** A node stays the last resort for a while. Calls that were sent side by side count as one. */
function demoted(node: NodeState, now: number): NodeState {
  if (isDemoted(node, now)) return node
  const lengthMs = Math.min(longestDemotionMs, firstDemotionMs * 2 ** node.demotions)
  return { ...node, faults: 0, cancels: 0, demotions: node.demotions + 1, demotedUntil: now + lengthMs }
}

/** The node has answered the question, be it that there is no such thing. */
export const succeeded = (node: NodeState, latencyMs: number, now: number): NodeState => ({
  ...node,
  latenciesMs: [...node.latenciesMs, latencyMs].slice(-keptLatencies),
  meanMs: node.meanMs === undefined ? latencyMs : node.meanMs + latestWeight * (latencyMs - node.meanMs),
  heardAt: now,
  faults: 0,
  cancels: 0,
  demotions: 0,
  demotedUntil: 0,
  busyAt: undefined,
})

/** One time-out or broken connection demotes the node, or two useless answers in a row. */
export function failed(before: NodeState, fault: WireFault, now: number): NodeState {
  const node = { ...before, busyAt: fault === 'busy' ? now : undefined }
  const faults = node.faults + 1
  const isOut = fault === 'timeout' || fault === 'unreachable' || faults >= 2
  return isOut ? demoted(node, now) : { ...node, faults }
}

/**
 * Another node's answer came first. Twice in a row it counts as a time-out, since otherwise a node that never answers is
 * always cancelled and never found out; a node on trial after a demotion gets no second chance. A call that was cancelled
 * before it was overdue shows nothing.
 */
export function cancelled(node: NodeState, wasOverdue: boolean, now: number): NodeState {
  if (!wasOverdue) return node
  const cancels = node.cancels + 1
  return cancels >= 2 || node.demotions > 0 ? demoted(node, now) : { ...node, cancels }
}
