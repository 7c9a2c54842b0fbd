// Drives the client of @hey-api/openapi-ts.
import { ask, success } from './asking.ts'
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
    newest: async () => {
      const { data, error } = await getBlocks({ query: { limit: 1 } })
      return success(success(data, error).blocks[0], 'no block')
    },
    block: async (state_hash) => {
      const { data, error } = await getBlock({ path: { state_hash } })
      return success(data, error).block
    },
    blockAt: async (height) => {
      const { data, error } = await getBlockAtHeight({ path: { height } })
      return success(data, error).block
    },
    account: async (public_key) => {
      const { data, error } = await getAccount({ path: { public_key } })
      return success(data, error).account
    },
    height: async () => {
      const { data, error } = await getSummary()
      return success(data, error).blockchainLength
    },
    transaction: async (hash) => {
      const { data, error } = await getTransaction({ path: { hash } })
      return success(data, error).transaction
    },
    statusOf: async (hash) => (await getTransaction({ path: { hash } })).response?.status,
    pay: async (body: TransactionBody) => {
      const { data, error } = await broadcastTransaction({ body })
      return success(data, error).message
    },
    delegate: async (body: DelegationBody) => {
      const { data, error } = await broadcastDelegation({ body })
      return success(data, error).message
    },
  }
})
