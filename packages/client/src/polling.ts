// Asking again and again, through trouble of service and network.
import type { Clock } from './clock.ts'
import { checkNumbers } from './numbers.ts'
import type { CallOptions } from './reads.ts'
import { isOutlived, type ServiceError } from './service-error.ts'
import type { Slots } from './slots.ts'

export interface PollOptions extends CallOptions {
  /** Pause between two polls, 10 seconds by default. Shorter ones gain little: caches keep an answer for 5 seconds. */
  readonly pollMs?: number | undefined
  /** Called, and awaited, with each failure after which the call goes on. What it throws ends the call. */
  readonly onTrouble?: ((error: ServiceError) => unknown) | undefined
}

/** After trouble, however short the polls are. */
const minPauseMs = 1_000
/** However rare the polls are, the first pause is no longer: most trouble passes soon, and a lost poll costs a look. */
const maxFirstPauseMs = 10_000

/**
 * Reports trouble that passes.
 *
 * @returns milliseconds that the service asks to wait
 * @throws any other error, unless the signal is aborted
 */
export async function outlive(error: unknown, { signal, onTrouble }: PollOptions): Promise<number> {
  if (signal?.aborted) return 0
  if (!isOutlived(error)) throw error
  await onTrouble?.(error)
  return (error.retryAfterSeconds ?? 0) * 1000
}

export interface Polling {
  /** @returns undefined after trouble that passes, and where the signal is aborted */
  ask<Value>(question: () => Promise<Value>): Promise<Value | undefined>
  /** Waits until the next question is due, for so many milliseconds at most. */
  pause(missing?: number, maxMs?: number): Promise<void>
}

/** @throws RangeError for a time that cannot be */
export function polling(clock: Clock, slots: Slots, options: PollOptions): Polling {
  checkNumbers(options)
  const { pollMs = 10_000, signal } = options
  const firstPauseMs = Math.min(Math.max(2 * pollMs, minPauseMs), maxFirstPauseMs)
  /** After trouble. */
  let troubleMs: number | undefined = pollMs
  let afterTroubleMs = firstPauseMs
  return {
    async ask(question) {
      try {
        const value = await question()
        troubleMs = undefined
        afterTroubleMs = firstPauseMs
        return value
      } catch (error) {
        troubleMs = Math.max(await outlive(error, options), afterTroubleMs)
        afterTroubleMs = Math.min(2 * afterTroubleMs, Math.max(pollMs, maxFirstPauseMs))
        return undefined
      }
    },
    pause: (missing, maxMs = Infinity) =>
      clock.wait(Math.min(troubleMs ?? slots.pauseMs(pollMs, missing), maxMs), signal),
  }
}
