import type { Clock } from '../../shared/chain/port.ts'

/** The time of this machine, on which every pause passes at once. */
export const hurriedClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(_milliseconds, action) {
    const timer = setImmediate(action)
    return () => clearImmediate(timer)
  },
}
