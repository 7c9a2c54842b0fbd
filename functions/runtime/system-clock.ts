// The time of this machine.
import type { Clock } from '../../shared/chain/port.ts'
import { elapsedMs } from './elapsed-time.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: elapsedMs,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
}
