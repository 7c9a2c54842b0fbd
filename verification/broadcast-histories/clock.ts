// Virtual time: an event queue. Waiting takes no real time, and a history runs the same way every time.
import { setImmediate } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since the history began. */
  now(): number
  /** Schedules an event that nothing waits for. */
  after(milliseconds: number, action: () => void): void
  /** Resolves later; for clients and the service. */
  wait(milliseconds: number): Promise<void>
  /** Runs until no event is left. */
  run(): Promise<void>
}

interface Event {
  readonly at: number
  readonly action: () => void
  /** Whether code awaits it, which must continue before the next event. */
  readonly isAwaited: boolean
}

export function createClock(): Clock {
  let now = 0
  const queue: Event[] = []

  function add(milliseconds: number, action: () => void, isAwaited: boolean): void {
    const at = now + Math.max(0, milliseconds)
    const index = queue.findLastIndex((event) => event.at <= at)
    queue.splice(index + 1, 0, { at, action, isAwaited })
  }

  return {
    now: () => now,
    after: (milliseconds, action) => add(milliseconds, action, false),
    wait: (milliseconds) => new Promise((resolve) => add(milliseconds, resolve, true)),
    async run() {
      for (;;) {
        const event = queue.shift()
        if (event === undefined) return
        now = event.at
        event.action()
        // An immediate runs after all promises that can settle have settled.
        if (event.isAwaited) await setImmediate()
      }
    },
  }
}
