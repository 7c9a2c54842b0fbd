import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { typed } from '../../client/src/amounts.ts'
import { nanominaOf } from '../../client/src/client.ts'
import { parseBySyntax, parseWithSource } from '../../client/src/exact-json.ts'
import { minaDecimal } from '../../shared/mapping/units.ts'

describe('nanomina of a MINA text', () => {
  test.each([
    ['0', 0n],
    ['0.000000000', 0n],
    ['1.5', 1_500_000_000n],
    ['1166062074.840039233', 1_166_062_074_840_039_233n],
    ['007.000000001', 7_000_000_001n],
  ])('%s is exact', (mina, nanomina) => {
    expect(nanominaOf(mina)).toBe(nanomina)
  })

  test('is what the service wrote, for every amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), (nanomina) => nanominaOf(minaDecimal(nanomina)) === nanomina),
      { seed: 14 },
    )
  })

  test.each(['', '1.', '.5', '-1', '+1', '1e9', '1,5', ' 1', '0x1', '1.0000000001', '1.5 MINA', 'NaN'])(
    'does not exist for %j',
    (mina) => {
      expect(() => nanominaOf(mina)).toThrow(RangeError)
    },
  )
})

describe('a parsed body', () => {
  const amounts = { fee: true, list: { amount: true, deep: { amount: true } } } as const
  const nanomina = fc.bigInt({ min: 0n, max: 2n ** 64n })
  const height = fc.integer({ min: 0 })
  const bodies = fc.record({
    fee: nanomina,
    height,
    list: fc.array(fc.record({ amount: nanomina, nonce: height, fee: height, deep: fc.record({ amount: nanomina }) })),
    memo: fc.string(),
  })
  const printed = (body: object) =>
    JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? `bigint ${value}` : value)).replace(
      /"bigint (\d+)"/g,
      '$1',
    )

  test.each([
    ['with the source of numbers', parseWithSource],
    ['by its syntax', parseBySyntax],
  ])('%s has just its amounts as bigint, whatever other fields are called', (_how, parse) => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(typed(parse(printed(body)), amounts)).toEqual(body)
      }),
      { seed: 14 },
    )
  })

  test('may have keys of any name', () => {
    const text = '{"__proto__":{"fee":1},"constructor":{"fee":2},"fee":3,"toString":4}'
    const body = typed(parseBySyntax(text), amounts)
    expect(Object.entries(Object(body))).toEqual([
      ['__proto__', { fee: 1 }],
      ['constructor', { fee: 2 }],
      ['fee', 3n],
      ['toString', 4],
    ])
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
  })
})
