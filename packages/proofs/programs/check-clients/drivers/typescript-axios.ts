// Drives the client that openapi-generator makes for TypeScript (axios).
import { isAxiosError } from 'axios'
import { ask, success } from './asking.ts'
import {
  AccountsApi,
  BlockchainApi,
  BlocksApi,
  BroadcastApi,
  Configuration,
  type DelegationBody,
  type TransactionBody,
  TransactionsApi,
} from './client/index'

await ask((basePath) => {
  const service = new Configuration({ basePath })
  const blocks = new BlocksApi(service)
  const transactions = new TransactionsApi(service)
  const broadcast = new BroadcastApi(service)
  return {
    newest: async () => success((await blocks.getBlocks(1)).data.blocks[0], 'no block'),
    block: async (stateHash) => (await blocks.getBlock(stateHash)).data.block,
    blockAt: async (height) => (await blocks.getBlockAtHeight(height)).data.block,
    account: async (publicKey) => (await new AccountsApi(service).getAccount(publicKey)).data.account,
    height: async () => (await new BlockchainApi(service).getSummary()).data.blockchainLength,
    transaction: async (hash) => (await transactions.getTransaction(hash)).data.transaction,
    statusOf: (hash) =>
      transactions.getTransaction(hash).then(
        ({ status }) => status,
        (error: unknown) => (isAxiosError(error) ? error.response?.status : undefined),
      ),
    pay: async (body: TransactionBody) => (await broadcast.broadcastTransaction(body)).data.message,
    delegate: async (body: DelegationBody) => (await broadcast.broadcastDelegation(body)).data.message,
  }
})
