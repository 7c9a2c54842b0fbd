// Drives the client of swagger-typescript-api (fetch).
import { ask, success } from './asking.ts'
import { Api, type DelegationBody, type TransactionBody } from './client/api.ts'

async function sent<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (failure) {
    return success<Answer>(undefined, Object(failure).error)
  }
}

await ask((baseUrl) => {
  const service = new Api({ baseUrl })
  const statusIn = (failure: unknown): number | undefined => (failure instanceof Response ? failure.status : undefined)
  return {
    newest: async () => success((await service.blocks.getBlocks({ limit: 1 })).data.blocks[0], 'no block'),
    block: async (stateHash) => (await service.blocks.getBlock(stateHash)).data.block,
    blockAt: async (height) => (await service.blocks.getBlockAtHeight(height)).data.block,
    account: async (publicKey) => (await service.accounts.getAccount(publicKey)).data.account,
    height: async () => (await service.summary.getSummary()).data.blockchainLength,
    transaction: async (hash) => (await service.transactions.getTransaction(hash)).data.transaction,
    statusOf: (hash) => service.transactions.getTransaction(hash).then(({ status }) => status, statusIn),
    pay: async (body: TransactionBody) => (await sent(service.broadcast.broadcastTransaction(body))).data.message,
    delegate: async (body: DelegationBody) => (await sent(service.broadcast.broadcastDelegation(body))).data.message,
  }
})
