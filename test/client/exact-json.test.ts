// Both parsers over the same texts: one reads the source of numbers, the other is for a runtime that does not show it.
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseBySyntax, parseExact, parseWithSource } from '../../client/src/exact-json.ts'

/** A JSON text and its meaning. */
interface Sample {
  readonly text: string
  readonly value: unknown
}

const hostile = [
  ...['12345678901234567890', ':12345678901234567890,', '{"fee":12345678901234567890}', '"12345678901234567890"'],
  ...['\\"1', '\\', '\\\\', '"', ']}', ' ', '\u2028', '\ud800', '__proto__', 'constructor', 'toJSON', '1', ''],
]
const texts = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => escapeOf(text.charCodeAt(index))).join('')

/** A text as `JSON.stringify` prints it, or each of its characters as an escape. */
const textSamples = fc
  .tuple(texts, fc.boolean())
  .map(([value, isEscaped]): Sample => ({ text: isEscaped ? `"${escaped(value)}"` : JSON.stringify(value), value }))

/** V8 13.6 takes the key `"` for the key `\\`, where it has read an object with that one before, with and without a reviver. */
const keySamples = textSamples.filter(({ value }) => !String(value).includes('\\'))

const integers = fc
  .oneof(fc.bigInt(), fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, 0n))
  .map((value): Sample => ({ text: String(value), value }))

const fractions = fc
  .tuple(
    fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
    fc.constantFrom('.0', '.5', '.999999999999999999', 'e0', 'E+3', '.25e-7'),
  )
  .map(([whole, rest]): Sample => ({ text: `${whole}${rest}`, value: Number(`${whole}${rest}`) }))

const words = fc.constantFrom(true, false, null).map((value): Sample => ({ text: String(value), value }))
const blanks = fc.constantFrom('', ' ', '\n', '\t \r\n')

const { sample: samples } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    integers,
    fractions,
    words,
    textSamples,
    fc.tuple(fc.array(tie('sample'), { maxLength: 5 }), blanks).map(([items, blank]) => ({
      text: `[${blank}${items.map(({ text }) => text + blank).join(`,${blank}`)}]`,
      value: items.map(({ value }) => value),
    })),
    fc.tuple(fc.array(fc.tuple(keySamples, tie('sample')), { maxLength: 5 }), blanks).map(([members, blank]) => ({
      text: `{${blank}${members.map(([key, { text }]) => `${key.text}${blank}:${blank}${text}`).join(`${blank},`)}}`,
      value: Object.fromEntries(members.map(([key, { value }]) => [key.value, value])),
    })),
  ),
}))

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

describe.each(Object.entries({ parseWithSource, parseBySyntax }))('%s', (_, parse) => {
  test('keeps every digit of every integer, at any place, and leaves texts alone', () => {
    fc.assert(
      fc.property(samples, ({ text, value }) => isDeepStrictEqual(parse(text), value)),
      runs,
    )
  })

  test('refuses the texts that JSON.parse refuses, and no other', () => {
    const refusals = new Set<boolean>()
    fc.assert(
      fc.property(damagedTexts, (text) => {
        refusals.add(isRefused(JSON.parse, text))
        return isRefused(parse, text) === isRefused(JSON.parse, text)
      }),
      runs,
    )
    expect(refusals.size).toBe(2)
  })

  test('takes the last of equal keys, and __proto__ for a key like any other', () => {
    const parsed = parse('{"a":1,"b":2,"a":3,"__proto__":{"x":4}}')
    expect(Object.entries(Object(parsed))).toEqual(Object.entries({ a: 3n, b: 2n, ['__proto__']: { x: 4n } }))
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })
})

test('parseExact also works where JSON.parse does not show the source of numbers', () => {
  const { parse } = JSON
  expect(parseExact('[1166062074840039233]')).toEqual([1166062074840039233n])
  JSON.parse = (text: string, reviver?: (key: string, value: unknown) => unknown) =>
    parse(text, reviver && ((key, value) => reviver(key, value)))
  try {
    expect(parseExact('[1166062074840039233]')).toEqual([1166062074840039233n])
    expect(() => parseWithSource('[1]')).toThrow(TypeError)
  } finally {
    JSON.parse = parse
  }
})
