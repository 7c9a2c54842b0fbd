import { describe, expect, test } from '@jest/globals'
import { createRandom, integerBetween } from '../../../packages/testnet/random.ts'
import { sortedFees, suggestedFees } from '../../../shared/mapping/fees.ts'

const minimum = 1_000_000n
const absurd = 10_000_000_000_000n

const suggested = (included: readonly bigint[], pooled: readonly bigint[] = []) =>
  suggestedFees(sortedFees(included), sortedFees(pooled))

describe('the suggested fees', () => {
  test('are a quarter, the half and three quarters of what the latest commands paid', () => {
    const included = [40n, 10n, 30n, 20n].map((fee) => fee * minimum)
    expect(suggested(included)).toEqual({ economy: 10n * minimum, normal: 20n * minimum, fast: 30n * minimum })
  })

  test('are the minimum without any command, and of one command alone', () => {
    const least = { economy: minimum, normal: minimum, fast: minimum }
    expect([suggested([]), suggested([absurd]), suggested([], [absurd])]).toEqual([least, least, least])
  })

  test('make way into the next block once more wait than it holds', () => {
    const waiting = Array.from({ length: 200 }, (_, index) => minimum + BigInt(index))
    const full = suggested([minimum, minimum], waiting)
    expect([full.normal, full.fast]).toEqual([minimum, waiting[200 - 128]])
    expect(suggested([minimum, minimum], waiting.slice(-128)).fast).toBe(minimum)
  })

  test('are never below the minimum, rise from economy to fast, and one absurd fee takes none above the others’ highest', () => {
    const random = createRandom('fees')
    const fees = (most: number) =>
      Array.from({ length: integerBetween(random, 0, most) }, () => BigInt(integerBetween(random, 0, 90_000_000)))
    const highest = (all: readonly bigint[]) => all.reduce((most, fee) => (fee > most ? fee : most), minimum)
    for (let round = 0; round < 300; round += 1) {
      const [included, pooled] = [fees(round % 2 === 0 ? 6 : 300), fees(round % 3 === 0 ? 6 : 300)]
      for (const [inBlocks, waiting] of [
        [included, pooled],
        [[...included, absurd], pooled],
        [included, [...pooled, absurd]],
      ] as const) {
        const { economy, normal, fast } = suggested(inBlocks, waiting)
        expect([economy >= minimum, normal >= economy, fast >= normal]).toEqual([true, true, true])
        expect(fast <= highest([...included, ...pooled])).toBe(true)
      }
    }
  })
})
