// An account as the node reports it, and as the contract shows it.
import type { Account, AccountTiming, AccountZkapp } from '../contract/account.ts'
import { WireError } from '../upstream/errors.ts'
import {
  count,
  fieldText,
  flag,
  freeText,
  listOf,
  nanomina,
  nullable,
  shape,
  shortText,
  type Wire,
} from '../upstream/wire.ts'
import { minaDecimal } from './amounts.ts'
import { type ListedCommand, pendingCommandFromNode } from './command.ts'
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
  zkappState: nullable(listOf(fieldText)),
  zkappUri: nullable(freeText),
  provedState: nullable(flag),
  verificationKey: nullable(shape({ hash: shortText })),
})

type NodeAccount = Wire<typeof nodeAccount>

/** The old service's word for an account whose owner is not known. */
const unknownUsername = 'Unknown'

/** @throws WireError for null */
function known<Value>(value: Value | null, field: string): Value {
  if (value === null) throw new WireError('unreadable', `account.${field}: null for a timed account`)
  return value
}

/** The vesting schedule, and what it locks at the tip's slot; null for an account without one. */
function vesting({ balance, timing }: NodeAccount): { readonly timing: AccountTiming; readonly locked: string } | null {
  if (Object.values(timing).every((value) => value === null)) return null
  return {
    locked: minaDecimal(known(balance.locked, 'balance.locked')),
    timing: {
      initialMinimumBalance: minaDecimal(known(timing.initialMinimumBalance, 'timing.initialMinimumBalance')),
      cliffTime: known(timing.cliffTime, 'timing.cliffTime'),
      cliffAmount: minaDecimal(known(timing.cliffAmount, 'timing.cliffAmount')),
      vestingPeriod: known(timing.vestingPeriod, 'timing.vestingPeriod'),
      vestingIncrement: minaDecimal(known(timing.vestingIncrement, 'timing.vestingIncrement')),
    },
  }
}

/**
 * The state that a zkApp keeps in its account; undefined for an account that is not a zkApp's.
 *
 * @throws WireError for a state without elements, which no zkApp has
 */
function zkappOf({ zkappState, zkappUri, provedState, verificationKey }: NodeAccount): AccountZkapp | undefined {
  if (zkappState === null) return undefined
  if (zkappState.length === 0) throw new WireError('unreadable', 'zkappState: no elements')
  return {
    state: [...zkappState],
    ...(provedState !== null && { provedState }),
    ...(verificationKey !== null && { verificationKeyHash: verificationKey.hash }),
    ...(zkappUri !== null && { uri: zkappUri }),
  }
}

/**
 * The contract's account as far as a node knows it: counters and staking fields are absent.
 *
 * @param pooled the account's payments and delegations in the node's pool, in any order; those that wait are counted
 * @param zkappNonces the nonces of its zkApp commands there
 * @param blockHeight of the tip that the node had when it answered
 * @returns balances in MINA with nine decimals; `nonce` of the ledger, pooled commands not counted
 * @throws WireError when a timed account comes without its locked balance or a part of its schedule, and
 *   for a zkApp's state without elements
 */
export function accountFromNode(
  account: NodeAccount,
  pooled: readonly ListedCommand[],
  zkappNonces: readonly number[],
  blockHeight: number,
): Exact<Account> {
  const schedule = vesting(account)
  const zkapp = zkappOf(account)
  // A pool may still show commands whose nonces the ledger has used.
  const waiting = pooled.filter(({ nonce }) => nonce >= account.nonce)
  const first = waiting.toSorted((left, right) => left.nonce - right.nonce).slice(0, 1)
  return {
    publicKey: account.publicKey,
    balance: {
      total: minaDecimal(account.balance.total),
      unknown: minaDecimal(account.balance.unknown),
      lockedBalance: schedule?.locked ?? null,
      blockHeight,
    },
    ...(schedule && { timing: schedule.timing }),
    ...(zkapp && { zkapp }),
    nonce: account.nonce,
    ...(account.receiptChainHash !== null && { receiptChainHash: account.receiptChainHash }),
    ...(account.delegate !== null && { delegate: account.delegate }),
    ...(account.votingFor !== null && { votingFor: account.votingFor }),
    countPendingTransactions: waiting.length,
    firstPendingTransaction: first.map(pendingCommandFromNode),
    username: unknownUsername,
    ...nextNonceOf(account.nonce, [...waiting.map(({ nonce }) => nonce), ...zkappNonces]),
  }
}
