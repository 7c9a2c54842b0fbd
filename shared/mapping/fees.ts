// Suggests fees from what others pay. A wallet pays what it is told here, so one absurd fee must not count.
import { minimumFee } from './minimum-fee.ts'

/** The most commands in a block of the public networks. */
const blockCapacity = 128

const ascending = (left: bigint, right: bigint): number => (left < right ? -1 : left > right ? 1 : 0)

const greater = (left: bigint, right: bigint): bigint => (left > right ? left : right)

/**
 * A percentile of fees by nearest rank: the lowest fee that so many per cent do not exceed.
 *
 * @param sorted nanomina, in ascending order
 * @param percent from 1 to 100
 * @returns undefined for an empty list
 */
export const percentile = (sorted: readonly bigint[], percent: number): bigint | undefined =>
  sorted[Math.ceil((percent * sorted.length) / 100) - 1]

/** In nanomina. */
export interface SuggestedFees {
  readonly economy: bigint
  readonly normal: bigint
  readonly fast: bigint
}

/** In nanomina, in ascending order. */
export const sortedFees = (fees: readonly bigint[]): readonly bigint[] => fees.toSorted(ascending)

/**
 * Three fees, each at least the one before it and the network's minimum. The highest of the included fees is never one
 * of them: the percentiles of a few fees could be that one.
 *
 * @param included fees of the latest blocks, in nanomina and ascending order
 * @param pooled fees of the commands that wait, in nanomina and ascending order
 */
export function suggestedFees(included: readonly bigint[], pooled: readonly bigint[]): SuggestedFees {
  const secondHighest = included.at(-2) ?? minimumFee
  const part = (percent: number): bigint => {
    const fee = percentile(included, percent) ?? minimumFee
    return fee < secondHighest ? fee : secondHighest
  }
  const placeInNextBlock = pooled.length > blockCapacity ? (pooled.at(-blockCapacity) ?? minimumFee) : minimumFee
  const economy = greater(minimumFee, part(25))
  const normal = greater(economy, part(50))
  const fast = greater(greater(normal, part(75)), placeInNextBlock)
  return { economy, normal, fast }
}
