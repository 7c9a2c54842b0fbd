import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { typed } from '../../packages/client/src/amounts.ts'
import { formatMina, nanominaOf } from '../../packages/client/src/client.ts'
import { parseExact } from '../../packages/client/src/exact-json.ts'
import { contracts } from '../../shared/endpoints/all.ts'
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

interface Schema {
  readonly 'x-unit'?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly then?: Schema
}

/** A value of the schema as it is parsed, and as it is typed: each integer is 7. Alternatives are a list of all. */
function sampleOf(schema: Schema): readonly [parsed: unknown, typed: unknown] {
  const { anyOf, oneOf, then } = schema
  if (schema['x-unit'] === 'nanomina') return [7n, 7n]
  const several = anyOf ?? oneOf ?? then?.oneOf ?? (schema.items && [schema.items])
  if (several) {
    const samples = several.map(sampleOf)
    return [samples.map(([parsed]) => parsed), samples.map(([, typed]) => typed)]
  }
  if (schema.properties) {
    const samples = Object.entries(schema.properties).map(([key, member]) => [key, ...sampleOf(member)] as const)
    const [parsed, typed] = [1, 2].map((at) => Object.fromEntries(samples.map((sample) => [sample[0], sample[at]])))
    return [parsed, typed]
  }
  return [schema.type].flat().includes('integer') ? [7n, 7] : ['7', '7']
}

describe('a parsed body', () => {
  const height = fc.integer({ min: 0 })
  const list = fc.array(fc.record({ amount: nanominas, nonce: height, deep: fc.record({ amount: nanominas }) }))
  const tokenChanges = fc.array(fc.record({ amount: height }))
  const bodies = fc.record({ fee: nanominas, height, list, tokenChanges, memo: fc.string() })
  const printed = (body: object) =>
    JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? `bigint ${value}` : value)).replace(
      /"bigint (\d+)"/g,
      '$1',
    )

  test.each(
    Object.entries(contracts).flatMap(([name, { responses }]): [string, Schema][] => [
      [name, (responses[200] ?? responses[201])?.schema ?? {}],
    ]),
  )('of %s has just the amounts of the contract as bigint', (_, schema) => {
    const [parsed, expected] = sampleOf(schema)
    expect(typed(parsed)).toEqual(expected)
  })

  test('has only its amounts as bigint, to the last digit', () => {
    const check = (body: object) => expect(typed(parseExact(printed(body)))).toEqual(body)
    fc.assert(fc.property(bodies, check), { seed: 14 })
  })

  test('may have keys of any name', () => {
    const body = typed(parseExact('{"__proto__":{"nonce":1},"constructor":{"nonce":2},"fee":3,"toString":4}'))
    const expected = { ['__proto__']: { nonce: 1 }, constructor: { nonce: 2 }, fee: 3n, toString: 4 }
    expect(Object.entries(Object(body))).toEqual(Object.entries(expected))
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
  })
})
