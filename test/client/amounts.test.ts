import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { typed } from '../../client/src/amounts.ts'
import { formatMina, nanominaOf } from '../../client/src/client.ts'
import { parseExact } from '../../client/src/exact-json.ts'
import { minaDecimal } from '../../shared/mapping/amounts.ts'

const nanominas = fc.bigInt({ min: 0n, max: 2n ** 64n })

describe('nanominaOf', () => {
  test.each([
    ['0', 0n],
    ['1.5', 1_500_000_000n],
    ['007.000000001', 7_000_000_001n],
  ])('reads %s MINA exactly', (mina, nanomina) => {
    expect(nanominaOf(mina)).toBe(nanomina)
  })

  test('reads every amount that the service writes', () => {
    const isSame = (nanomina: bigint) => nanominaOf(minaDecimal(nanomina)) === nanomina
    fc.assert(fc.property(nanominas, isSame), { seed: 14 })
  })

  test.each(['', '1.', '.5', '-1', '+1', '1e9', '1,5', ' 1', '0x1', '1.0000000001', '1.5 MINA', 'NaN'])(
    'refuses %j',
    (mina) => {
      expect(() => nanominaOf(mina)).toThrow(RangeError)
    },
  )
})

test('formatMina writes each amount in full, with no needless zero, and nanominaOf reads it back', () => {
  expect([0n, 1n, 10n ** 10n, 1_500_000_000n, -20_000_000n].map(formatMina)).toEqual([
    ...['0', '0.000000001', '10', '1.5', '-0.02'],
  ])
  const isSame = (nanomina: bigint) =>
    nanominaOf(formatMina(nanomina)) === nanomina && !/\.\d*0$/.test(formatMina(nanomina))
  fc.assert(fc.property(nanominas, isSame), { seed: 14 })
})

describe('a parsed body', () => {
  const amounts = { fee: true, list: { amount: true, deep: { amount: true } } } as const
  const height = fc.integer({ min: 0 })
  const deep = fc.record({ amount: nanominas })
  const list = fc.array(fc.record({ amount: nanominas, nonce: height, fee: height, deep }))
  const bodies = fc.record({ fee: nanominas, height, list, memo: fc.string() })
  const printed = (body: object) =>
    JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? `bigint ${value}` : value)).replace(
      /"bigint (\d+)"/g,
      '$1',
    )

  test('has only its amounts as bigint, whatever other fields are called', () => {
    const check = (body: object) => expect(typed(parseExact(printed(body)), amounts)).toEqual(body)
    fc.assert(fc.property(bodies, check), { seed: 14 })
  })

  test('may have keys of any name', () => {
    const body = typed(parseExact('{"__proto__":{"fee":1},"constructor":{"fee":2},"fee":3,"toString":4}'), amounts)
    const expected = { ['__proto__']: { fee: 1 }, constructor: { fee: 2 }, fee: 3n, toString: 4 }
    expect(Object.entries(Object(body))).toEqual(Object.entries(expected))
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
  })
})
