// The time of this machine.
import type { Clock } from '../../shared/chain/port.ts'
import { elapsedMs } from './elapsed-time.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: elapsedMs,
  after(milliseconds, action) {
    // An instance that slept wakes with its timers due, and runs them before it reads what its connections have received.
    // One more turn of the loop lets an answer that came meanwhile count.
    let immediate: NodeJS.Immediate | undefined
    const timer = setTimeout(() => {
      immediate = setImmediate(action)
    }, milliseconds)
    return () => {
      clearTimeout(timer)
      clearImmediate(immediate)
    }
  },
}
