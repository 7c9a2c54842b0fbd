import { describe, expect, test } from '@jest/globals'
import { WireError } from '../../../shared/upstream/errors.ts'
import { operation } from '../../../shared/upstream/operation.ts'
import {
  called,
  commandId,
  consistent,
  count,
  flag,
  hash,
  listOf,
  nanomina,
  nullable,
  shape,
  text,
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
  test.each([
    [{ ...good, hash: '' }, 'block.hash: wanted text, got string'],
    [{ ...good, hash: undefined }, 'block.hash: wanted text, got undefined'],
    [{ ...good, height: null }, 'block.height: wanted an integer from 0 to 2^53-1, got null'],
    [{ ...good, height: '9007199254740992' }, 'block.height: wanted an integer from 0 to 2^53-1, got string'],
    [{ ...good, height: 1.5 }, 'block.height: wanted an integer from 0 to 2^53-1, got number'],
    [{ ...good, height: Number.NaN }, 'block.height: wanted an integer from 0 to 2^53-1, got number'],
    [{ ...good, height: -0 }, 'block.height: wanted an integer from 0 to 2^53-1, got number'],
    [{ ...good, height: '5.0' }, 'block.height: wanted an integer from 0 to 2^53-1, got string'],
    [{ ...good, parent: undefined }, 'block.parent: wanted an object, got undefined'],
    [{ ...good, total: '-1' }, 'block.total: wanted an unsigned integer of nanomina, got string'],
    [{ ...good, total: '1e9' }, 'block.total: wanted an unsigned integer of nanomina, got string'],
    [{ ...good, total: 2 ** 53 }, 'block.total: wanted an unsigned integer of nanomina, got number'],
    [{ ...good, total: -1n }, 'block.total: wanted an unsigned integer of nanomina, got bigint'],
    [{ ...good, canonical: 'true' }, 'block.canonical: wanted true or false, got string'],
    [{ ...good, parent: [] }, 'block.parent.hash: wanted text, got undefined'],
    [{ ...good, parent: 'x' }, 'block.parent: wanted an object, got string'],
    [null, 'block: wanted an object, got null'],
  ])('%j', (value, message) => {
    expect(() => block.read(value, 'block')).toThrow(new WireError('unreadable', message))
  })

  test('in a list, with the index', () => {
    expect(() => listOf(text).read(['a', 5], 'list')).toThrow(
      new WireError('unreadable', 'list[1]: wanted text, got number'),
    )
    expect(() => listOf(text).read({}, 'list')).toThrow(new WireError('unreadable', 'list: wanted a list, got object'))
  })
})

test('an absent key does not count as null', () => {
  const { parent: _absent, ...withoutParent } = { hash: 'a', height: 1, total: 1, canonical: true, parent: null }
  expect(() => block.read(withoutParent, 'block')).toThrow(
    new WireError('unreadable', 'block.parent: wanted an object, got undefined'),
  )
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
])('%s is bounded, since it goes into a header or a body as it is', (_what, type, longest, foreign) => {
  expect(type.read('A'.repeat(longest), 'it')).toBe('A'.repeat(longest))
  for (const value of ['', 'A'.repeat(longest + 1), `A${foreign}`]) {
    expect(() => type.read(value, 'it')).toThrow(WireError)
  }
})
