import { describe, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { jsonInteger } from '../../../shared/mapping/amounts.ts'
import { parseExactJson, printExactJson } from '../../../shared/mapping/exact-json.ts'
import { nanomina } from '../../../shared/upstream/wire.ts'

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

describe('exact JSON', () => {
  test('every unsigned 64-bit integer keeps its digits through parse, map and print', () => {
    fc.assert(
      fc.property(uint64, (integer) => {
        const text = `{"list":[${integer}],"amount":${integer},"text":"${integer}"}`
        const { list, amount, text: digits } = parseExactJson(text) as Record<string, unknown>
        const mapped = {
          list: (list as unknown[]).map((item) => jsonInteger(nanomina.read(item, 'list'))),
          amount: jsonInteger(nanomina.read(amount, 'amount')),
          text: String(nanomina.read(digits, 'text')),
        }
        expect(printExactJson(mapped)).toBe(text)
      }),
      { seed: 1, numRuns: 2000 },
    )
  })

  test('a value survives printing and parsing, whatever it holds', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.maxSafeInteger(),
      uint64.map((n) => n + 2n ** 53n),
    )
    const value = fc.letrec((tie) => ({
      node: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('node')), fc.dictionary(fc.string(), tie('node'))),
    })).node
    fc.assert(
      fc.property(value, (original) => {
        expect(parseExactJson(printExactJson(original))).toEqual(original)
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  test.each([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['[1, 9007199254740993]', [1, 9007199254740993n]],
    ['[5.5, 87600.113456789]', [5.5, 87600.113456789]],
    ['{"a": 9007199254740993}', { a: 9007199254740993n }],
    ['{"a" :9007199254740993}', { a: 9007199254740993n }],
    ['{"a":"x: 9007199254740993"}', { a: 'x: 9007199254740993' }],
  ])('%s parses to its exact value', (text, value) => {
    expect(parseExactJson(text)).toEqual(value)
  })

  test('is parsed without a look at each value if only the seconds of a time have a point', () => {
    const text = '{"dateTime":"2026-11-28T10:38:50.000Z","list":["2026-11-28T10:38:50.027Z",7]}'
    const parse = jest.spyOn(JSON, 'parse')
    const parsed = parseExactJson(text)
    const given = parse.mock.calls
    parse.mockRestore()
    expect([parsed, given]).toEqual([JSON.parse(text), [[text]]])
  })

  test.each(['9007199254740991.4', '5.0', '1e3', '1E3', '-1.0', '1e30', '12345678901234568.5'])(
    '%s does not become an integer, though rounding would make it one',
    (number) => {
      expect(parseExactJson(`{"a":[${number}, 7],"b":${number}}`)).toEqual({ a: [Number.NaN, 7], b: Number.NaN })
    },
  )

  test('an integer of more than 100 digits is not read: a bigint of millions would block the process for seconds', () => {
    const digits = '9'.repeat(100)
    expect(parseExactJson(`[${digits}]`)).toEqual([BigInt(digits)])
    expect(parseExactJson(`[${digits}99,-${digits}9,"${digits}9"]`)).toEqual([Number.NaN, Number.NaN, `${digits}9`])
  })

  test('is printed by this function only: JSON.stringify refuses a bigint, also after a failed print', () => {
    const circle: Record<string, unknown> = { integer: 9007199254740993n }
    expect(printExactJson(circle)).toBe('{"integer":9007199254740993}')
    expect(() => JSON.stringify(circle)).toThrow(TypeError)
    circle.self = circle
    expect(() => printExactJson(circle)).toThrow('circular')
    expect(Object.hasOwn(BigInt.prototype, 'toJSON')).toBe(false)
  })

  test('is refused with a SyntaxError if the text is not JSON', () => {
    expect(() => parseExactJson('{"a": 12345678901234567890')).toThrow(SyntaxError)
  })
})
