// Time: every timer, pause and limit of the client, and the signals that end them.

/** An `AbortSignal`, as far as the client uses it: that of any platform, or of a polyfill without a reason. */
export interface Signal {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: () => void): void
}

/** The client's source of time and chance, which a test can replace. The time limit of a request is the platform's. */
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

/** Platforms run a timer with a longer delay at once. */
const maxTimerMs = 2 ** 31 - 1

/** An aborted signal ends all of these. They share one listener, since Node warns at the eleventh. */
const endings = new WeakMap<Signal, Set<() => void>>()

function endingsOf(signal: Signal): Set<() => void> {
  const known = endings.get(signal)
  if (known) return known
  const all = new Set<() => void>()
  endings.set(signal, all)
  signal.addEventListener('abort', () => {
    for (const end of all) end()
  })
  return all
}

/**
 * Calls back once, after so many milliseconds or when the signal is aborted.
 *
 * @returns a function that ends the timer before
 */
export function startTimer(milliseconds: number, signal: Signal | undefined, onEnd: () => void): () => void {
  const all = signal && endingsOf(signal)
  const stop = () => {
    clearTimeout(timer)
    all?.delete(end)
  }
  const end = () => {
    stop()
    onEnd()
  }
  const timer = setTimeout(end, signal?.aborted ? 0 : Math.min(milliseconds, maxTimerMs))
  all?.add(end)
  return stop
}

/** Looks up each function when it is called, so that fake timers replace all of them or none. */
export const realClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      startTimer(milliseconds, signal, resolve)
    }),
}

/** @throws the reason of the signal, if it is aborted; where a polyfill has none, an error of the name that platforms give */
export function stopIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? Object.assign(new Error('aborted'), { name: 'AbortError' })
}

/** @returns a function that gives the milliseconds since this call; if the clock is set back, only the time since the last reading is lost */
export function stopwatch({ now }: Clock): () => number {
  let passedMs = 0
  let latest = now()
  return () => {
    const before = latest
    latest = now()
    passedMs += Math.max(0, latest - before)
    return passedMs
  }
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
