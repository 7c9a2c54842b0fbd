// Polling for a new tip, as politely as the service asks for.
import type { Clock, Signal } from './clock.ts'
import type { CallOptions, Labelled } from './reads.ts'
import type { Summary } from './schema.ts'
import { isOutlived, isPassing } from './service-error.ts'

export interface PollOptions extends CallOptions {
  /** Pause between two polls, 10 seconds by default. Shorter ones gain little: caches keep an answer for 5 seconds. */
  readonly pollMs?: number | undefined
}

const maxPauseMs = 60_000

/**
 * @param passes tells by the status whether an error can pass
 * @returns milliseconds to wait after an error that can pass
 * @throws any other error
 */
export function pauseAfter(
  error: unknown,
  pauseMs: number,
  signal: Signal | undefined,
  passes: (status: number) => boolean = isPassing,
): number {
  signal?.throwIfAborted()
  const { status, retryAfterSeconds = 0 } = Object(error)
  if (!passes(status)) throw error
  return Math.max(Math.min(2 * pauseMs, maxPauseMs), retryAfterSeconds * 1000)
}

/**
 * Calls back with each new tip, the present one first, and waits for the callback before it polls again.
 *
 * @returns when the signal is aborted
 * @throws what the callback throws; ServiceError for an error that does not pass: a 4xx other than 429, such as from a wrong address
 */
export async function watchTip(
  readSummary: (options: CallOptions) => Promise<Labelled<Summary>>,
  onTip: (tip: Labelled<Summary>) => unknown,
  clock: Clock,
  options: PollOptions = {},
): Promise<void> {
  const { pollMs = 10_000, signal } = options
  let last: string | undefined
  let pauseMs = pollMs
  while (!signal?.aborted) {
    const tip = await readSummary(options).catch((error) => {
      if (signal?.aborted) return
      pauseMs = pauseAfter(error, pauseMs, signal, isOutlived)
    })
    if (tip) {
      pauseMs = pollMs
      if (tip.value.stateHash !== last) await onTip(tip)
      last = tip.value.stateHash
    }
    await clock.wait(pauseMs, signal)
  }
}
