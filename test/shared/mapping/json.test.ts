import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  httpDate,
  isMinaToken,
  isoTime,
  jsonInteger,
  minaDecimal,
  parseExactJson,
  printExactJson,
} from '../../../shared/mapping/json.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
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
    ['{"a":"x: 9007199254740993"}', { a: 'x: 9007199254740993' }],
  ])('%s parses to its exact value', (text, value) => {
    expect(parseExactJson(text)).toEqual(value)
  })

  test.each(['9007199254740991.4', '5.0', '1e3', '1E3', '-1.0', '1e30', '12345678901234568.5'])(
    '%s does not become an integer, though rounding would make it one',
    (number) => {
      expect(parseExactJson(`{"a":[${number}, 7],"b":${number}}`)).toEqual({ a: [Number.NaN, 7], b: Number.NaN })
    },
  )

  test('is printed by this function only: JSON.stringify refuses a bigint, also after a failed print', () => {
    const circle: Record<string, unknown> = { integer: 9007199254740993n }
    expect(printExactJson(circle)).toBe('{"integer":9007199254740993}')
    expect(() => JSON.stringify(circle)).toThrow(TypeError)
    circle.self = circle
    expect(() => printExactJson(circle)).toThrow('circular')
    expect(Object.hasOwn(BigInt.prototype, 'toJSON')).toBe(false)
  })

  test('is refused with a SyntaxError where the text is not JSON', () => {
    expect(() => parseExactJson('{"a": 12345678901234567890')).toThrow(SyntaxError)
  })
})

describe('MINA decimals', () => {
  test.each([
    [0n, '0.000000000'],
    [1n, '0.000000001'],
    [1_000_000_000n, '1.000000000'],
    [805_385_692_840_039_233n, '805385692.840039233'],
    [18_446_744_073_709_551_615n, '18446744073.709551615'],
  ])('%s nanomina is %s MINA', (nanomina, mina) => {
    expect(minaDecimal(nanomina)).toBe(mina)
  })

  test('the decimal point only ever moves by nine digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (nanomina) => {
        const [whole = '', fraction = ''] = minaDecimal(nanomina).split('.')
        expect(fraction).toHaveLength(9)
        expect(BigInt(whole + fraction)).toBe(nanomina)
      }),
      { seed: 3 },
    )
  })
})

test('an integer is a number up to 2^53 - 1, a bigint beyond', () => {
  expect([2n ** 53n - 1n, 2n ** 53n].map(jsonInteger)).toEqual([9007199254740991, 9007199254740992n])
})

describe('times', () => {
  test('of blocks are ISO-8601 with milliseconds, of the summary HTTP dates', () => {
    expect(isoTime(1615939200000)).toBe('2021-03-17T00:00:00.000Z')
    expect(httpDate(1615939200000)).toBe('Wed, 17 Mar 2021 00:00:00 GMT')
  })

  test('past the last date are upstream faults', () => {
    expect(() => isoTime(8_640_000_000_000_001)).toThrow(WireError)
    expect(() => httpDate(8_640_000_000_000_001)).toThrow(WireError)
  })
})

test('the MINA token is recognised in its old and its new form, and other tokens are not', () => {
  expect(['wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf', '1', '2'].map(isMinaToken)).toEqual([true, true, false])
})
