import { describe, expect, test } from '@jest/globals'
import { keepingAnswers } from '../../../../functions/runtime/upstreams/kept-answers.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import { called, listOf, shape, text } from '../../../../shared/upstream/wire.ts'
import { recordingQuestions, replying } from '../../../shared/endpoints/asking.ts'

const ledger = operation(
  'indexer',
  'query',
  'ledger',
  '$hash: String!',
  shape({ rows: called('rows(hash: $hash)', listOf(text), () => true) }),
  { rowsToKeep: ({ rows }) => rows.length },
)
const tip = operation('node', 'query', 'tip', '', shape({ hash: text }))

describe('answers that never change', () => {
  test('are asked for once, each by its variables', async () => {
    const { context, asked } = recordingQuestions(replying({ data: { rows: ['a'] } }))
    const keeping = keepingAnswers(context.query)
    const replies = [await keeping(ledger, { hash: '1' }), await keeping(ledger, { hash: '1' })]
    await keeping(ledger, { hash: '2' })
    expect(replies[0]).toEqual(replies[1])
    expect(asked.map(({ variables }) => variables)).toEqual([{ hash: '1' }, { hash: '2' }])
  })

  test('are kept up to a number of rows; the longest unused goes first', async () => {
    const { context, asked } = recordingQuestions(replying({ data: { rows: ['a', 'b'] } }))
    const keeping = keepingAnswers(context.query, 4)
    for (const hash of ['1', '2', '1', '3', '1', '2']) await keeping(ledger, { hash })
    expect(asked.map(({ variables }) => variables)).toEqual([
      { hash: '1' },
      { hash: '2' },
      { hash: '3' },
      { hash: '2' },
    ])
  })

  test('are asked for again after an hour', async () => {
    let now = Date.UTC(2026, 0, 1)
    const { context, asked } = recordingQuestions(replying({ data: { rows: ['a'] } }))
    const keeping = keepingAnswers(context.query, 4, () => now)
    for (const passedMs of [0, 3_599_999, 1, 3_599_999]) {
      now += passedMs
      await keeping(ledger, { hash: '1' })
    }
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['without rows', { data: { rows: [] } }],
    ['with an error', { data: { rows: ['a'] }, errors: ['no'] }],
  ])('%s are asked for again', async (_what, reply) => {
    const { context, asked } = recordingQuestions(replying(reply))
    const keeping = keepingAnswers(context.query)
    await keeping(ledger, { hash: '1' })
    await keeping(ledger, { hash: '1' })
    expect(asked).toHaveLength(2)
  })

  test('are no others', async () => {
    const { context, asked } = recordingQuestions(replying({ data: { hash: 'h' } }))
    const keeping = keepingAnswers(context.query)
    await keeping(tip, {})
    await keeping(tip, {})
    expect(asked).toHaveLength(2)
  })
})
