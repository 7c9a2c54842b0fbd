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
