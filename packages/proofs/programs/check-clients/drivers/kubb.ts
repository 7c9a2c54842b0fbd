// Drives the client of kubb (fetch); its zod schemas read each body before it is sent.
import { ask, success } from './asking.ts'
import { fetch } from './client/.kubb/fetch.ts'
import {
  broadcastDelegation,
  broadcastTransaction,
  delegationBodySchema,
  getAccount,
  getBlock,
  getBlockAtHeight,
  getBlocks,
  getSummary,
  getTransaction,
  transactionBodySchema,
} from './client/index.ts'

await ask((baseURL) => {
  fetch.setConfig({ baseURL })
  const accepted = ({ message, ...rest }: { readonly message: string }): string =>
    success('error' in rest ? undefined : message, rest)
  return {
    newest: async () => success((await getBlocks({ limit: 1 })).blocks[0], 'no block'),
    block: async (stateHash) => (await getBlock(stateHash)).block,
    blockAt: async (height) => (await getBlockAtHeight(height)).block,
    account: async (publicKey) => (await getAccount(publicKey)).account,
    height: async () => (await getSummary()).blockchainLength,
    transaction: async (hash) => (await getTransaction(hash)).transaction,
    statusOf: async (hash) => {
      let status: number | undefined
      await getTransaction(hash, undefined, undefined, {
        client: async (request) => {
          const answer = await fetch<never>(request)
          status = answer.status
          return answer
        },
      })
      return status
    },
    pay: async (body) => accepted(await broadcastTransaction(transactionBodySchema.parse(body))),
    delegate: async (body) => accepted(await broadcastDelegation(delegationBodySchema.parse(body))),
  }
})
