// When the next block can come: only in a slot, and the slots are known from the tip's and their length.
import type { Clock } from './clock.ts'
import type { Answer } from './transport.ts'

/** Blocks reach people 5 to 75 seconds after their slot has begun. */
const soonestMs = 15_000

/** Most blocks that a slot has are in the service's answers by then. */
const usuallyThereMs = 78_000

/** So many empty slots come by chance once in centuries: after them the chain stands still. */
const maxEmptySlots = 30

export interface Slots {
  /** The network's length of a slot, once the service has named it. */
  durationMs: number | undefined
  /** Notes the tip that an answer rests on. */
  note(answer: Answer): void
  /**
   * The pause before the next question, in whole polls: one after the beginning of a slot, then more and more, and until the next
   * slot begins where this one has its block, where more than one block is missing, and on a chain that stands still.
   *
   * @param missing the number of blocks still to come; the last one is asked for at every poll. Without it every block matters
   * @returns `pollMs` where no block is missing, or the slots are not known, or are shorter than 15 seconds
   */
  pauseMs(pollMs: number, missing?: number): number
}

/** The tip's slot is placed by the service's clock and the time that has passed since: this machine's may be wrong. */
export function slotsOf({ now }: Clock): Slots {
  let tipTime = 0
  let tipSlotAtMs = 0
  let seenAtMs = 0
  const slots: Slots = {
    durationMs: undefined,
    note({ header }) {
      const time = Date.parse(header('x-chain-time') ?? '')
      const ageMs = Date.parse(header('date') ?? '') + 1000 * (Number(header('age')) || 0) - time
      // An earlier one is that of a node that lags.
      if (time < tipTime || Number.isNaN(ageMs)) return
      if (time > tipTime) seenAtMs = now()
      tipTime = time
      tipSlotAtMs = now() - ageMs
    },
    pauseMs(pollMs, missing) {
      const { durationMs = 0 } = slots
      const sinceMs = now() - tipSlotAtMs
      // On a chain for tests blocks come within a poll or two.
      if (missing === 0 || durationMs < soonestMs || !tipTime || sinceMs < 0) return pollMs
      const inSlotMs = sinceMs % durationMs
      const emptySlots = (sinceMs - inSlotMs) / durationMs - 1
      const isBegun = emptySlots >= 0 && inSlotMs < soonestMs
      const toNextMs = (isBegun ? 0 : durationMs) - inSlotMs + soonestMs
      const isStill = emptySlots >= maxEmptySlots
      // A node that catches up shows one old tip after another.
      if (isStill && now() - seenAtMs < durationMs) return pollMs
      const isDue = (missing ?? 1) < 2 && emptySlots >= 0 && !isStill
      // Of polls of ten seconds the second comes 10 seconds after the first, the next ones 20 and 30 after the one before.
      const tens = Math.max(0, Math.floor((inSlotMs - soonestMs) / 10_000))
      const duePolls = missing ?? 1 + Math.round(Math.sqrt(2 * tens))
      // Not just too late: the block of a slot that seems empty would wait for the next slot.
      const usualPolls = Math.floor((usuallyThereMs - inSlotMs) / (pollMs || 1))
      const asDue = usualPolls > 0 ? Math.min(duePolls, usualPolls) : duePolls
      const polls = Math.min(isDue ? asDue : Infinity, toNextMs / (pollMs || 1))
      return pollMs * Math.max(1, Math.ceil(polls))
    },
  }
  return slots
}
