// A time for what an instance remembers between requests: it never goes back, and goes on while the instance is frozen.
import type { Clock } from './port.ts'

/** The wall clock is slewed by less; then the time waits for it. */
const minSetBackMs = 1000

/**
 * Makes a clock from two that each have a flaw: the wall clock can be set back, and the clock that is never set may stand
 * still while an instance is frozen. The time that both together show to have passed is added up.
 *
 * @returns a function that gives the time in milliseconds: the wall clock's, as long as that is not set back
 */
export function lastingTime({ now, elapsed }: Pick<Clock, 'now' | 'elapsed'>): () => number {
  /** Of the wall clock over the other one, which grows while only the wall clock goes on. */
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
