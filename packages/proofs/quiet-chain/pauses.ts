// The pauses of a chain whose slots are filled independently of each other, with the same probability.
import type { Random } from '../../testnet/random.ts'

/** Shorter pauses decide nothing. */
const shortest = 5

/** A number of a standard normal distribution (Box and Muller). */
const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** How many of a chain's blocks are followed by five empty slots or more: binomial, by its normal approximation. */
export function pausesOf(density: number, slots: number, random: Random): number {
  const share = density * (1 - density) ** shortest
  return Math.max(0, Math.round(slots * share + normal(random) * Math.sqrt(slots * share * (1 - share))))
}

/** Empty slots of such a pause: each further one is empty with the same probability. */
export const lengthOf = (density: number, random: Random): number =>
  shortest + Math.floor(Math.log(1 - random()) / Math.log(1 - density))
