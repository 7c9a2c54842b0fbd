import { describe, expect, test } from '@jest/globals'
import { canonicalNumberFrom, heightForm, max32Bits } from '../../../../shared/contract/forms.ts'
import type { QueryDeclaration } from '../../../../shared/contract/query/kinds.ts'
import { faultText } from '../../../../shared/contract/query/read-options.ts'
import { readQuery } from '../../../../shared/contract/query/read-query.ts'
import { choiceOption, countOption, queryReader } from '../../../../shared/mapping/query-values.ts'

const publicKey = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'

/** The value of one option; its fault where it has one. */
const read = (options: QueryDeclaration, text: string) => {
  const [name = ''] = Object.keys(options)
  const { values, faults } = readQuery(options, { [name]: text }, '')
  return faultText(faults) || (values[name] ?? 'default')
}

describe('an option', () => {
  const limit = { limit: { kind: 'count', max: 10, default: 1 } } as const
  const nonce = { nonce: { kind: 'number', min: 0, max: max32Bits } } as const
  const from = { from: { kind: 'key' } } as const
  const noCount = 'limit must be a whole number, 1 or more, given once'
  const noNumber = 'nonce must be a whole number from 0 to 4294967295, given once'
  const noLeast = 'least must be a whole number from 0 to 9, given once'
  const noSize = 'size must be a whole number from 1 to 100, given once'
  const noKey = 'from must be a public key, given once'

  test.each([
    [
      limit,
      ['1', '7', '007', '10', '11', '9'.repeat(32), `${'0'.repeat(31)}2`],
      ['default', '7', '7', '10', '10', '10', '2'],
    ],
    [
      limit,
      ['', '0', '000', '-1', '1.0', '1e1', '0x1', ' 1', '1\n', '１', '1,1', '1'.repeat(33)],
      Array(12).fill(noCount),
    ],
    [nonce, ['0', '000', '7', '007', '4294967295'], ['0', '0', '7', '7', '4294967295']],
    [nonce, ['', '-0', '+1', '4294967296', '9'.repeat(32), '1,1', `${'0'.repeat(32)}1`], Array(7).fill(noNumber)],
    [
      { least: { kind: 'number', min: 0, max: 9, default: 0 } },
      ['0', '000', '9', '10'],
      ['default', 'default', '9', noLeast],
    ],
    [
      { size: { kind: 'number', min: 1, max: 100, default: 25 } },
      ['025', '1', '100', '0', '101'],
      ['default', '1', '100', noSize, noSize],
    ],
    [from, [publicKey], [publicKey]],
    [from, ['', `${publicKey},${publicKey}`, publicKey.slice(1), `${publicKey}1`], Array(4).fill(noKey)],
  ] satisfies [QueryDeclaration, string[], string[]][])('%j reads %j', (options, texts, expected) => {
    expect(texts.map((text) => read(options, text))).toEqual(expected)
  })

  test('that is a choice takes its words alone, and names them', () => {
    const view = { view: { kind: 'choice', values: ['block', 'header'], default: 'block' } } as const
    const noView = 'view must be block or header, given once'
    const texts = ['block', 'header', '', 'Header', 'header ', 'header,header', 'toString', '0']
    expect(texts.map((text) => read(view, text))).toEqual(['default', 'header', ...Array(6).fill(noView)])
  })

  test('that is a count has a greater maximum and default beside another option, in the query and in the function', () => {
    const options = {
      view: { kind: 'choice', values: ['block', 'header'], default: 'block' },
      limit: { kind: 'count', max: 10, default: 10, wider: { beside: 'view', text: 'header', max: 100 } },
    } as const
    const reader = queryReader(options, { choice: choiceOption, count: countOption })
    const both = (view: string | undefined, limit: string | undefined) => {
      const given = { ...(view !== undefined && { view }), ...(limit !== undefined && { limit }) }
      const { values } = reader.read(given, '')
      return [readQuery(options, given, '').values.limit, values.limit]
    }
    expect(['007', '10', '11', undefined].map((limit) => both(undefined, limit))).toEqual([
      ...[
        ['7', 7],
        [undefined, 10],
      ],
      ...[
        [undefined, 10],
        [undefined, 10],
      ],
    ])
    expect(['10', '99', '100', '101', undefined].map((limit) => both('header', limit))).toEqual([
      ...[
        ['10', 10],
        ['99', 99],
        [undefined, 100],
      ],
      ...[
        [undefined, 100],
        [undefined, 100],
      ],
    ])
    expect(faultText(readQuery(options, { view: 'all', limit: '0' }, '').faults)).toBe(
      `view must be block or header, given once; ${noCount}`,
    )
  })

  test('that a path does not have is refused whatever its value, unless it has no meaning anywhere', () => {
    const said = (given: Readonly<Record<string, string>>) => faultText(readQuery(limit, given, '/blocks').faults)
    const refusal = 'height is not an option here: use GET /blocks/height/{height} (options here: limit)'
    expect(['', '5', '5,6'].map((height) => said({ height }))).toEqual([refusal, refusal, refusal])
    expect(readQuery({ height: { kind: 'number', min: 0, max: 9 } }, { height: '5' }, '/blocks')).toEqual({
      values: { height: '5' },
      faults: [],
    })
    expect(readQuery(limit, { utm_id: '5', _: '1', limit: '7' }, '/blocks')).toEqual({
      values: { limit: '7' },
      faults: [],
    })
    expect(said({ heights: '5', limit: '0' })).toBe(`${noCount}; heights is not an option here (options here: limit)`)
  })
})

test('options that belong together come in one order, and each missing one is named', () => {
  const options = {
    from: { kind: 'key', level: 1 },
    nonce: { kind: 'number', min: 0, max: 9, level: 1 },
  } as const
  const said = (given: Readonly<Record<string, string>>) => faultText(readQuery(options, given, '').faults)
  expect(Object.entries(readQuery(options, { nonce: '07', from: publicKey, _: '1' }, '').values)).toEqual([
    ['from', publicKey],
    ['nonce', '7'],
  ])
  expect(readQuery(options, { _: '1' }, '')).toEqual({ values: {}, faults: [] })
  expect([said({ nonce: '7' }), said({ from: '' })]).toEqual([
    'from is missing: from, nonce are given together or not at all',
    'nonce is missing: from, nonce are given together or not at all; from must be a public key, given once',
  ])
})

test('a height has one spelling, without sign and leading zeros', () => {
  const texts = ['1', '360000', '2147483647', '0', '01', '+1', '-1', '1.0', '1e3', '', 'x', '2147483648', '٣', '1\n']
  expect(texts.map((text) => canonicalNumberFrom(text, heightForm))).toEqual([
    ...[1, 360_000, 2_147_483_647],
    ...Array(11).fill(undefined),
  ])
})
