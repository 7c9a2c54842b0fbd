import { expect, test } from '@jest/globals'
import { indexerQuery, inItsDialect, otherwiseCalled } from '../../../shared/upstream/indexer-query.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import { called, count, listOf, nullable, shape } from '../../../shared/upstream/wire.ts'

const tip = shape({ height: otherwiseCalled('blockHeight', count), slot: count })
const renamed = indexerQuery(
  'renamed',
  '',
  shape({ tip: called('block', nullable(tip)), blocks: called('blocks(limit: 1)', listOf(tip)) }),
)
const plain = indexerQuery('plain', '', shape({ version: count }))

const answer = (data: object): Reply => ({ status: 200, data, errors: [] })
const refusal: Reply = { status: 200, data: null, errors: ['Unknown field "height" on type "Block".'] }

/** An indexer that refuses each document with the name of a field. */
function indexerWithout(name: () => string) {
  const asked: string[] = []
  const query = inItsDialect(async ({ document }) => {
    asked.push(document)
    return new RegExp(`[{ ]${name()} `).test(document) ? refusal : answer({ tip: { height: 7, slot: 8 }, blocks: [] })
  })
  return { asked, query }
}

test('a field with another name in the other dialect is asked by it, deep in a document too, and read under its own', () => {
  expect(renamed).toMatchObject({
    document: 'query renamed {tip:block{height slot} blocks(limit: 1){height slot}}',
    otherDocument: 'query renamed {tip:block{height:blockHeight slot} blocks(limit: 1){height:blockHeight slot}}',
  })
  expect(plain).not.toHaveProperty('otherDocument')
})

test('an indexer that refuses a name is asked in the other dialect from then on, and back when it changes', async () => {
  let unknown = 'height'
  const { asked, query } = indexerWithout(() => unknown)
  const [one, other] = [renamed.document, renamed.otherDocument]
  expect(renamed.data.read((await query(renamed, {})).data, '')).toEqual({ tip: { height: 7, slot: 8 }, blocks: [] })
  await query(renamed, {})
  await query(plain, {})
  expect(asked.splice(0)).toEqual([one, other, other, plain.document])
  unknown = 'height:blockHeight'
  await query(renamed, {})
  expect(asked).toEqual([other, one])
})

test('an indexer that refuses both names is taken at its first word', async () => {
  const { query } = indexerWithout(() => '(?:height|height:blockHeight)')
  expect(await query(renamed, {})).toEqual(refusal)
})
