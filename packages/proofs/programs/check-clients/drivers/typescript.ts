// Drives the client that openapi-generator makes for TypeScript (typescript).
import { ask, success } from './asking.ts'
import {
  AccountsApi,
  ApiException,
  BlockchainApi,
  BlocksApi,
  BroadcastApi,
  createConfiguration,
  type DelegationBody,
  ServerConfiguration,
  type TransactionBody,
  TransactionsApi,
} from './client/index'

/** The client renames a command's `from` to `_from`, and serialises only the names it knows. */
const named = <Body extends TransactionBody | DelegationBody>({ payload, data, ...body }: Body) => {
  const withSender = (command: object | undefined) =>
    command && 'from' in command ? { ...command, _from: command.from } : command
  return { ...body, payload: withSender(payload), data: withSender(data) } as Body
}

await ask((address) => {
  const service = createConfiguration({ baseServer: new ServerConfiguration(address, {}) })
  const blocks = new BlocksApi(service)
  const transactions = new TransactionsApi(service)
  const broadcast = new BroadcastApi(service)
  return {
    newest: async () => success((await blocks.getBlocks(1)).blocks[0], 'no block'),
    block: async (stateHash) => (await blocks.getBlock(stateHash)).block,
    blockAt: async (height) => (await blocks.getBlockAtHeight(height)).block,
    account: async (publicKey) => (await new AccountsApi(service).getAccount(publicKey)).account,
    height: async () => (await new BlockchainApi(service).getSummary()).blockchainLength,
    transaction: async (hash) => (await transactions.getTransaction(hash)).transaction,
    statusOf: (hash) =>
      transactions.getTransactionWithHttpInfo(hash).then(
        ({ httpStatusCode }) => httpStatusCode,
        (error: unknown) => (error instanceof ApiException ? error.code : undefined),
      ),
    pay: async (body: TransactionBody) => (await broadcast.broadcastTransaction(named(body))).message,
    delegate: async (body: DelegationBody) => (await broadcast.broadcastDelegation(named(body))).message,
  }
})
