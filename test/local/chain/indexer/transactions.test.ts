import { describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import { indexerOf } from '../upstream.ts'

const { chain, pay, wallet, advance } = startSession({ historyBlocks: 40 })
const [alice, erin] = ['alice', 'erin'].map((name) => wallet(name).publicKey)
pay({ from: 'alice', to: 'erin', amount: 1_000_000_009n, memo: 'grüße, erin' })
advance(10_000)
const abandoned = chain.produceBlock()
const hash = abandoned.userCommands[0]?.command.hash
chain.reorganise(1)
const canonical = chain.produceBlock()
const indexer = indexerOf(chain)

const ask = (given: string, fields: string) => indexer.ask(`{ transactions(${given}) { ${fields} } }`)

describe('the indexer’s list of commands', () => {
  test('has a command once for each block that holds it, the highest first', async () => {
    const fields = `hash canonical isApplied failureReason blockHeight nonce from to amount fee kind memo
      block { stateHash dateTime }`
    const row = ({ stateHash, date, height: blockHeight }: typeof canonical, isCanonical: boolean) => ({
      ...{ hash, isApplied: true, failureReason: null, nonce: 0, from: alice, to: erin, amount: 1_000_000_009 },
      ...{ fee: 10_000_000, kind: 'PAYMENT', memo: 'grüße, erin', canonical: isCanonical, blockHeight },
      block: { stateHash, dateTime: new Date(date).toISOString() },
    })
    const rows = [row(canonical, true), row(abandoned, false)]
    expect(await ask(`query: {hash: "${hash}"}`, fields)).toEqual({ data: { transactions: rows } })
    expect(await ask(`query: {hash: "${hash}"}, limit: 1`, fields)).toEqual({
      data: { transactions: rows.slice(0, 1) },
    })
    expect(await ask(`query: {hash: "${hash}", canonical: false}`, fields)).toEqual({
      data: { transactions: rows.slice(1) },
    })
  })

  test('has the newest commands first without a hash, zkApp commands among them', async () => {
    const heights = chain
      .allBlocks()
      .flatMap(({ height, userCommands, zkappCommands }) => [...userCommands, ...zkappCommands].map(() => height))
      .toSorted((left, right) => right - left)
    expect(await ask('limit: 20', 'blockHeight')).toEqual({
      data: { transactions: heights.slice(0, 20).map((blockHeight) => ({ blockHeight })) },
    })
  })

  test('is empty for an unknown hash, an error for a malformed one, and names no cache time', async () => {
    const { hash: unknown } = startSession({ seed: 'elsewhere' }).chain.tip().userCommands[0]?.command ?? {}
    const query = `{ transactions(query: {hash: "${unknown}"}) { hash } }`
    const { text, headers } = await indexer.send(JSON.stringify({ query }))
    expect([text, headers.get('cache-control')]).toEqual(['{"data":{"transactions":[]}}', null])
    expect(await ask('query: {hash: "5Jx"}', 'hash')).toMatchObject({
      data: null,
      errors: [{ message: 'Invalid txn hash: 5Jx', path: ['transactions'] }],
    })
  })
})
