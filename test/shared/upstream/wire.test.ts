import { describe, expect, test } from '@jest/globals'
import { WireError } from '../../../shared/upstream/errors.ts'
import { operation } from '../../../shared/upstream/operation.ts'
import {
  anyText,
  called,
  commandId,
  consistent,
  count,
  flag,
  hash,
  listOf,
  nanomina,
  networkId,
  nullable,
  shape,
  shortText,
  text,
  word,
} from '../../../shared/upstream/wire.ts'

const block = shape({
  hash: text,
  height: count,
  total: nanomina,
  canonical: flag,
  parent: nullable(shape({ hash: text })),
})
const latest = operation(
  'node',
  'query',
  'latest',
  '$n: Int!',
  shape({
    blocks: called('blocks(n: $n)', listOf(block), (blocks, { n }) => blocks.length <= Number(n)),
    tip: called('blocks(n: 1)', listOf(shape({ hash: text }))),
  }),
)

test('the document selects exactly what is read', () => {
  expect(latest.document).toBe(
    'query latest($n: Int!) {blocks(n: $n){hash height total canonical parent{hash}} tip:blocks(n: 1){hash}}',
  )
})

test('an operation without variables declares none', () => {
  expect(operation('node', 'query', 'status', '', shape({ chainId: text })).document).toBe('query status {chainId}')
})

test('an answer is read field by field, and unknown fields are dropped', () => {
  const wire = { hash: 'a', height: '12', total: '805385692840039233', canonical: true, parent: null, extra: 1 }
  expect(
    latest.data.read({ blocks: [wire, { ...wire, height: 7, total: 5, parent: { hash: 'b' } }], tip: [] }, 'data', {
      n: 2,
    }),
  ).toEqual({
    blocks: [
      { hash: 'a', height: 12, total: 805385692840039233n, canonical: true, parent: null },
      { hash: 'a', height: 7, total: 5n, canonical: true, parent: { hash: 'b' } },
    ],
    tip: [],
  })
})

describe('a broken promise is named by its path', () => {
  const good = { hash: 'a', height: '12', total: '1', canonical: true, parent: null }
  const integer = 'an integer from 0 to 2^53-1'
  const amount = 'an unsigned integer of nanomina'
  test.each([
    [{ hash: '' }, 'block.hash: wanted text of 1 to 4000 characters, got string'],
    [{ hash: undefined }, 'block.hash: wanted text of 1 to 4000 characters, got undefined'],
    [{ height: null }, `block.height: wanted ${integer}, got null`],
    [{ height: '9007199254740992' }, `block.height: wanted ${integer}, got string`],
    [{ height: 1.5 }, `block.height: wanted ${integer}, got number`],
    [{ height: Number.NaN }, `block.height: wanted ${integer}, got number`],
    [{ height: -0 }, `block.height: wanted ${integer}, got number`],
    [{ height: '5.0' }, `block.height: wanted ${integer}, got string`],
    [{ total: '-1' }, `block.total: wanted ${amount}, got string`],
    [{ total: '1e9' }, `block.total: wanted ${amount}, got string`],
    [{ total: 2 ** 53 }, `block.total: wanted ${amount}, got number`],
    [{ total: -1n }, `block.total: wanted ${amount}, got bigint`],
    [{ canonical: 'true' }, 'block.canonical: wanted true or false, got string'],
    [{ parent: undefined }, 'block.parent: wanted an object, got undefined'],
    [{ parent: [] }, 'block.parent.hash: wanted text of 1 to 4000 characters, got undefined'],
  ])('%j', (change, message) => {
    expect(() => block.read({ ...good, ...change }, 'block')).toThrow(new WireError('unreadable', message))
  })

  test.each([
    [null, block, 'it: wanted an object, got null'],
    ['x', block, 'it: wanted an object, got string'],
    [['a', 5], listOf(text), 'it[1]: wanted text of 1 to 4000 characters, got number'],
    [{}, listOf(text), 'it: wanted a list, got object'],
  ])('%j', (value, type, message) => {
    expect(() => type.read(value, 'it')).toThrow(new WireError('unreadable', message))
  })
})

describe('an answer that does not fit its question', () => {
  const tip = { blocks: [], tip: [] }
  const one = { hash: 'a', height: '12', total: '1', canonical: true, parent: null }

  test('is a mismatch, named by its path', () => {
    expect(() => latest.data.read({ ...tip, blocks: [one, one] }, 'data', { n: 1 })).toThrow(
      new WireError('mismatched', 'data.blocks: does not fit the question, or itself'),
    )
    expect(() => listOf(consistent(text, (value) => value === 'a')).read(['a', 'b'], 'list')).toThrow(
      new WireError('mismatched', 'list[1]: does not fit the question, or itself'),
    )
  })

  test('fits no call with a variable when it is read without its question', () => {
    expect(() => latest.data.read({ ...tip, blocks: [one] }, 'data')).toThrow(WireError)
  })

  test('must be described for a call with a variable', () => {
    // @ts-expect-error a call with a variable says what fits it
    called('block(hash: $hash)', block)
    // @ts-expect-error nor can a text that the compiler does not know be taken for one without a variable
    called(String('tip'), block)
    called('tip', block)
  })
})

test.each([
  ['a hash', hash, 100, '-'],
  ['a command id', commandId, 4000, '\n'],
])('%s has a bounded length, since it goes into a header or a body as it is', (_what, type, maxLength, foreign) => {
  const taken = ['A'.repeat(maxLength), '5JuV1y4fvY9RUnhDgfhFKDLzFzSD2ZEZYzCvoY7D3Vp2SWkBqBWz']
  expect(taken.map((text) => type.read(text, 'it'))).toEqual(taken)
  for (const text of ['', 'A'.repeat(maxLength + 1), `A${foreign}`]) {
    expect(() => type.read(text, 'it')).toThrow(WireError)
  }
})

test.each([
  ['a short text', shortText, 100],
  ['a short text that may be empty', anyText, 100],
  ['a text', text, 4000],
  ['a value of an enumeration', word, 30],
  ['the name of a network', networkId, 60],
  ['an amount', nanomina, 39],
  ['an integer', count, 39],
])('%s is never longer than %i characters', (_what, type, maxLength) => {
  const longest = type === nanomina || type === count ? '0'.repeat(maxLength) : 'A'.repeat(maxLength)
  expect(() => type.read(longest, 'it')).not.toThrow()
  for (const more of [1, 200_000]) {
    expect(() => type.read(longest.padEnd(maxLength + more, longest), 'it')).toThrow(WireError)
  }
})

test('a command id is base64, or base58check as before the Berkeley fork', () => {
  const ids = ['/eDIEAAGMJEiShhtjKLvO2wE+MQH+DQUA//8iAQAA==', '4Rs6xMHVyo1HmXm4pTNCa3vrPvRZ6XGF7cT5jhKGunHHkYCM']
  expect(ids.map((id) => commandId.read(id, 'it'))).toEqual(ids)
})
