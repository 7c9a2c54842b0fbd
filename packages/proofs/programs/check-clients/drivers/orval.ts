// Drives the client of orval (fetch).
import { ask, success } from './asking.ts'
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
} from './client/api.ts'

await ask((address) => {
  // The generated functions ask for paths; where the service is, is left to fetch.
  const fetched = globalThis.fetch
  globalThis.fetch = (path, init) => fetched(`${address}${path}`, init)
  return {
    newest: async () => {
      const answer = await getBlocks({ limit: 1 })
      return success(answer.status === 200 ? answer.data.blocks[0] : undefined, answer)
    },
    block: async (stateHash) => {
      const answer = await getBlock(stateHash)
      return success(answer.status === 200 ? answer.data.block : undefined, answer)
    },
    blockAt: async (height) => {
      const answer = await getBlockAtHeight(height)
      return success(answer.status === 200 ? answer.data.block : undefined, answer)
    },
    account: async (publicKey) => {
      const answer = await getAccount(publicKey)
      return success(answer.status === 200 ? answer.data.account : undefined, answer)
    },
    height: async () => {
      const answer = await getSummary()
      return success(answer.status === 200 ? answer.data.blockchainLength : undefined, answer)
    },
    transaction: async (hash) => {
      const answer = await getTransaction(hash)
      return success(answer.status === 200 ? answer.data.transaction : undefined, answer)
    },
    statusOf: async (hash) => (await getTransaction(hash)).status,
    pay: async (body: TransactionBody) => {
      const answer = await broadcastTransaction(body)
      return success(answer.status === 201 ? answer.data.message : undefined, answer)
    },
    delegate: async (body: DelegationBody) => {
      const answer = await broadcastDelegation(body)
      return success(answer.status === 201 ? answer.data.message : undefined, answer)
    },
  }
})
