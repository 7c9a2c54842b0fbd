// Virtual time: an event queue. Waiting costs nothing, and the same history runs the same way every time.
import { setImmediate } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since the history began. */
  now(): number
  /** What happens by itself, later. */
  after(milliseconds: number, action: () => void): void
  /** What a client or the service waits for. */
  wait(milliseconds: number): Promise<void>
  /** Lets time run until nothing is left to happen. */
  run(): Promise<void>
}

interface Event {
  readonly at: number
  readonly action: () => void
  /** Whether someone waits for it, who must get on before the next event. */
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
        // Every promise that can be settled is settled before the event loop comes to an immediate.
        if (event.isAwaited) await setImmediate()
      }
    },
  }
}
