// The history of an account, page after page, over answers that a test has written.
import { describe, expect, test } from '@jest/globals'
import type { HistoryWalkOptions, WalkedPage } from '../../packages/client/src/client.ts'
import type { Labelled } from '../../packages/client/src/reads.ts'
import { type Scripted, scriptedClient } from './scripted-service.ts'

const searched = { pool: true, fromHeight: 1, toHeight: 9, nodes: 1, indexer: true }
const item = (hash: string, amount: number | string = 5, more = '') =>
  `{"command":{"hash":"${hash}","amount":${amount},"nonce":3},"block":{"stateHash":"3N${hash}"},"confirmations":2${more}}`
const block = (canonical: boolean): Scripted => ({ body: { block: { canonical } } })
const page = (items: readonly string[], next?: string): Scripted => ({
  body: `{"transactions":[${items.join()}],"searched":${JSON.stringify(searched)}${next ? `,"next":"${next}"` : ''}}`,
})
const endOfKnown = (indexer: boolean): Scripted => ({
  headers: { 'x-chain-height': '9', 'x-chain-state-hash': '3N', 'x-chain-time': '2026' },
  body: { transactions: [], searched: { ...searched, fromHeight: 5, indexer }, endOfKnown: true },
})
const gone: Scripted = { status: 409, body: { message: 'The block of this cursor is not canonical any more.' } }

async function pagesOf(answers: readonly Scripted[], options?: HistoryWalkOptions) {
  const { client, asked } = scriptedClient(answers)
  const pages: Labelled<WalkedPage>[] = []
  const error = await (async () => {
    for await (const one of client.transactionsOf('B62', options)) pages.push(one)
  })().catch((thrown: unknown) => thrown)
  const hashes = pages.map(({ value }) => value.transactions.map(({ command }) => command.hash))
  const questions = asked.map(({ url }) => url.replace(/.*?(\/blocks\/.*|\?.*|)$/, '$1'))
  const restarts = pages.flatMap(({ value }, index) => (value.restarted ? [index] : []))
  return { pages, hashes, questions, error, restarts }
}

describe('the pages of a history', () => {
  test('follow each other by their cursors, with every digit of an amount', async () => {
    const { pages, hashes, questions } = await pagesOf([
      page([item('a'), item('b', '9007199254740993')], '8-3N'),
      page([item('c')]),
      block(true),
    ])
    expect([hashes, questions]).toEqual([
      [['a', 'b'], ['c']],
      ['', '?before=8-3N', '/blocks/3Na'],
    ])
    const [first, second] = ['a', 'b'].map((hash) => ({ block: { stateHash: `3N${hash}` }, confirmations: 2, hash }))
    expect(pages[0]?.value).toEqual({
      transactions: [
        { command: { hash: 'a', amount: 5n, nonce: 3 }, block: first?.block, confirmations: 2 },
        { command: { hash: 'b', amount: 9007199254740993n, nonce: 3 }, block: second?.block, confirmations: 2 },
      ],
      searched,
    })
  })

  test.each<[string, readonly Scripted[], string]>([
    ['after a 409', [gone], '?before=8-3N'],
    ['where the newest command is on the chain no more', [page([item('c')]), block(false)], '/blocks/3Na'],
    [
      'where no node holds the block of the newest command',
      [page([item('c')]), { status: 404, body: { message: 'No.' } }],
      '/blocks/3Na',
    ],
  ])('begin again %s, so that a sum is that of one chain', async (_, answers, lastQuestion) => {
    const { pages, restarts, questions, error } = await pagesOf([
      page([item('a', 100), item('b')], '8-3N'),
      ...answers,
      page([item('d'), item('b')], '7-3N'),
      page([item('c')]),
      block(true),
    ])
    let sum = 0n
    for (const { value } of pages) {
      if (value.restarted) sum = 0n
      for (const { command } of value.transactions) sum += 'amount' in command ? command.amount : 0n
    }
    expect([sum, restarts, error]).toEqual([15n, [pages.length - 2], undefined])
    expect(questions.slice(-4)).toEqual([lastQuestion, '', '?before=7-3N', '/blocks/3Nd'])
  })

  test('of a part by time begin and end with it, and are asked for no further', async () => {
    const at = (hash: string, day: number) =>
      item(hash).replace(`"3N${hash}"`, `"3N${hash}","dateTime":"2026-01-0${day}T00:00:00.000Z"`)
    const answers = [
      page([at('a', 5)], '8-3N'),
      page([at('b', 4), at('c', 3)], '7-3N'),
      page([at('d', 2), at('e', 1)], '6-3N'),
    ]
    const part = { from: '2026-01-02', to: new Date('2026-01-04') }
    const { hashes, questions } = await pagesOf([...answers, block(true)], part)
    expect([hashes, questions]).toEqual([
      [[], ['c'], ['d']],
      ['', '?before=8-3N', '?before=7-3N', '/blocks/3Na'],
    ])
    expect((await pagesOf([], { from: 'yesterday' })).error).toBeInstanceOf(RangeError)
  })

  test('that are one, or whose newest command is final, need no look at its block', async () => {
    expect((await pagesOf([page([item('a')])])).questions).toEqual([''])
    const final = item('a', 5, ',"final":true')
    expect((await pagesOf([page([final], '8-3N'), page([item('b')])])).questions).toEqual(['', '?before=8-3N'])
  })

  test('end with the error where the first page is a 409, or many new beginnings come no further', async () => {
    expect((await pagesOf([gone])).error).toMatchObject({ status: 409 })
    const again = Array.from({ length: 30 }, () => [page([item('a')], '8-3N'), gone]).flat()
    const { error, questions } = await pagesOf(again)
    expect([error, questions.length]).toEqual([expect.objectContaining({ status: 409 }), 22])
  })

  test('end with an error where the indexer that showed earlier ones is gone, and the service knows no more', async () => {
    const final = item('a', 5, ',"final":true')
    const { hashes, error } = await pagesOf([page([final], '8-3N'), endOfKnown(false)])
    expect([hashes, error]).toEqual([
      [['a'], []],
      expect.objectContaining({ code: 'unavailable', status: 503, chain: expect.objectContaining({ height: 9 }) }),
    ])
  })

  test.each<[string, readonly Scripted[]]>([
    [
      'has an indexer, of the chain since a hard fork say',
      [page([item('a', 5, ',"final":true')], '8-3N'), endOfKnown(true)],
    ],
    ['has none from the first page on', [endOfKnown(false)]],
  ])('end without one where a service that knows no more %s', async (_, answers) =>
    expect((await pagesOf(answers)).error).toBeUndefined(),
  )
})
