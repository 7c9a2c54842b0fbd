// A daemon that is cut off from its network and goes on answering: its tip, its blocks, its ledger and its pool are those of
// that moment, and it says that it is synced.
import { createRandom, integerBetween, pick } from '../../testnet/random.ts'
import type { Place } from './wire/place.ts'

export interface StopPlan {
  /** Which of the daemons of the stage's network, in the order of the places. */
  readonly daemon: number
  /** In milliseconds since the world began. */
  readonly fromMs: number
  /** When it hears of its network again; infinite for never. */
  readonly untilMs: number
  /** So many of its last blocks are on its own branch. */
  readonly orphans: number
  /** Behind one address with a good daemon; otherwise each has its own. */
  readonly sharesAddress: boolean
  /** How an address that both share chooses between them. */
  readonly balancing: Place['balancing']
}

/**
 * The stop of a history, from a source that nothing else draws from: histories without one stay as they are.
 *
 * @param share of the histories that have one
 * @param withinMs it stops within so long
 */
export function stopOf(seed: string, share: number, withinMs: number): StopPlan | undefined {
  const random = createRandom(`stop of ${seed}`)
  if (random() >= share) return undefined
  const fromMs = integerBetween(random, 0, withinMs)
  return {
    daemon: integerBetween(random, 0, 1),
    fromMs,
    untilMs: random() < 0.4 ? fromMs + integerBetween(random, 1, 4) * withinMs : Number.POSITIVE_INFINITY,
    orphans: pick(random, [0, 0, 1, 1, 2, 3]),
    sharesAddress: random() < 0.6,
    balancing: pick(random, ['call', 'request', 'turn'] as const),
  }
}
