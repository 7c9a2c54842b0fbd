// Which requests a flaky node spoils.
import { createRandom, pick } from '../../packages/testnet/random.ts'
import type { Purpose, Trouble } from './flaky-node.ts'

const kinds: readonly Trouble[] = ['lost request', 'lost answer', 'late', 'broken']

/** Longer than the service goes on asking about one broadcast, so that its outcome stays unknown. */
const spellMs = 30_000

/** Of the troubles with a mutation, the share that begins a spell. */
const spellShare = 0.25

/**
 * Trouble at random. Now and then a mutation begins a spell: the node takes commands, and for half a minute all answers
 * about them are lost.
 *
 * @param rate share of the requests that are spoilt, from 0 to 1
 * @param now the time in milliseconds
 */
export function randomTroubles(seed: string, rate: number, now: () => number): (purpose: Purpose) => Trouble {
  const random = createRandom(seed)
  let spellUntil = Number.NEGATIVE_INFINITY
  return (purpose) => {
    if (purpose !== 'read' && now() < spellUntil) return 'lost answer'
    if (random() >= rate) return 'none'
    if (purpose === 'mutation' && random() < spellShare) {
      spellUntil = now() + spellMs
      return 'lost answer'
    }
    return pick(random, kinds)
  }
}

/** Every other answer to a mutation is lost, the first one too. */
export function everyOtherAnswerLost(onLoss: () => void): (purpose: Purpose) => Trouble {
  let mutations = 0
  return (purpose) => {
    if (purpose !== 'mutation' || mutations++ % 2 === 1) return 'none'
    onLoss()
    return 'lost answer'
  }
}
