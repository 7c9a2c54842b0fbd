// Staking ledgers as the indexer keeps them: who stakes how much with whom in an epoch.
import type { StakingRecord } from '../contract/account.ts'
import { WireError } from '../errors.ts'
import type { Exact } from '../json.ts'
import { minaDecimal } from './units.ts'
import { anyText, called, count, listOf, nanomina, operation, shape, text, type Wire } from './wire.ts'

const rowFields = {
  balanceNanomina: nanomina,
  delegate: text,
  epoch: count,
  ledgerHash: text,
  nonce: count,
  public_key: text,
  receipt_chain_hash: anyText,
  token: count,
  voting_for: anyText,
}
const stakesRow = shape(rowFields)

type StakesRow = Wire<typeof stakesRow>

/** A pool can have thousands of delegators; a Lambda answer holds 6 MB, and a thousand records are about half a MB. */
const mostDelegators = 1000

const stakesData = shape({
  any: called('stakes(limit: 1, query: {ledgerHash: $ledgerHash})', listOf(shape({ ledgerHash: text }))),
  own: called(
    'stakes(limit: 1, query: {ledgerHash: $ledgerHash, public_key: $publicKey})',
    listOf(shape({ ...rowFields, delegationTotals: shape({ totalDelegatedNanomina: nanomina }) })),
  ),
  delegators: called(
    `stakes(limit: ${mostDelegators}, query: {ledgerHash: $ledgerHash, delegate: $publicKey}, sortBy: BALANCE_DESC)`,
    listOf(stakesRow),
  ),
})

type Stakes = Wire<typeof stakesData>

/** Whether all rows are of one ledger and key. */
function isOf({ any, own, delegators }: Stakes, ledgerHash: unknown, publicKey: unknown): boolean {
  return (
    [...any, ...own, ...delegators].every((row) => row.ledgerHash === ledgerHash) &&
    own.every((row) => row.public_key === publicKey) &&
    delegators.every((row) => row.delegate === publicKey)
  )
}

/** A ledger never changes under its hash. One that the indexer has not ingested yet has no rows at all. */
export const stakesInLedger = operation(
  'indexer',
  'query',
  'stakesInLedger',
  '$ledgerHash: String!, $publicKey: String!',
  stakesData,
  {
    isSlow: true,
    rowsToKeep: (found, { ledgerHash, publicKey }) =>
      found.any.length > 0 && isOf(found, ledgerHash, publicKey) ? 1 + found.own.length + found.delegators.length : 0,
  },
)

/** What one staking ledger says of a key. */
export interface StakingView {
  /** The key's own record, or none. */
  readonly account: readonly Exact<StakingRecord>[]
  /** Who delegates to the key, itself included where it does, largest balance first, at most 1,000. */
  readonly delegators: readonly Exact<StakingRecord>[]
  /** MINA text: all that is delegated to the key, whatever the list leaves out. */
  readonly totalBalance: string
}

const stakingRecord = (row: StakesRow, chainId: string): Exact<StakingRecord> => ({
  pk: row.public_key,
  balance: minaDecimal(row.balanceNanomina),
  delegate: row.delegate,
  token: row.token,
  receipt_chain_hash: row.receipt_chain_hash,
  voting_for: row.voting_for,
  nonce: row.nonce,
  epoch: row.epoch,
  chainId,
  public_key: row.public_key,
})

const byBalance = (left: StakesRow, right: StakesRow): number =>
  left.balanceNanomina === right.balanceNanomina
    ? Number(left.public_key > right.public_key) - Number(left.public_key < right.public_key)
    : Number(right.balanceNanomina > left.balanceNanomina) - Number(right.balanceNanomina < left.balanceNanomina)

function totalDelegated({ own, delegators }: Stakes): bigint {
  const [row] = own
  if (row !== undefined) return row.delegationTotals.totalDelegatedNanomina
  if (delegators.length === mostDelegators) throw new WireError('unreadable', 'stakes: delegators without a total')
  return delegators.reduce((total, { balanceNanomina }) => total + balanceNanomina, 0n)
}

/**
 * The staking fields of an account, from one ledger.
 *
 * @throws WireError when the ledger is not ingested, or when rows are of another ledger or key
 */
export function stakingView(stakes: Stakes, ledgerHash: string, publicKey: string, chainId: string): StakingView {
  const { any, own, delegators } = stakes
  if (any.length === 0) throw new WireError('unreadable', `ledger ${ledgerHash} is not ingested`)
  if (!isOf(stakes, ledgerHash, publicKey)) {
    throw new WireError('unreadable', `stakes of ledger ${ledgerHash}: rows of something else`)
  }
  return {
    account: own.map((row) => stakingRecord(row, chainId)),
    delegators: delegators.toSorted(byBalance).map((row) => stakingRecord(row, chainId)),
    totalBalance: minaDecimal(totalDelegated(stakes)),
  }
}
