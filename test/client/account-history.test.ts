// The history of an account, page after page, over answers that a test has written.
import { describe, expect, test } from '@jest/globals'
import type { HistoryPage } from '../../client/src/client.ts'
import type { Labelled } from '../../client/src/reads.ts'
import { type Scripted, scriptedClient } from './scripted-service.ts'

const searched = { pool: true, fromHeight: 1, toHeight: 9, nodes: 1, indexer: true }
const item = (hash: string, amount: number | string = 5) =>
  `{"command":{"hash":"${hash}","amount":${amount},"nonce":3},"direction":"sent","confirmations":2}`
const page = (items: readonly string[], next?: string): Scripted => ({
  body: `{"transactions":[${items.join()}],"searched":${JSON.stringify(searched)}${next ? `,"next":"${next}"` : ''}}`,
})
const gone: Scripted = { status: 409, body: { message: 'The block of this cursor is not canonical any more.' } }

async function pagesOf(answers: readonly Scripted[]) {
  const { client, asked } = scriptedClient(answers)
  const pages: Labelled<HistoryPage>[] = []
  const error = await (async () => {
    for await (const one of client.transactionsOf('B62')) pages.push(one)
  })().catch((thrown: unknown) => thrown)
  const hashes = pages.map(({ value }) => value.transactions.map(({ command }) => command.hash))
  const questions = asked.map(({ url }) => new URL(url).search)
  return { pages, hashes, questions, error }
}

describe('the pages of a history', () => {
  test('follow each other by their cursors, with every digit of an amount', async () => {
    const { pages, hashes, questions } = await pagesOf([
      page([item('a'), item('b', '9007199254740993')], '8-3N'),
      page([item('c')]),
    ])
    expect([hashes, questions]).toEqual([
      [['a', 'b'], ['c']],
      ['', '?before=8-3N'],
    ])
    expect(pages[0]?.value).toEqual({
      transactions: [
        { command: { hash: 'a', amount: 5n, nonce: 3 }, direction: 'sent', confirmations: 2 },
        { command: { hash: 'b', amount: 9007199254740993n, nonce: 3 }, direction: 'sent', confirmations: 2 },
      ],
      searched,
    })
  })

  test('begin again after a 409, and give each command once', async () => {
    const answers = [
      page([item('a'), item('b')], '8-3N'),
      gone,
      page([item('d'), item('a')], '7-3N'),
      page([item('b'), item('c')]),
    ]
    const { hashes, questions, error } = await pagesOf(answers)
    expect([hashes, questions, error]).toEqual([
      [['a', 'b'], ['d'], ['c']],
      ['', '?before=8-3N', '', '?before=7-3N'],
      undefined,
    ])
  })

  test('end with the error where the first page is a 409, or nothing new comes between many', async () => {
    expect((await pagesOf([gone])).error).toMatchObject({ status: 409 })
    const again = Array.from({ length: 30 }, () => [page([item('a')], '8-3N'), gone]).flat()
    const { error, questions } = await pagesOf(again)
    expect([error, questions.length]).toEqual([expect.objectContaining({ status: 409 }), 22])
  })
})
