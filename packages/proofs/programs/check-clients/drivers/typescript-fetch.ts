// Drives the client that openapi-generator makes for TypeScript (fetch). Arguments: address of the service, file of requests.
import { readFileSync } from 'node:fs'
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

const [basePath = '', file = ''] = process.argv.slice(2)
const requests = JSON.parse(readFileSync(file, 'utf8'))
const service = new Configuration({ basePath })
const { blocks } = await new BlocksApi(service).getBlocks({ limit: 1 })
const [block] = blocks
if (block === undefined) throw new Error('no block')
const same = await new BlocksApi(service).getBlock({ stateHash: block.stateHash })
const { account } = await new AccountsApi(service).getAccount({ publicKey: requests.publicKey })
console.log('currency', String(block.protocolState.consensusState.totalCurrency))
console.log('hash', same.block.stateHash)
console.log('account', account.publicKey)
console.log('height', (await new BlockchainApi(service).getSummary()).blockchainLength)
const at = await new BlocksApi(service).getBlockAtHeight({ height: block.blockHeight })
console.log('at', at.block.stateHash)
const transactions = new TransactionsApi(service)
const { transaction } = await transactions.getTransaction({ hash: requests.included })
console.log('fate', transaction.state, transaction.command?.amount)
await transactions.getTransaction({ hash: requests.missing }).catch((error: unknown) => {
  console.log('missing', error instanceof ResponseError && error.response.status)
})
for (const { kind, form, body } of requests.broadcasts) {
  const api = new BroadcastApi(service)
  try {
    const sent =
      kind === 'payment'
        ? await api.broadcastTransaction({ transactionBody: TransactionBodyFromJSON(body) })
        : await api.broadcastDelegation({ delegationBody: DelegationBodyFromJSON(body) })
    console.log('sent', kind, form, sent.message)
  } catch (error) {
    console.log('failed', kind, form, error instanceof ResponseError ? await error.response.text() : String(error))
  }
}
