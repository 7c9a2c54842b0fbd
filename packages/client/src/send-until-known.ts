// The safe loop: the same signed bytes, until their outcome is known.
import { isRefusedForever, mayHaveArrived, type Outcome } from './broadcast.ts'
import { type Clock, stopwatch } from './clock.ts'
import { checkNumbers } from './numbers.ts'
import type { PollOptions } from './polling.ts'

export interface SendOptions extends Pick<PollOptions, 'signal' | 'onTrouble'> {
  /** Time to keep sending, 2 minutes by default. It is sent a last time at its end. */
  readonly patienceMs?: number | undefined
}

/** The service's gateway gives up on a request after 30 seconds. */
const maxRequestMs = 30_000

const maxPauseMs = 10_000

/**
 * Sends until the outcome is known, patience ends, or sending again cannot help: an `unknown` that is not
 * retriable means that the nonce is used, and only the chain shows by which command. While the network is paused before a
 * hard fork, every command is refused, and the same one is accepted later: it is sent until patience ends.
 *
 * A refusal that follows an unanswered attempt ends with `unknown`, since a node may have taken that attempt: but for a
 * refusal of the bytes themselves, which no node takes. It sends on for as long as the lost request can be under way.
 */
export async function sendUntilKnown(
  sendOnce: () => Promise<Outcome>,
  clock: Clock,
  options: SendOptions = {},
): Promise<Outcome> {
  checkNumbers(options)
  const { patienceMs = 120_000, signal } = options
  const passedMs = stopwatch(clock)
  let inFlightUntil = 0
  let mayHold = false
  for (let attempt = 0; ; attempt++) {
    const outcome = await sendOnce()
    if (!('retriable' in outcome) || isRefusedForever(outcome)) return outcome
    const { retriable, retryAfterSeconds = 0, sentAtMs } = outcome
    if (mayHaveArrived(outcome)) {
      mayHold = true
      inFlightUntil = clock.now() + maxRequestMs
    }
    const known: Outcome = mayHold ? { ...outcome, outcome: 'unknown', neverLeft: undefined } : outcome
    const isRefusal = outcome.outcome === 'refused' && outcome.code !== 'network-paused' && sentAtMs >= inFlightUntil
    const isUsed = outcome.outcome === 'unknown' && !retriable
    if (isRefusal || isUsed) return known
    const backOffMs = Math.min(maxPauseMs, 500 * 2 ** attempt) * (1 + clock.random())
    const leftMs = patienceMs - passedMs()
    if (leftMs > 0) await clock.wait(Math.min(leftMs, Math.max(backOffMs, retryAfterSeconds * 1000)), signal)
    if (leftMs <= 0 || signal?.aborted) return known
  }
}
