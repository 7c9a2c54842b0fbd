// A full block and full bodies of broadcasts: every field of the contract's tables, and nothing else.
import type { Block } from '../../../shared/contract/block.ts'
import type { DelegationRequest, TransactionRequest } from '../../../shared/contract/broadcast.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { type Exact, printExactJson } from '../../../shared/mapping/exact-json.ts'
import { alice, blockWire, bob, includedPaymentWire } from '../mapping/node-wire.ts'

/** The body as a client reads it: with numbers, where the mapper may have a bigint. */
const read = <Body>(body: Exact<Body>): Body => JSON.parse(printExactJson(body))

const withFailedPayment = { ...blockWire.transactions, userCommands: [includedPaymentWire] }

export const block = read<Block>(
  blockFromNode(nodeBlock.read({ ...blockWire, transactions: withFailedPayment }, 'block'), true, Date.UTC(2021, 2, 17))
    .block,
)

export const delegation: DelegationRequest = {
  publicKey: alice,
  signature: { field: '123', scalar: '456' },
  payload: { to: bob, from: alice, fee: '10000000', nonce: '0', memo: 'hello', validUntil: '4294967295' },
}

export const transaction: TransactionRequest = {
  ...delegation,
  payload: { ...delegation.payload, amount: '1000' },
}
