// Heights of tips: never back in time, and no trust in a tip that is too old or lies in the future.
import type { NodeLabel } from '../../../../shared/upstream/node-label.ts'
import { slotDurationOf } from './network.ts'
import { type PoolState, withNode } from './state.ts'

/** When every node that answers stays below the greatest height for so long, the chain was reorganised. */
const reorganisedAfterMs = 360_000

/** Three slots of four have a block, so six empty ones in a row are rare. */
const mostSlotsOld = 5

const nothingFresherForMs = 30_000

/** A tip more than one slot ahead of our clock is not believed. While no slot duration is known, every tip is. */
export function isBelievable(state: PoolState, index: number, { atMs }: NodeLabel, now: number): boolean {
  const slotMs = slotDurationOf(state, index)
  return slotMs === undefined || atMs <= now + slotMs
}

/** Remembers what an answer showed of its node's tip. */
export function withHeight(state: PoolState, index: number, label: NodeLabel, now: number): PoolState {
  const isSynced = label.syncStatus === 'SYNCED'
  if (!isBelievable(state, index, label, now)) {
    return withNode(state, index, (node) => ({ ...node, isSynced, lag: Number.POSITIVE_INFINITY }))
  }
  const greatestHeight = Math.max(state.greatestHeight, label.height)
  const lag = greatestHeight - label.height
  const belowSince = lag === 0 ? undefined : state.belowSince
  return withNode({ ...state, greatestHeight, belowSince }, index, (node) => ({ ...node, isSynced, lag }))
}

/** Whether an answer lies before one that was given. Equal height with another hash does not. */
export const isBehind = (state: PoolState, index: number, label: NodeLabel, now: number): boolean =>
  label.height < state.greatestHeight || !isBelievable(state, index, label, now)

/** Whether another node is to be asked because the tip is old. */
export function needsFresher(state: PoolState, index: number, { atMs }: NodeLabel, now: number): boolean {
  const slotMs = slotDurationOf(state, index)
  if (slotMs === undefined || now - state.nothingFresherAt < nothingFresherForMs) return false
  return now - atMs > mostSlotsOld * slotMs
}

export const foundNothingFresher = (state: PoolState, now: number): PoolState => ({ ...state, nothingFresherAt: now })

/**
 * After an answer below the greatest height, because no node that answers has reached it. When that lasts, the height is
 * forgotten.
 */
export function stayedBelow(state: PoolState, height: number, now: number): PoolState {
  const { belowSince = now } = state
  return now - belowSince < reorganisedAfterMs
    ? { ...state, belowSince }
    : { ...state, belowSince: undefined, greatestHeight: height }
}
