// The parser of every answer, over random and damaged texts.
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseExact } from '../../packages/client/src/exact-json.ts'

const hostile = [
  ...['12345678901234567890', ':12345678901234567890,', '{"fee":12345678901234567890}', '"12345678901234567890"'],
  ...['\\"1', '\\', '\\\\', '"', ']}', ' ', '\u2028', '\ud800', '__proto__', 'constructor', 'toJSON', '1', ''],
]
const texts = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

/** V8 13.6 takes the key `"` for the key `\\`, where it has read an object with that one before, with and without a reviver. */
const keys = texts.filter((key) => !key.includes('\\'))

const integers = fc.oneof(fc.bigInt(), fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.constant(2n ** 53n + 1n))
/** Whole ones too, since they are printed with an exponent; never -0. */
const fractions = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((value) => value + 0)

const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    ...[integers, fractions, texts, fc.constantFrom(true, false, null)],
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
  ),
}))

const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`

interface Style {
  readonly blank: string
  /** Prints each character of a text as an escape. */
  readonly isEscaped: boolean
}
const styles = fc.record<Style>({
  blank: fc.constantFrom('', ' ', '\n', '\t \r\n'),
  isEscaped: fc.boolean(),
})

function printed(value: unknown, style: Style): string {
  const { blank, isEscaped } = style
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return value.toExponential()
  if (typeof value === 'string') return isEscaped ? escaped(value) : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const list = (items: readonly string[]) => blank + items.join(`${blank},${blank}`) + blank
  if (Array.isArray(value)) return `[${list(value.map((item) => printed(item, style)))}]`
  const members = Object.entries(value).map(([key, item]) => `${printed(key, style)}${blank}:${printed(item, style)}`)
  return `{${list(members)}}`
}

const samples = fc.tuple(values, styles).map(([value, style]) => ({ value, text: printed(value, style) }))

const damagedTexts = fc
  .tuple(samples, fc.nat(), fc.constantFrom('', '"', '\\', ',', '}', '[', '1', '-', '.', 'e', 'n'))
  .map(([{ text }, place, inserted]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + inserted + text.slice(inserted === '' ? at + 1 : at)
  })

const isRefused = (parse: (text: string) => unknown, text: string): boolean => {
  try {
    parse(text)
    return false
  } catch {
    return true
  }
}
const runs = { numRuns: 2000, seed: 14 }

describe('parseExact', () => {
  test('keeps every digit of every integer, at any place, and leaves texts alone', () => {
    fc.assert(
      fc.property(samples, ({ text, value }) => isDeepStrictEqual(parseExact(text), value)),
      runs,
    )
  })

  test('refuses the texts that JSON.parse refuses, and no other', () => {
    const refusals = new Set<boolean>()
    fc.assert(
      fc.property(damagedTexts, (text) => {
        refusals.add(isRefused(JSON.parse, text))
        return isRefused(parseExact, text) === isRefused(JSON.parse, text)
      }),
      runs,
    )
    expect(refusals.size).toBe(2)
  })

  test('tells texts that look like its own marks from integers, and integers from other numbers', () => {
    const text = '["n5","t5","5",5,-5,0,-0,5.0,5e0,0.5,{"n5":"n","t":{"5":5}}]'
    expect(parseExact(text)).toEqual(['n5', 't5', '5', 5n, -5n, 0n, 0n, 5, 5, 0.5, { n5: 'n', t: { 5: 5n } }])
  })

  test('takes the last of equal keys, and __proto__ for a key like any other', () => {
    const parsed = parseExact('{"a":1,"b":2,"a":3,"__proto__":{"x":4}}')
    expect(Object.entries(Object(parsed))).toEqual(Object.entries({ a: 3n, b: 2n, ['__proto__']: { x: 4n } }))
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })
})
