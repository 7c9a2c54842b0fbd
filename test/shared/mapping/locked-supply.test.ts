import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { lockedNanominaAt, parseLockedSupply } from '../../../shared/mapping/locked-supply.ts'

describe('a table of locked supply', () => {
  test('has slots and nanomina, exact to the last digit', () => {
    const csv =
      'slot,locked\n0,214997828.206981533\n36480,194970949.7\n691200,0.0381888\n691201,0\n4294967295,18446744073\n'
    expect(parseLockedSupply(csv)).toEqual([
      { slot: 0, lockedNanomina: 214_997_828_206_981_533n },
      { slot: 36_480, lockedNanomina: 194_970_949_700_000_000n },
      { slot: 691_200, lockedNanomina: 38_188_800n },
      { slot: 691_201, lockedNanomina: 0n },
      { slot: 4_294_967_295, lockedNanomina: 18_446_744_073_000_000_000n },
    ])
  })

  test('without a row is empty', () => {
    expect(['', 'slot,locked', 'slot,locked\n'].map(parseLockedSupply)).toEqual([[], [], []])
  })

  test('ends its lines as any system does', () => {
    const table = [{ slot: 1, lockedNanomina: 2_000_000_000n }]
    const texts = ['slot,locked\n1,2', 'slot,locked\n1,2\n', 'slot,locked\r\n1,2', 'slot,locked\r\n1,2\r\n']
    expect(texts.map(parseLockedSupply)).toEqual(texts.map(() => table))
  })
})

describe('a table of locked supply is refused for', () => {
  const wantsRow = 'wants a slot and MINA such as "36480,194970949.707368199"'

  test.each([
    ['another header', 'slot;locked\n1,2', 'line 1: got "slot;locked", wants "slot,locked"'],
    ['no header', '1,2\n', 'line 1: got "1,2", wants "slot,locked"'],
    ['an empty line within', 'slot,locked\n1,2\n\n3,4\n', `line 3: got "", ${wantsRow}`],
    ['a third column', 'slot,locked\n1,2,3', `line 2: got "1,2,3", ${wantsRow}`],
    ['a negative amount', 'slot,locked\n1,-2', `line 2: got "1,-2", ${wantsRow}`],
    ['a tenth fractional digit', 'slot,locked\n1,0.0000000001', `line 2: got "1,0.0000000001", ${wantsRow}`],
    ['space', 'slot,locked\n1, 2', `line 2: got "1, 2", ${wantsRow}`],
    ['a long line, shown in part', `slot,locked\n${'9'.repeat(99)}`, `line 2: got "${'9'.repeat(80)}…", ${wantsRow}`],
    [
      'a slot that goes back',
      'slot,locked\n9,1\n10,2\n9,3',
      'line 4: got slot 9, wants one above 10, the slot before it',
    ],
    ['a slot twice', 'slot,locked\n9,1\n09,2', 'line 3: got slot 9, wants one above 9, the slot before it'],
  ])('%s', (_case, csv, message) => {
    expect(() => parseLockedSupply(csv)).toThrow(new Error(message))
  })
})

test('the amount locked at a slot is that of the last entry at or before it, and 0 before the first', () => {
  const slots = fc.uniqueArray(fc.integer({ min: 0, max: 30 })).map((some) => some.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(slots, fc.integer({ min: 0, max: 31 }), (ascending, slot) => {
      const entries = ascending.map((at) => ({ slot: at, lockedNanomina: BigInt(at) + 100n }))
      const reached = Math.max(...ascending.filter((at) => at <= slot))
      expect(lockedNanominaAt(entries, slot)).toBe(reached >= 0 ? BigInt(reached) + 100n : 0n)
    }),
    { seed: 24 },
  )
})
