// Drives the client that openapi-generator makes for TypeScript (fetch).
import { ask, success } from './asking.ts'
import {
  AccountsApi,
  BlockchainApi,
  BlocksApi,
  BroadcastApi,
  Configuration,
  DelegationBodyFromJSON,
  ResponseError,
  TransactionBodyFromJSON,
  TransactionsApi,
} from './client/src/index.ts'

await ask((basePath) => {
  const service = new Configuration({ basePath })
  const blocks = new BlocksApi(service)
  const transactions = new TransactionsApi(service)
  const broadcast = new BroadcastApi(service)
  return {
    newest: async () => success((await blocks.getBlocks({ limit: 1 })).blocks[0], 'no block'),
    block: async (stateHash) => (await blocks.getBlock({ stateHash })).block,
    blockAt: async (height) => (await blocks.getBlockAtHeight({ height })).block,
    account: async (publicKey) => (await new AccountsApi(service).getAccount({ publicKey })).account,
    height: async () => (await new BlockchainApi(service).getSummary()).blockchainLength,
    transaction: async (hash) => (await transactions.getTransaction({ hash })).transaction,
    statusOf: (hash) =>
      transactions.getTransactionRaw({ hash }).then(
        ({ raw }) => raw.status,
        (error: unknown) => (error instanceof ResponseError ? error.response.status : undefined),
      ),
    pay: async (body: object) =>
      (await broadcast.broadcastTransaction({ transactionBody: TransactionBodyFromJSON(body) })).message,
    delegate: async (body: object) =>
      (await broadcast.broadcastDelegation({ delegationBody: DelegationBodyFromJSON(body) })).message,
  }
})
