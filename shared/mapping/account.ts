// An account as the node reports it, and as the contract shows it.
import type { Account } from '../contract/account.ts'
import { WireError } from '../upstream/errors.ts'
import { count, nanomina, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'
import { minaDecimal } from './amounts.ts'
import { type NodeCommand, pendingCommandFromNode } from './command.ts'
import type { Exact } from './exact-json.ts'
import { nextNonceOf } from './nonces.ts'

export const nodeAccount = shape({
  balance: shape({ locked: nullable(nanomina), total: nanomina, unknown: nanomina }),
  delegate: nullable(shortText),
  nonce: count,
  publicKey: shortText,
  receiptChainHash: nullable(shortText),
  timing: shape({
    cliffAmount: nullable(nanomina),
    cliffTime: nullable(count),
    initialMinimumBalance: nullable(nanomina),
    vestingIncrement: nullable(nanomina),
    vestingPeriod: nullable(count),
  }),
  votingFor: nullable(shortText),
})

export type NodeAccount = Wire<typeof nodeAccount>

/** The old service's word for an account whose owner is not known. */
const unknownUsername = 'Unknown'

function lockedBalance({ balance, timing }: NodeAccount): string | null {
  if (Object.values(timing).every((value) => value === null)) return null
  if (balance.locked === null) throw new WireError('unreadable', 'account.balance.locked: null for a timed account')
  return minaDecimal(balance.locked)
}

/**
 * An account of the contract, as much of it as a node knows: counters and staking fields are absent.
 *
 * @param pooled the account's payments and delegations in the node's pool, in any order
 * @param zkappNonces the nonces of its zkApp commands there
 * @param blockHeight of the tip that the node had when it answered
 * @returns balances in MINA with nine decimals; `nonce` of the ledger, pooled commands not counted
 * @throws WireError when a timed account comes without its locked balance
 */
export function accountFromNode(
  account: NodeAccount,
  pooled: readonly NodeCommand[],
  zkappNonces: readonly number[],
  blockHeight: number,
): Exact<Account> {
  const first = pooled.toSorted((left, right) => left.nonce - right.nonce).slice(0, 1)
  return {
    publicKey: account.publicKey,
    balance: {
      total: minaDecimal(account.balance.total),
      unknown: minaDecimal(account.balance.unknown),
      lockedBalance: lockedBalance(account),
      blockHeight,
    },
    nonce: account.nonce,
    ...(account.receiptChainHash !== null && { receiptChainHash: account.receiptChainHash }),
    ...(account.delegate !== null && { delegate: account.delegate }),
    ...(account.votingFor !== null && { votingFor: account.votingFor }),
    countPendingTransactions: pooled.length,
    firstPendingTransaction: first.map(pendingCommandFromNode),
    username: unknownUsername,
    ...nextNonceOf(account.nonce, [...pooled.map(({ nonce }) => nonce), ...zkappNonces]),
  }
}
