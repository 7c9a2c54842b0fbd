// Rows of a staking ledger as the indexer sends them, in the contract's shape.
import { at } from '../../exact-json.ts'
import { integer, integers, list, mina, text, texts } from '../sent/values.ts'

const maxDelegators = 1000n

/** The indexer's own epoch is the last one that uses the ledger, whichever was asked for. */
export interface OfEpoch {
  readonly epoch: bigint
  readonly chainId: string
}

const record = (row: unknown, { epoch, chainId }: OfEpoch) => ({
  pk: text(row, 'public_key'),
  balance: mina(integer(row, 'balanceNanomina')),
  ...texts(row, 'public_key', 'delegate', 'receipt_chain_hash', 'voting_for'),
  ...integers(row, 'nonce', 'token'),
  ...{ epoch, chainId },
})

const byBalance = (left: unknown, right: unknown): number => {
  const more = integer(right, 'balanceNanomina') - integer(left, 'balanceNanomina')
  if (more !== 0n) return more > 0n ? 1 : -1
  return text(left, 'public_key') < text(right, 'public_key') ? -1 : 1
}

export const records = (rows: readonly unknown[], place: OfEpoch): readonly object[] =>
  rows.toSorted(byBalance).map((row) => record(row, place))

/** The number of delegators that the key's own row states. */
export const delegatorCount = (own: unknown): bigint => integer(own, 'delegationTotals', 'countDelegates')

export const delegatedTotal = (own: unknown): bigint => integer(own, 'delegationTotals', 'totalDelegatedNanomina')

/** True if the listed rows are those that the key's own row counts. */
export function isWhole(own: unknown, delegators: readonly unknown[]): boolean {
  const [count, total] = [delegatorCount(own), delegatedTotal(own)]
  const sum = delegators.reduce((part: bigint, row) => part + integer(row, 'balanceNanomina'), 0n)
  if (count > maxDelegators) return BigInt(delegators.length) === maxDelegators && sum <= total
  const isListed = delegators.some((row) => at(row, 'public_key') === at(own, 'public_key'))
  const stakesWithItself = at(own, 'delegate') === at(own, 'public_key')
  return BigInt(delegators.length) === count && sum === total && isListed === stakesWithItself
}

/** True if rows contradict each other in a way for which the contract has no rule. */
export function isDoubtful(own: unknown, delegators: readonly unknown[]): boolean {
  const keys = new Set(delegators.map((row) => at(row, 'public_key')))
  const listed = delegators.find((row) => at(row, 'public_key') === at(own, 'public_key'))
  const twice = ['balanceNanomina', 'delegate', 'nonce', 'receipt_chain_hash', 'voting_for', 'token']
  return (
    keys.size < delegators.length ||
    [own, ...delegators].some((row) => integer(row, 'token') !== 1n) ||
    (listed !== undefined && twice.some((key) => JSON.stringify(at(listed, key)) !== JSON.stringify(at(own, key))))
  )
}

/**
 * The rows of an answer that shows them to be of this very ledger.
 *
 * @param data of a readable answer
 * @returns undefined where the indexer does not have the ledger, and for rows of another one
 */
export function rowsOfLedger(data: unknown, key: string, ledgerHash: unknown): readonly unknown[] | undefined {
  const [known, rows] = [list(data, 'known'), list(data, key)]
  if (known.length !== 1) return undefined
  const isOther = [...known, ...rows].some(
    (row) => at(row, 'ledgerHash') !== ledgerHash || integer(row, 'epoch') !== integer(known, 0, 'epoch'),
  )
  return isOther ? undefined : rows
}
