// One full object of each resource: every field of the contract's tables, and nothing else.
import type { Account } from '../../../shared/contract/account.ts'
import type { Block } from '../../../shared/contract/block.ts'
import type { DelegationRequest, TransactionRequest } from '../../../shared/contract/broadcast.ts'
import type { BroadcastResultCommand } from '../../../shared/contract/command.ts'
import type { Summary } from '../../../shared/contract/summary.ts'
import { accountFromNode, nodeAccount } from '../../../shared/mapping/account.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { nodeCommand } from '../../../shared/mapping/command.ts'
import { type Exact, printExactJson } from '../../../shared/mapping/exact-json.ts'
import { countersFromIndexer, indexerAccount } from '../../../shared/mapping/indexer-account.ts'
import { nodeTip, summaryFromNode } from '../../../shared/mapping/summary.ts'
import { indexedAccountWire, stakingRecords } from '../indexer/indexer-wire.ts'
import { alice, blockWire, bob, includedPaymentWire, paymentWire, timedAccountWire } from '../mapping/node-wire.ts'

/** The body as a client reads it: with numbers, where the mapper may have a bigint. */
const read = <Body>(body: Exact<Body>): Body => JSON.parse(printExactJson(body))

const withFailedPayment = { ...blockWire.transactions, userCommands: [includedPaymentWire] }

export const block = read<Block>(
  blockFromNode(nodeBlock.read({ ...blockWire, transactions: withFailedPayment }, 'block'), true, Date.UTC(2021, 2, 17))
    .block,
)

const { account: records, count, total } = stakingRecords('5f704cc0', 4)

export const account = read<Account>({
  ...accountFromNode(
    nodeAccount.read(timedAccountWire('1'), 'account'),
    [nodeCommand.read(paymentWire, 'command')],
    [9],
    300,
  ),
  ...countersFromIndexer(indexerAccount.read(indexedAccountWire, 'account')),
  epochStakingAccount: records,
  nextEpochStakingAccount: records,
  epochDelegators: records,
  nextEpochDelegators: records,
  epochDelegatorCount: count,
  nextEpochDelegatorCount: count,
  epochTotalStakingBalance: total,
  nextEpochTotalStakingBalance: total,
})

export const summary = read<Summary>(summaryFromNode(nodeTip.read(blockWire, 'tip'), '5f704cc0', 0n))

export const command: BroadcastResultCommand = paymentWire

export const delegation: DelegationRequest = {
  publicKey: alice,
  signature: { field: '123', scalar: '456' },
  payload: { to: bob, from: alice, fee: '10000000', nonce: '0', memo: 'hello', validUntil: '4294967295' },
}

export const transaction: TransactionRequest = {
  ...delegation,
  payload: { ...delegation.payload, amount: '1000' },
}
