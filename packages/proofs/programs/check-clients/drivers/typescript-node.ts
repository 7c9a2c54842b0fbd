// Drives the client that openapi-generator makes for TypeScript (node).
import { ask, success } from './asking.ts'
import {
  AccountsApi,
  BlockchainApi,
  BlocksApi,
  BroadcastApi,
  type DelegationBody,
  HttpError,
  type TransactionBody,
  TransactionsApi,
} from './client/api'

await ask((address) => {
  const blocks = new BlocksApi(address)
  const transactions = new TransactionsApi(address)
  const broadcast = new BroadcastApi(address)
  return {
    newest: async () => success((await blocks.getBlocks(1)).body.blocks[0], 'no block'),
    block: async (stateHash) => (await blocks.getBlock(stateHash)).body.block,
    blockAt: async (height) => (await blocks.getBlockAtHeight(height)).body.block,
    account: async (publicKey) => (await new AccountsApi(address).getAccount(publicKey)).body.account,
    height: async () => (await new BlockchainApi(address).getSummary()).body.blockchainLength,
    transaction: async (hash) => {
      const { state, command } = (await transactions.getTransaction(hash)).body.transaction
      return { state: String(state), command }
    },
    statusOf: (hash) =>
      transactions.getTransaction(hash).then(
        ({ response }) => response.statusCode,
        (error: unknown) => (error instanceof HttpError ? error.statusCode : undefined),
      ),
    pay: async (body: TransactionBody) => (await broadcast.broadcastTransaction(body)).body.message,
    delegate: async (body: DelegationBody) => (await broadcast.broadcastDelegation(body)).body.message,
  }
})
