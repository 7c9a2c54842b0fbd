// The only randomness of the chain: a small generator (sfc32) whose seed determines its sequence.
import { hash } from 'node:crypto'

/** Next number of the sequence, from 0 to below 1. */
export type Random = () => number

/** @param seed any text; the same text gives the same sequence on every machine */
export function createRandom(seed: string): Random {
  const state = new Uint32Array(Uint8Array.from(hash('sha256', seed, 'buffer')).buffer.slice(0, 16))
  return () => {
    const [a = 0, b = 0, c = 0, counter = 0] = state
    const sum = a + b + counter
    state.set([b ^ (b >>> 9), c + (c << 3), ((c << 21) | (c >>> 11)) + sum, counter + 1])
    return (sum >>> 0) / 2 ** 32
  }
}

/** A whole number from `min` to `max`, both included. */
export const integerBetween = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1))

/** @throws RangeError for an empty list */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[integerBetween(random, 0, items.length - 1)]
  if (item === undefined) throw new RangeError('Nothing to pick from')
  return item
}
