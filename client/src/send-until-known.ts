// The safe loop: the same signed bytes, until it is known what became of them.
import type { Outcome } from './broadcast.ts'
import type { Clock } from './clock.ts'
import type { CallOptions } from './reads.ts'

export interface SendOptions extends CallOptions {
  /** How long to go on, 2 minutes by default. A request under way is not cut off. */
  readonly patienceMs?: number | undefined
}

/** A request lives no longer in the service: its gateway gives up after 30 seconds. */
const longestRequestMs = 30_000

const longestPauseMs = 10_000

/**
 * Sends until the outcome is known, patience ends, or nothing is gained from sending: on `unknown` that is not retriable
 * the nonce is used, and only the chain shows by which command.
 *
 * A refusal that follows a lost answer is believed only when the request whose answer was lost must have ended: before
 * that, the command may still reach a node that takes it.
 */
export async function sendUntilKnown(
  sendOnce: () => Promise<Outcome>,
  clock: Clock,
  { patienceMs = 120_000, signal }: SendOptions = {},
): Promise<Outcome> {
  const giveUpAt = clock.now() + patienceMs
  let inFlightUntil = 0
  for (let attempt = 0; ; attempt++) {
    const outcome = await sendOnce()
    if (!('retriable' in outcome)) return outcome
    const { status, retriable, retryAfterSeconds = 0, sentAtMs } = outcome
    const isUnknown = outcome.outcome === 'unknown'
    if (isUnknown ? !retriable : sentAtMs >= inFlightUntil) return outcome
    // What is throttled has not reached the service.
    if (isUnknown && status !== 429) inFlightUntil = clock.now() + longestRequestMs
    const backOffMs = Math.min(longestPauseMs, 500 * 2 ** attempt) * (1 + clock.random())
    const pauseMs = Math.max(backOffMs, retryAfterSeconds * 1000)
    const hasTime = clock.now() + pauseMs <= giveUpAt
    if (hasTime) await clock.wait(pauseMs, signal)
    if (!hasTime || signal?.aborted) return { ...outcome, outcome: 'unknown' }
  }
}
