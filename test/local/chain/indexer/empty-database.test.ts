import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import type { IndexerClient } from './client.ts'
import { startIndexer } from './client.ts'

const { chain } = startSession()
let indexer: IndexerClient

beforeAll(async () => {
  indexer = await startIndexer(chain, { behind: chain.tip().height })
})
afterAll(() => indexer.close())

const { ledgerHash } = chain.tip().stakingEpoch

test.each([
  '{ block { stateHash } }',
  '{ blocks(limit: 1) { stateHash } }',
  '{ stakes(limit: 1) { epoch } }',
  `{ stakes(limit: 1, query: {ledgerHash: "${ledgerHash}"}) { epoch } }`,
  '{ transactions(limit: 1) { nonce } }',
  '{ accounts { nonce } block { stateHash } }',
])('an indexer without a block cuts the connection on %s', async (query) => {
  await expect(indexer.ask(query)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } })
})

test('an indexer without a block answers where it needs none', async () => {
  const ledger = `stakes(limit: 0, query: {ledgerHash: "${ledgerHash}"}) { epoch }`
  expect(await indexer.ask(`{ accounts { nonce } version ${ledger} }`)).toEqual({
    data: { accounts: [], version: expect.any(String), stakes: [] },
  })
})
