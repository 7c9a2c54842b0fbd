// The time as the pool of nodes sees it.

export interface Clock {
  /** Wall clock, milliseconds since 1970: an instance is frozen between requests, and other clocks may stop then. */
  now(): number
  /** Calls once after some time. Returns a function that prevents it. */
  after(milliseconds: number, action: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
}
