// Both ways to parse, over the same texts: with the source of numbers, and for a runtime that does not show it.
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseBySyntax, parseExact, parseWithSource } from '../../client/src/exact-json.ts'

const parsers = { parseWithSource, parseBySyntax }

/** A JSON text and what it means. */
interface Sample {
  readonly text: string
  readonly value: unknown
}

const hostile = [
  '12345678901234567890',
  ':12345678901234567890,',
  '{"fee":12345678901234567890}',
  '"12345678901234567890"',
  '\\"1',
  '\\',
  '\\\\',
  '"',
  ']}',
  ' ',
  '\u2028',
  '\ud800',
  '__proto__',
  'constructor',
  'toJSON',
  '1',
  '',
]

const texts = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join(
    '',
  )

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

const words = fc.constantFrom<Sample>(
  { text: 'true', value: true },
  { text: 'false', value: false },
  { text: 'null', value: null },
)

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

describe.each(Object.entries(parsers))('%s', (_name, parse) => {
  test('keeps every digit of every integer, wherever it is, and takes nothing inside a text for one', () => {
    fc.assert(
      fc.property(samples, ({ text, value }) => isDeepStrictEqual(parse(text), value)),
      { numRuns: 2000, seed: 14 },
    )
  })

  test('refuses just what JSON.parse refuses', () => {
    const damaged = fc
      .tuple(samples, fc.nat(), fc.constantFrom('', '"', '\\', ',', '}', '[', '1', '-', '.', 'e', 'n'))
      .map(([{ text }, place, inserted]) => {
        const at = place % (text.length + 1)
        return text.slice(0, at) + inserted + text.slice(inserted === '' ? at + 1 : at)
      })
    const isRefused = (parser: (text: string) => unknown, text: string): boolean => {
      try {
        parser(text)
        return false
      } catch {
        return true
      }
    }
    const outcomes = new Set<boolean>()
    fc.assert(
      fc.property(damaged, (text) => {
        outcomes.add(isRefused(JSON.parse, text))
        return isRefused(parse, text) === isRefused(JSON.parse, text)
      }),
      { numRuns: 2000, seed: 14 },
    )
    expect([...outcomes].sort()).toEqual([false, true])
  })

  test('takes the last of equal keys, and a key named __proto__ for a key', () => {
    const parsed = parse('{"a":1,"b":2,"a":3,"__proto__":{"x":4}}')
    expect(Object.entries(Object(parsed))).toEqual([
      ['a', 3n],
      ['b', 2n],
      ['__proto__', { x: 4n }],
    ])
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })
})

test('the parser is chosen by what the runtime can do', () => {
  const { parse } = JSON
  const withoutSource = (text: string, reviver?: (key: string, value: unknown) => unknown) =>
    parse(text, reviver && ((key, value) => reviver(key, value)))
  expect(parseExact('[1166062074840039233]')).toEqual([1166062074840039233n])
  JSON.parse = withoutSource
  try {
    expect(parseExact('[1166062074840039233]')).toEqual([1166062074840039233n])
    expect(() => parseWithSource('[1]')).toThrow(TypeError)
  } finally {
    JSON.parse = parse
  }
})
