// The one list of endpoints, in the contract's order. Stack, local gateway, validators, OpenAPI document and tests loop
// over it.
import type { EndpointContract, SuccessBody as SuccessBodyOf } from '../contract/endpoint-contract.ts'
import { broadcastDelegationContract } from '../contract/endpoints/broadcast-delegation.ts'
import { broadcastTransactionContract } from '../contract/endpoints/broadcast-transaction.ts'
import { getAccountContract } from '../contract/endpoints/get-account.ts'
import { getAccountTokensContract } from '../contract/endpoints/get-account-tokens.ts'
import { getAccountTransactionsContract } from '../contract/endpoints/get-account-transactions.ts'
import { getBlockContract } from '../contract/endpoints/get-block.ts'
import { getBlockAtHeightContract } from '../contract/endpoints/get-block-at-height.ts'
import { getBlocksContract } from '../contract/endpoints/get-blocks.ts'
import { getBlocksBeforeContract } from '../contract/endpoints/get-blocks-before.ts'
import { getFeesContract } from '../contract/endpoints/get-fees.ts'
import { getHealthContract } from '../contract/endpoints/get-health.ts'
import { getNetworkContract } from '../contract/endpoints/get-network.ts'
import { getPoolContract } from '../contract/endpoints/get-pool.ts'
import { getSummaryContract } from '../contract/endpoints/get-summary.ts'
import { getTransactionContract } from '../contract/endpoints/get-transaction.ts'
import { broadcastDelegation } from './broadcast-delegation.ts'
import { broadcastTransaction } from './broadcast-transaction.ts'
import type { Endpoint } from './endpoint.ts'
import { getAccount } from './get-account.ts'
import { getAccountTokens } from './get-account-tokens.ts'
import { getAccountTransactions } from './get-account-transactions.ts'
import { getBlock } from './get-block.ts'
import { getBlockAtHeight } from './get-block-at-height.ts'
import { getBlocks } from './get-blocks.ts'
import { getBlocksBefore } from './get-blocks-before.ts'
import { getFees } from './get-fees.ts'
import { getHealth } from './get-health.ts'
import { getNetwork } from './get-network.ts'
import { getPool } from './get-pool.ts'
import { getSummary } from './get-summary.ts'
import { getTransaction } from './get-transaction.ts'

/** Compiles only if the endpoint keeps the contract's name and answers with its body. */
const declared = <Contract extends EndpointContract>(contract: Contract, endpoint: Endpoint<Contract>) => ({
  contract,
  endpoint,
})

const all = [
  declared(broadcastTransactionContract, broadcastTransaction),
  declared(broadcastDelegationContract, broadcastDelegation),
  declared(getBlocksContract, getBlocks),
  declared(getBlockContract, getBlock),
  declared(getAccountContract, getAccount),
  declared(getSummaryContract, getSummary),
  declared(getBlockAtHeightContract, getBlockAtHeight),
  declared(getBlocksBeforeContract, getBlocksBefore),
  declared(getTransactionContract, getTransaction),
  declared(getAccountTransactionsContract, getAccountTransactions),
  declared(getHealthContract, getHealth),
  declared(getNetworkContract, getNetwork),
  declared(getAccountTokensContract, getAccountTokens),
  declared(getFeesContract, getFees),
  declared(getPoolContract, getPool),
]

type Declared = (typeof all)[number]

/** The operationId of an endpoint: the name of its files, function and log lines. */
export type EndpointName = Declared['contract']['name']

/** The body of an endpoint's success. */
export type SuccessBody<Name extends EndpointName> = SuccessBodyOf<
  Extract<Declared, { readonly contract: { readonly name: Name } }>['contract']
>

export type DeclaredEndpoint = Endpoint & { readonly name: EndpointName }

export const endpoints: readonly DeclaredEndpoint[] = all.map(({ endpoint }) => endpoint)

/** By the endpoint's name. */
export const contracts = Object.fromEntries(
  all.map(({ contract }): [string, EndpointContract] => [contract.name, contract]),
) as Readonly<Record<EndpointName, EndpointContract>>
