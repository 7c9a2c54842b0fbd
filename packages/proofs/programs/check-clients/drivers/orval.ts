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

interface Answer {
  readonly status: number
  readonly data: unknown
}

/** The data of an answer of success. */
async function accepted<One extends Answer>(asked: Promise<One>): Promise<Extract<One, { status: 200 | 201 }>['data']> {
  const answer = await asked
  return success(answer.status < 300 ? answer.data : undefined, answer)
}

await ask((address) => {
  // The generated functions ask for paths; where the service is, is left to fetch.
  const fetched = globalThis.fetch
  globalThis.fetch = (path, init) => fetched(`${address}${path}`, init)
  return {
    newest: async () => success((await accepted(getBlocks({ limit: 1 }))).blocks[0], 'no block'),
    block: async (stateHash) => (await accepted(getBlock(stateHash))).block,
    blockAt: async (height) => (await accepted(getBlockAtHeight(height))).block,
    account: async (publicKey) => (await accepted(getAccount(publicKey))).account,
    height: async () => (await accepted(getSummary())).blockchainLength,
    transaction: async (hash) => (await accepted(getTransaction(hash))).transaction,
    statusOf: async (hash) => (await getTransaction(hash)).status,
    pay: async (body: TransactionBody) => (await accepted(broadcastTransaction(body))).message,
    delegate: async (body: DelegationBody) => (await accepted(broadcastDelegation(body))).message,
  }
})
