// The safe loop: the same signed bytes, until their outcome is known.
import type { Outcome } from './broadcast.ts'
import type { Clock } from './clock.ts'
import type { CallOptions } from './reads.ts'

export interface SendOptions extends CallOptions {
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
    const isBelieved = !isUnknown && sentAtMs >= inFlightUntil
    const isPaused = outcome.code === 'network-paused'
    if (isUnknown ? !retriable : isBelieved && !isPaused) return outcome
    // A throttled request has not reached the service.
    if (isUnknown && status !== 429) inFlightUntil = clock.now() + maxRequestMs
    const backOffMs = Math.min(maxPauseMs, 500 * 2 ** attempt) * (1 + clock.random())
    const leftMs = giveUpAt - clock.now()
    if (leftMs > 0) await clock.wait(Math.min(leftMs, Math.max(backOffMs, retryAfterSeconds * 1000)), signal)
    if (leftMs <= 0 || signal?.aborted) return isBelieved ? outcome : { ...outcome, outcome: 'unknown' }
  }
}
