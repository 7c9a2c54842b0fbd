// An account as a node sends it, in the contract's shape.
import type { Account } from '../../../../shared/contract/account.ts'
import type { Exact } from '../../../../shared/mapping/exact-json.ts'
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

const feePayer = ['zkappCommand', 'feePayer', 'body'] as const

/** The fee payers of the zkApp commands in the pool. */
export const zkappPayers = (data: unknown): readonly unknown[] =>
  list(data, 'pooledZkappCommands').map((command) => at(command, ...feePayer))

/** The first nonce that nobody has used or queued, and up to twenty below a queued one. */
function nextNonce(used: bigint, queued: readonly bigint[]) {
  const free: bigint[] = []
  for (let nonce = used; free.length <= 20 && queued.some((each) => each > nonce); nonce++)
    if (!queued.includes(nonce)) free.push(nonce)
  const after = queued.reduce((next, each) => (each >= next ? each + 1n : next), used)
  const missingNonces = free.slice(0, 20)
  return { nextNonce: free[0] ?? after, ...(free.length > 0 && { missingNonces }) }
}

/**
 * The account without what an indexer adds.
 *
 * @throws TypeError for a timed account without its locked balance
 */
export function accountBody(data: unknown): Exact<Omit<Account, 'username'>> {
  const [account, pooled] = [at(data, 'account'), list(data, 'pooledUserCommands')]
  const isTimed = timingOf(account).some((value) => value !== null)
  const first = pooled.toSorted((left, right) => Number(integer(left, 'nonce') - integer(right, 'nonce'))).slice(0, 1)
  const optional = (key: 'delegate' | 'receiptChainHash' | 'votingFor') =>
    at(account, key) === null ? {} : texts(account, key)
  return {
    publicKey: text(account, 'publicKey'),
    balance: {
      total: mina(integer(account, 'balance', 'total')),
      unknown: mina(integer(account, 'balance', 'unknown')),
      lockedBalance: isTimed ? mina(integer(account, 'balance', 'locked')) : null,
      blockHeight: heightOf(data),
    },
    ...(isTimed && {
      timing: {
        initialMinimumBalance: mina(integer(account, 'timing', 'initialMinimumBalance')),
        cliffTime: Number(integer(account, 'timing', 'cliffTime')),
        cliffAmount: mina(integer(account, 'timing', 'cliffAmount')),
        vestingPeriod: Number(integer(account, 'timing', 'vestingPeriod')),
        vestingIncrement: mina(integer(account, 'timing', 'vestingIncrement')),
      },
    }),
    nonce: integer(account, 'nonce'),
    ...optional('receiptChainHash'),
    ...optional('delegate'),
    ...optional('votingFor'),
    countPendingTransactions: pooled.length,
    firstPendingTransaction: first.map(pendingCommand),
    ...nextNonce(
      integer(account, 'nonce'),
      [...pooled, ...zkappPayers(data)].map((command) => integer(command, 'nonce')),
    ),
  }
}
