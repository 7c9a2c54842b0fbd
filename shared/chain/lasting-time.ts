// A clock for what an instance remembers between requests: it never goes back, and runs on while the instance is
// frozen.
import type { Clock } from './port.ts'

/** A smaller step back is slewing: the time pauses until the wall clock has caught up. */
const minSetBackMs = 1000

/**
 * Makes a clock from two that each have a flaw: the wall clock can be set back, and the clock that is never set may stand
 * still while an instance is frozen. The time that both together show to have passed is added up.
 *
 * @returns a function that gives the time in milliseconds: the wall clock's, as long as that is not set back
 */
export function lastingTime({ now, elapsed }: Pick<Clock, 'now' | 'elapsed'>): () => number {
  /** The wall clock's lead over the other clock: it grows while only the wall clock runs. */
  let greatestLead = Number.NEGATIVE_INFINITY
  let setBackMs = 0
  return () => {
    const elapsedMs = elapsed()
    const lead = now() + setBackMs - elapsedMs
    if (lead < greatestLead - minSetBackMs) setBackMs += greatestLead - lead
    greatestLead = Math.max(greatestLead, lead)
    return elapsedMs + greatestLead
  }
}
