// An account as a node sends it, in the contract's shape.
import type { Account } from '../../../../shared/contract/account.ts'
import type { Exact } from '../../../../shared/mapping/json.ts'
import { at } from '../../exact-json.ts'
import { integer, list, mina, text, texts } from '../sent/values.ts'
import { pendingCommand } from './commands.ts'

/** The parts of a schedule, all null for an account without one. */
const timingKeys = ['cliffAmount', 'cliffTime', 'initialMinimumBalance', 'vestingIncrement', 'vestingPeriod']

/** The values of an account's schedule. */
export const timingOf = (account: unknown): readonly unknown[] => timingKeys.map((key) => at(account, 'timing', key))

/** The height of the answer's tip. */
export const heightOf = (data: unknown): bigint =>
  integer(data, 'bestChain', 0, 'protocolState', 'consensusState', 'blockHeight')

/**
 * The account without what an indexer adds.
 *
 * @throws TypeError for a timed account without its locked balance
 */
export function accountBody(data: unknown): Exact<Omit<Account, 'username'>> {
  const [account, pooled] = [at(data, 'account'), list(data, 'pooledUserCommands')]
  const isTimed = timingOf(account).some((value) => value !== null)
  const first = pooled.toSorted((left, right) => Number(integer(left, 'nonce') - integer(right, 'nonce'))).slice(0, 1)
  const optional = (key: 'receiptChainHash' | 'votingFor') => (at(account, key) === null ? {} : texts(account, key))
  return {
    publicKey: text(account, 'publicKey'),
    balance: {
      total: mina(integer(account, 'balance', 'total')),
      unknown: mina(integer(account, 'balance', 'unknown')),
      lockedBalance: isTimed ? mina(integer(account, 'balance', 'locked')) : null,
      blockHeight: heightOf(data),
    },
    nonce: integer(account, 'nonce'),
    ...optional('receiptChainHash'),
    delegate: text(at(account, 'delegate') ?? at(account, 'publicKey')),
    ...optional('votingFor'),
    countPendingTransactions: pooled.length,
    firstPendingTransaction: first.map(pendingCommand),
  }
}
