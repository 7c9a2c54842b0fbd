// The machine of a client: its clock, which jumps and stands still, and its program, which may end at any moment. An ended
// program never goes on: whatever it waits for does not come.
import type { Clock, Fetch } from '../../../client/src/client.ts'
import type { Random } from '../../../local/chain/random.ts'
import type { VirtualTime } from '../time.ts'
import type { Setting } from './setting.ts'

export type Program = ReturnType<typeof createProgram>

/** @returns the machine's wall clock, in milliseconds since 1970 */
export function createWallClock(time: VirtualTime, { clockErrors, clockStandsStill }: Setting): () => number {
  const begunAt = time.now()
  return () => {
    const sinceMs = time.now() - begunAt
    const still = clockStandsStill.find(({ fromMs, untilMs }) => fromMs <= sinceMs && sinceMs < untilMs)
    const shownMs = still?.fromMs ?? sinceMs
    const { errorMs } = clockErrors.reduce((latest, error) =>
      error.fromMs <= shownMs && error.fromMs >= latest.fromMs ? error : latest,
    )
    return begunAt + shownMs + errorMs
  }
}

export function createProgram(random: Random, time: VirtualTime, now: () => number, fetch: Fetch) {
  let isRunning = true
  const never = new Promise<never>(() => undefined)
  /** Goes on only while the program runs. */
  const alive = async <Value>(value: Promise<Value> | Value): Promise<Value> => {
    const settled = await value
    return isRunning ? settled : never
  }
  const clock: Clock = { now, random, wait: (milliseconds) => alive(time.wait(milliseconds)) }
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
