// Staking ledgers as the indexer keeps them: who stakes how much with whom in an epoch.
import type { StakingRecord } from '../contract/account.ts'
import type { Exact } from '../mapping/json.ts'
import { minaDecimal } from '../mapping/units.ts'
import { WireError } from '../upstream/errors.ts'
import { operation } from '../upstream/operation.ts'
import { anyText, called, count, listOf, nanomina, shape, text, type Variables, type Wire } from '../upstream/wire.ts'

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

const isOfLedger = (rows: readonly { readonly ledgerHash: string }[], { ledgerHash }: Variables): boolean =>
  rows.every((row) => row.ledgerHash === ledgerHash)

const stakesData = shape({
  any: called('stakes(limit: 1, query: {ledgerHash: $ledgerHash})', listOf(shape({ ledgerHash: text })), isOfLedger),
  own: called(
    'stakes(limit: 1, query: {ledgerHash: $ledgerHash, public_key: $publicKey})',
    listOf(shape({ ...rowFields, delegationTotals: shape({ totalDelegatedNanomina: nanomina }) })),
    (rows, asked) =>
      rows.length <= 1 && isOfLedger(rows, asked) && rows.every((row) => row.public_key === asked.publicKey),
  ),
  delegators: called(
    `stakes(limit: ${mostDelegators}, query: {ledgerHash: $ledgerHash, delegate: $publicKey}, sortBy: BALANCE_DESC)`,
    listOf(stakesRow),
    (rows, asked) =>
      rows.length <= mostDelegators &&
      isOfLedger(rows, asked) &&
      rows.every(({ delegate }) => delegate === asked.publicKey),
  ),
})

type Stakes = Wire<typeof stakesData>

const sumOf = (rows: readonly StakesRow[]): bigint => rows.reduce((sum, row) => sum + row.balanceNanomina, 0n)

/**
 * Whether the key's own row, its delegators and its total agree. While an indexer ingests a ledger it shows only a part,
 * which must not pass for the whole.
 */
function isWhole({ own: [row], delegators }: Stakes): boolean {
  // A key can be delegated to only once it has an account, and so a row.
  if (row === undefined) return delegators.length === 0
  const { totalDelegatedNanomina } = row.delegationTotals
  const isCut = delegators.length === mostDelegators
  if (isCut ? totalDelegatedNanomina < sumOf(delegators) : totalDelegatedNanomina !== sumOf(delegators)) return false
  const listed = delegators.find(({ public_key }) => public_key === row.public_key)
  if (listed === undefined) return isCut || row.delegate !== row.public_key
  return listed.balanceNanomina === row.balanceNanomina && row.delegate === row.public_key
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
    // Without the key's own row nothing shows that the ledger is whole.
    rowsToKeep: (found) => (found.own.length > 0 && isWhole(found) ? 2 + found.delegators.length : 0),
  },
)

/** What one staking ledger says about a key. */
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

/**
 * The staking fields of an account, from one ledger.
 *
 * @throws WireError when the ledger is not ingested, or only in part
 */
export function stakingView(stakes: Stakes, ledgerHash: string, chainId: string): StakingView {
  const { any, own, delegators } = stakes
  if (any.length === 0) throw new WireError('unreadable', `ledger ${ledgerHash} is not ingested`)
  if (!isWhole(stakes)) {
    throw new WireError('mismatched', `ledger ${ledgerHash}: own row, delegators and total disagree`)
  }
  return {
    account: own.map((row) => stakingRecord(row, chainId)),
    delegators: delegators.toSorted(byBalance).map((row) => stakingRecord(row, chainId)),
    totalBalance: minaDecimal(own[0]?.delegationTotals.totalDelegatedNanomina ?? 0n),
  }
}
