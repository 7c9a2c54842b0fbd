// Drives the client of @hey-api/openapi-ts.
import { ask, given, success } from './asking.ts'
import { client } from './client/client.gen.ts'
import {
  broadcastDelegation,
  broadcastTransaction,
  type DelegationBody,
  getAccount,
  getBlock,
  getBlockAtHeight,
  getBlocks,
  getSummary,
  getTransaction,
  type TransactionBody,
} from './client/index.ts'

await ask((baseUrl) => {
  client.setConfig({ baseUrl })
  return {
    newest: async () => success((await given(getBlocks({ query: { limit: 1 } }))).blocks[0], 'no block'),
    block: async (state_hash) => (await given(getBlock({ path: { state_hash } }))).block,
    blockAt: async (height) => (await given(getBlockAtHeight({ path: { height } }))).block,
    account: async (public_key) => (await given(getAccount({ path: { public_key } }))).account,
    height: async () => (await given(getSummary())).blockchainLength,
    transaction: async (hash) => (await given(getTransaction({ path: { hash } }))).transaction,
    statusOf: async (hash) => (await getTransaction({ path: { hash } })).response?.status,
    pay: async (body: TransactionBody) => (await given(broadcastTransaction({ body }))).message,
    delegate: async (body: DelegationBody) => (await given(broadcastDelegation({ body }))).message,
  }
})
