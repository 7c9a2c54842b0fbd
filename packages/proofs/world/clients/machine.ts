// The machine of a client: its clock, which jumps and stands still, and its program, which may end at any moment. An ended
// program never goes on: whatever it waits for does not come.
import type { Clock, Fetch } from '../../../client/src/client.ts'
import type { Random } from '../../../testnet/random.ts'
import type { VirtualTime } from '../time.ts'
import { hour, minute, type Setting } from './setting.ts'

export type Program = ReturnType<typeof createProgram>

/** The machine's wall clock. */
export function createWallClock(time: VirtualTime, { clockErrorMs, clockStandsStill }: Setting) {
  const begunAt = time.now()
  let errorMs = clockErrorMs
  const still = () => {
    const sinceMs = time.now() - begunAt
    return clockStandsStill.find(({ fromMs, untilMs }) => fromMs <= sinceMs && sinceMs < untilMs)
  }
  return {
    /** @returns milliseconds since 1970 */
    now: () => begunAt + (still()?.fromMs ?? time.now() - begunAt) + errorMs,
    standsStill: () => still() !== undefined,
    setError(ms: number) {
      errorMs = ms
    },
  }
}

/** @param idleMs for how long nothing has happened to the program: the longer, the more does the machine sleep */
export function createProgram(
  random: Random,
  time: VirtualTime,
  now: () => number,
  idleMs: () => number,
  fetch: Fetch,
) {
  let isRunning = true
  const never = new Promise<never>(() => undefined)
  /** Goes on only while the program runs. */
  const alive = async <Value>(value: Promise<Value> | Value): Promise<Value> => {
    const settled = await value
    return isRunning ? settled : never
  }
  const sleepMs = () => {
    const ms = idleMs()
    return ms < hour ? 0 : Math.min(hour, hour / 12 + Math.max(0, ms - 3 * hour) / 4)
  }
  const clock: Clock = {
    now,
    random,
    // Between two looks, not between two requests of one.
    wait: (milliseconds) => alive(time.wait(milliseconds < minute ? milliseconds : Math.max(milliseconds, sleepMs()))),
  }
  return {
    clock,
    alive,
    isRunning: () => isRunning,
    end() {
      isRunning = false
    },
    /** A request of an ended program fails, so that nothing waits for its answer. */
    async fetch(...asked: Parameters<Fetch>) {
      const answer = await fetch(...asked)
      if (!isRunning) throw new Error('the program has ended')
      return answer
    },
  } satisfies { fetch: Fetch; [other: string]: unknown }
}
