// Virtual time for everything in the world, and the processes in it, which can be frozen. Waiting takes no real time,
// and a seed runs the same way every time.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../shared/chain/outside.ts'

export interface VirtualTime extends Clock {
  /** Schedules an event that no code waits for. */
  quietly(milliseconds: number, action: () => void): void
  wait(milliseconds: number): Promise<void>
  /** Runs until a promise has settled. @throws Error when nothing is left that could settle it */
  until<T>(promise: Promise<T>): Promise<T>
  /** Runs until no event is left. */
  run(): Promise<void>
}

interface Event {
  readonly at: number
  readonly action: () => void
  readonly isQuiet: boolean
}

/** @param startedAt milliseconds since 1970 */
export function createTime(startedAt = Date.UTC(2026, 0, 1)): VirtualTime {
  let now = startedAt
  const events: Event[] = []

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
    after: (milliseconds, action) => add(milliseconds, action, false),
    quietly: (milliseconds, action) => void add(milliseconds, action, true),
    wait: (milliseconds) => new Promise((resolve) => void add(milliseconds, resolve, false)),
    async until(promise) {
      let isSettled = false
      const settle = () => {
        isSettled = true
      }
      promise.then(settle, settle)
      await setImmediate()
      while (!isSettled) if (!(await next())) throw new Error('a promise waits for nothing')
      return promise
    },
    async run() {
      while (await next());
    },
  }
}

/** A process of the service: while it is frozen none of its timers runs, and no answer reaches it. */
export interface Process extends Clock {
  thaw(): void
  freeze(): void
  /** Timers that are set, and answers that are awaited. */
  pending(): number
}

export function createProcess(time: VirtualTime): Process {
  let isFrozen = true
  let pending = 0
  let late: (() => void)[] = []
  return {
    now: time.now,
    after(milliseconds, action) {
      pending += 1
      let isOver = false
      const finish = () => {
        pending -= isOver ? 0 : 1
        isOver = true
      }
      const fire = () => {
        if (isOver) return
        if (isFrozen) {
          late.push(fire)
          return
        }
        finish()
        action()
      }
      const stop = time.after(milliseconds, fire)
      return () => {
        stop()
        finish()
      }
    },
    thaw() {
      isFrozen = false
      const missed = late
      late = []
      // In a turn of their own, as timers that are overdue.
      for (const fire of missed) time.after(0, fire)
    },
    freeze() {
      isFrozen = true
    },
    pending: () => pending,
  }
}
