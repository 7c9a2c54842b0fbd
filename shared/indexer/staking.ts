// A key's entry in a staking ledger, as the service shows it.
import type { Account, StakingRecord } from '../contract/account.ts'
import { minaDecimal } from '../mapping/amounts.ts'
import type { Exact } from '../mapping/exact-json.ts'
import type { OwnRow, StakesRow } from '../upstream/ledger-scans.ts'
import { type Attempted, lasting, type MissingFields } from './indexed.ts'
import type { LedgerAnswer } from './staking-ledger.ts'

/** The account fields that one ledger feeds. */
export interface StakingNames {
  readonly account: 'epochStakingAccount' | 'nextEpochStakingAccount'
  readonly delegators: 'epochDelegators' | 'nextEpochDelegators'
  readonly count: 'epochDelegatorCount' | 'nextEpochDelegatorCount'
  readonly total: 'epochTotalStakingBalance' | 'nextEpochTotalStakingBalance'
}

/** The epoch and the chain whose ledger it is. An indexer files a ledger under the last epoch that uses it. */
interface LedgerUse {
  readonly epoch: number
  readonly chainId: string
}

const stakingRecord = (row: StakesRow, { epoch, chainId }: LedgerUse): Exact<StakingRecord> => ({
  pk: row.public_key,
  balance: minaDecimal(row.balanceNanomina),
  delegate: row.delegate,
  token: row.token,
  receipt_chain_hash: row.receipt_chain_hash,
  voting_for: row.voting_for,
  nonce: row.nonce,
  epoch,
  chainId,
  public_key: row.public_key,
})

const byBalance = (left: StakesRow, right: StakesRow): number =>
  left.balanceNanomina === right.balanceNanomina
    ? Number(left.public_key > right.public_key) - Number(left.public_key < right.public_key)
    : Number(right.balanceNanomina > left.balanceNanomina) - Number(right.balanceNanomina < left.balanceNanomina)

type Fields = Partial<Exact<Account>>

const missing = (names: readonly string[], reason: string): readonly MissingFields[] => [{ fields: names, reason }]

function ofOwnRow(own: OwnRow, delegators: Attempted<readonly StakesRow[]>, names: StakingNames, use: LedgerUse) {
  const { countDelegates, totalDelegatedNanomina } = own.delegationTotals
  const fields: Fields = {
    [names.account]: [stakingRecord(own, use)],
    [names.count]: countDelegates,
    [names.total]: minaDecimal(totalDelegatedNanomina),
  }
  if (delegators.state === 'missing') return { fields, missing: missing([names.delegators], delegators.reason) }
  const records = delegators.value.toSorted(byBalance).map((row) => stakingRecord(row, use))
  return {
    fields: { ...fields, [names.delegators]: records },
    missing: lasting(countDelegates > records.length ? [names.delegators] : []),
  }
}

/**
 * The four fields that a ledger feeds, and the names of those that it failed to feed. A key without a row does not have
 * a record. It may still have delegators, since an account update can name any key as the delegate; but only a key's own
 * row has their number and total, so these three fields are missing.
 *
 * @param epoch that uses the ledger
 * @returns balances as MINA text with nine decimals; delegators from the largest balance down, at most 1,000, the key
 *   itself among them if it delegates to itself; number and total count all, and a cut list counts as missing
 */
export function stakingFields(answer: LedgerAnswer, names: StakingNames, epoch: number, chainId: Attempted<string>) {
  const { account, delegators, count, total } = names
  const { own } = answer
  const failure = own.state === 'missing' ? own : chainId.state === 'missing' ? chainId : undefined
  if (failure !== undefined)
    return { fields: {}, missing: missing([account, delegators, count, total], failure.reason) }
  if (own.state === 'known' && own.value !== undefined && chainId.state === 'known') {
    return ofOwnRow(own.value, answer.delegators, names, { epoch, chainId: chainId.value })
  }
  return {
    fields: { [account]: [] },
    missing: missing([delegators, count, total], 'the ledger shows no row of the key'),
  }
}
