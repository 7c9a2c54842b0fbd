// Drives the client that openapi-generator makes for JavaScript, which has no types.
import { ask } from './asking.ts'
// @ts-expect-error it has no types
import * as explorer from './client/src/index.js'

await ask((address) => {
  const service = new explorer.ApiClient(address)
  const blocks = new explorer.BlocksApi(service)
  const transactions = new explorer.TransactionsApi(service)
  const broadcast = new explorer.BroadcastApi(service)
  return {
    newest: async () => (await blocks.getBlocks({ limit: 1 })).blocks[0],
    block: async (stateHash) => (await blocks.getBlock(stateHash)).block,
    blockAt: async (height) => (await blocks.getBlockAtHeight(height)).block,
    account: async (publicKey) => (await new explorer.AccountsApi(service).getAccount(publicKey)).account,
    height: async () => (await new explorer.BlockchainApi(service).getSummary()).blockchainLength,
    transaction: async (hash) => (await transactions.getTransaction(hash)).transaction,
    statusOf: (hash) =>
      transactions.getTransaction(hash).then(
        () => 200,
        (error: { readonly status?: number }) => error.status,
      ),
    pay: async (body) =>
      (await broadcast.broadcastTransaction(explorer.TransactionBody.constructFromObject(body))).message,
    delegate: async (body) =>
      (await broadcast.broadcastDelegation(explorer.DelegationBody.constructFromObject(body))).message,
  }
})
