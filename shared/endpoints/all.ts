// The list that the stack, the local gateway and the OpenAPI document loop over, in the contract's order.
import type { EndpointName } from '../contract/responses.ts'
import { broadcastDelegation } from './broadcast-delegation.ts'
import { broadcastTransaction } from './broadcast-transaction.ts'
import type { Endpoint } from './endpoint.ts'
import { getAccount } from './get-account.ts'
import { getBlock } from './get-block.ts'
import { getBlocks } from './get-blocks.ts'
import { getSummary } from './get-summary.ts'

const byName = {
  broadcastTransaction,
  broadcastDelegation,
  getBlocks,
  getBlock,
  getAccount,
  getSummary,
} satisfies { readonly [Name in EndpointName]: { readonly name: Name } }

export const endpoints: readonly Endpoint[] = Object.values(byName)
