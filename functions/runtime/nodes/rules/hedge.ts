// When a second node is asked beside the first.
import type { NodeState } from './state.ts'

const delayRangeMs = { least: 100, most: 1500 }
const leastSamples = 10
const delayWithoutSamplesMs = 500

/** How long the node's answer is waited for, in milliseconds: as long as nine of its last ten answers took. */
export function hedgeDelayMs({ latenciesMs }: NodeState): number {
  if (latenciesMs.length < leastSamples) return delayWithoutSamplesMs
  const sorted = latenciesMs.toSorted((left, right) => left - right)
  const percentile = sorted[Math.ceil(0.9 * sorted.length) - 1] ?? delayWithoutSamplesMs
  return Math.min(delayRangeMs.most, Math.max(delayRangeMs.least, percentile))
}
