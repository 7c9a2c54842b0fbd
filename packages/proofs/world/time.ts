// Virtual time for everything in the world, and the processes in it, which can be frozen. Waiting takes no real time,
// and a seed runs the same way every time.
import { setImmediate } from 'node:timers/promises'

export type VirtualTime = ReturnType<typeof createTime>

export function createTime() {
  let now = Date.UTC(2026, 0, 1)
  const events: { readonly at: number; readonly action: () => void; readonly isQuiet: boolean }[] = []

  function add(milliseconds: number, action: () => void, isQuiet: boolean): () => void {
    const event = { at: now + Math.max(0, milliseconds), action, isQuiet }
    events.splice(events.findLastIndex(({ at }) => at <= event.at) + 1, 0, event)
    return () => {
      const index = events.indexOf(event)
      if (index >= 0) events.splice(index, 1)
    }
  }

  async function next(): Promise<boolean> {
    const event = events.shift()
    if (event === undefined) return false
    now = event.at
    event.action()
    // An immediate runs after all promises that can settle have settled.
    if (!event.isQuiet) await setImmediate()
    return true
  }

  return {
    now: () => now,
    after: (milliseconds: number, action: () => void) => add(milliseconds, action, false),
    /** Schedules an event that no code waits for. */
    quietly: (milliseconds: number, action: () => void) => void add(milliseconds, action, true),
    wait: (milliseconds: number) => new Promise<void>((resolve) => void add(milliseconds, resolve, false)),
    /** Runs until a promise has settled. @throws Error when nothing is left that could settle it */
    async until(promise: Promise<unknown>) {
      let isSettled = false
      const settled = promise.finally(() => {
        isSettled = true
      })
      settled.catch(() => undefined)
      await setImmediate()
      while (!isSettled) if (!(await next())) throw new Error('a promise waits for nothing')
      await settled
    },
    /** Runs until no event is left. */
    async run() {
      while (await next());
    },
  }
}

export type Process = ReturnType<typeof createProcess>

/**
 * A process of the service, frozen at first: meanwhile none of its timers runs, its steady clock stands still, and no
 * answer reaches it.
 *
 * @param wallErrorMs by how much its wall clock is ahead, now
 */
export function createProcess(time: VirtualTime, wallErrorMs: () => number = () => 0) {
  let isFrozen = true
  let frozenAt = time.now()
  let frozenMs = 0
  let late: (() => void)[] = []
  const pending = new Set<() => void>()
  return {
    now: () => time.now() + wallErrorMs(),
    elapsed: () => (isFrozen ? frozenAt : time.now()) - frozenMs,
    after(milliseconds: number, action: () => void) {
      const fire = () => {
        if (!pending.has(fire)) return
        if (isFrozen) {
          late.push(fire)
          return
        }
        pending.delete(fire)
        action()
      }
      pending.add(fire)
      const stop = time.after(milliseconds, fire)
      return () => {
        stop()
        pending.delete(fire)
      }
    },
    thaw() {
      if (isFrozen) frozenMs += time.now() - frozenAt
      isFrozen = false
      const missed = late
      late = []
      // Each in a separate turn, as timers that are overdue.
      for (const fire of missed) time.after(0, fire)
    },
    freeze() {
      frozenAt = time.now()
      isFrozen = true
    },
    /** The number of timers that are set, and of answers that are awaited. */
    pending: () => pending.size,
  }
}
