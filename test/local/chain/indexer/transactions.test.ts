import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { startIndexer } from './client.ts'

const { chain, pay, wallet, advance } = startSession({ historyBlocks: 40 })
const [alice, erin] = ['alice', 'erin'].map((name) => wallet(name).publicKey)
pay({ from: 'alice', to: 'erin', amount: 1_000_000_009n, memo: 'grüße, erin' })
advance(10_000)
const abandoned = chain.produceBlock()
const [{ command: paid } = {}] = abandoned.userCommands
chain.reorganise(1)
const canonical = chain.produceBlock()
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain)
})
afterAll(() => indexer.close())

const ask = (given: string, fields: string) => indexer.ask(`{ transactions(${given}) { ${fields} } }`)
const blockOf = ({ stateHash, date }: typeof canonical) => ({ stateHash, dateTime: new Date(date).toISOString() })

test('a command is listed once for each block that holds it, the highest first', async () => {
  const fields = `hash canonical isApplied failureReason blockHeight nonce from to amount fee kind memo
    block { stateHash dateTime }`
  const command = {
    hash: paid?.hash,
    isApplied: true,
    failureReason: null,
    nonce: 0,
    from: alice,
    to: erin,
    amount: 1_000_000_009,
    fee: 10_000_000,
    kind: 'PAYMENT',
    memo: 'grüße, erin',
  }
  expect(await ask(`query: {hash: "${paid?.hash}"}`, fields)).toEqual({
    data: {
      transactions: [
        { ...command, canonical: true, blockHeight: canonical.height, block: blockOf(canonical) },
        { ...command, canonical: false, blockHeight: abandoned.height, block: blockOf(abandoned) },
      ],
    },
  })
  expect(await ask(`query: {hash: "${paid?.hash}", canonical: false}`, 'blockHeight')).toEqual({
    data: { transactions: [{ blockHeight: abandoned.height }] },
  })
  expect(await ask(`query: {hash: "${paid?.hash}"}, limit: 1`, 'blockHeight')).toEqual({
    data: { transactions: [{ blockHeight: canonical.height }] },
  })
})

test('a failed command has its reason, a zkApp command no receiver', async () => {
  const failed = chain
    .bestChain()
    .flatMap(({ userCommands }) => userCommands)
    .find(({ failureReason }) => failureReason !== null)
  const [zkapp] = chain.bestChain().flatMap(({ zkappCommands }) => zkappCommands)
  expect(await ask(`query: {hash: "${failed?.command.hash}"}`, 'isApplied failureReason')).toEqual({
    data: { transactions: [{ isApplied: false, failureReason: 'Amount_insufficient_to_create_account' }] },
  })
  expect(await ask(`query: {hash: "${zkapp?.hash}"}`, 'kind from to isApplied')).toEqual({
    data: { transactions: [{ kind: 'ZKAPP', from: zkapp?.from, to: null, isApplied: true }] },
  })
})

test('without a hash the newest commands come first', async () => {
  const heights = chain
    .allBlocks()
    .flatMap(({ height, userCommands, zkappCommands }) => [...userCommands, ...zkappCommands].map(() => height))
    .toSorted((left, right) => right - left)
  expect(await ask('limit: 20', 'blockHeight')).toEqual({
    data: { transactions: heights.slice(0, 20).map((blockHeight) => ({ blockHeight })) },
  })
})

test('an unknown hash is an empty list, a malformed one refused, and the answer names no cache time', async () => {
  const { hash } = startSession({ seed: 'elsewhere' }).chain.tip().userCommands[0]?.command ?? {}
  const { text, headers } = await indexer.send(
    '/graphql',
    JSON.stringify({ query: `{ transactions(query: {hash: "${hash}"}) { hash } }` }),
  )
  expect({ text, cacheControl: headers.get('cache-control') }).toEqual({
    text: '{"data":{"transactions":[]}}',
    cacheControl: null,
  })
  expect(await ask('query: {hash: "5Jx"}', 'hash')).toMatchObject({
    data: null,
    errors: [{ message: 'Invalid txn hash: 5Jx', path: ['transactions'] }],
  })
})
