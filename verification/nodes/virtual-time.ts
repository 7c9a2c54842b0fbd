// Virtual time whose timers can be cleared: the clock of the pool and of the nodes beside it.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../functions/runtime/nodes/clock.ts'

export interface VirtualTime extends Clock {
  /** Resolves later. */
  wait(milliseconds: number): Promise<void>
  /** Lets a promise come to its end, with as much time as that takes. */
  until<T>(promise: Promise<T>): Promise<T>
  /** Time passes while the process is frozen: nothing runs, and timers are late. */
  freeze(milliseconds: number): void
  /** Timers that are set. */
  pending(): number
}

interface Timer {
  readonly at: number
  readonly action: () => void
}

/** @param startedAt milliseconds since 1970 */
export function createVirtualTime(startedAt: number): VirtualTime {
  let now = startedAt
  const timers: Timer[] = []

  const after = (milliseconds: number, action: () => void) => {
    const timer = { at: now + Math.max(0, milliseconds), action }
    timers.splice(timers.findLastIndex(({ at }) => at <= timer.at) + 1, 0, timer)
    return () => {
      const index = timers.indexOf(timer)
      if (index >= 0) timers.splice(index, 1)
    }
  }

  return {
    now: () => now,
    after,
    wait: (milliseconds) => new Promise((resolve) => void after(milliseconds, resolve)),
    async until(promise) {
      let isOver = false
      const over = () => {
        isOver = true
      }
      promise.then(over, over)
      for (;;) {
        // An immediate runs after all promises that can settle have settled.
        await setImmediate()
        if (isOver) return promise
        const timer = timers.shift()
        if (timer === undefined) throw new Error('a promise waits for nothing')
        now = Math.max(now, timer.at)
        timer.action()
      }
    },
    freeze(milliseconds) {
      now += milliseconds
    },
    pending: () => timers.length,
  }
}
