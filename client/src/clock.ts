/** `AbortSignal`, in a form that also compiles where neither DOM nor Node types are loaded. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Type } } ? Type : never

/** The client's source of time and chance, which a test can replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  wait(milliseconds: number, signal?: Signal): Promise<void>
  /** At least 0, below 1. */
  random(): number
}

export const minuteMs = 60_000
export const hourMs = 3_600_000

export const realClock: Clock = {
  now: Date.now,
  random: Math.random,
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, signal?.aborted ? 0 : milliseconds)
      signal?.addEventListener('abort', end)
    }),
}

/** A time in which something is left alone. */
export interface Rest {
  begin(milliseconds: number): void
  isOver(): boolean
}

/** @returns a rest that is over until it begins. A clock that is set back ends it, so that nothing rests forever */
export function restOf({ now }: Clock): Rest {
  let sinceMs = 0
  let lengthMs = 0
  return {
    begin(milliseconds) {
      sinceMs = now()
      lengthMs = milliseconds
    },
    isOver() {
      const passedMs = now() - sinceMs
      return passedMs < 0 || passedMs >= lengthMs
    },
  }
}

/** The pauses between sendings that are refused. */
export interface Pauses {
  /** Begins the next one: a minute at first, then twice the last one, an hour at most. */
  begin(): void
  /** The next one is a minute again. */
  end(): void
  isOver(): boolean
}

export function pausesOf(clock: Clock): Pauses {
  const { begin, isOver } = restOf(clock)
  let nextMs = minuteMs
  return {
    begin() {
      begin(nextMs)
      nextMs = Math.min(2 * nextMs, hourMs)
    },
    end() {
      begin(0)
      nextMs = minuteMs
    },
    isOver,
  }
}
