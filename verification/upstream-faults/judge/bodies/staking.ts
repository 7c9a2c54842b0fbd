// One staking ledger as the indexer sends it, in the contract's shape.
import { at } from '../../exact-json.ts'
import { integer, list, mina, text } from '../sent/values.ts'

const mostDelegators = 1000

/** The three fields that one ledger feeds. */
export interface StakingFields {
  readonly own: readonly object[]
  readonly delegators: readonly object[]
  readonly total: string
}

const record = (row: unknown, chainId: string) => ({
  pk: text(row, 'public_key'),
  balance: mina(integer(row, 'balanceNanomina')),
  delegate: text(row, 'delegate'),
  token: integer(row, 'token'),
  receipt_chain_hash: text(row, 'receipt_chain_hash'),
  voting_for: text(row, 'voting_for'),
  nonce: integer(row, 'nonce'),
  epoch: integer(row, 'epoch'),
  chainId,
  public_key: text(row, 'public_key'),
})

const byBalance = (left: unknown, right: unknown): number => {
  const more = integer(right, 'balanceNanomina') - integer(left, 'balanceNanomina')
  if (more !== 0n) return more > 0n ? 1 : -1
  return text(left, 'public_key') < text(right, 'public_key') ? -1 : 1
}

/**
 * @param data of a readable answer
 * @returns nothing for a ledger that is not, or half, ingested, and for rows of something else
 */
export function stakingFields(
  data: unknown,
  { ledgerHash, publicKey }: { readonly ledgerHash: unknown; readonly publicKey: string },
  chainId: string,
): StakingFields | undefined {
  const [any, own, delegators] = [list(data, 'any'), list(data, 'own'), list(data, 'delegators')]
  const rows = [...any, ...own, ...delegators]
  const isOther =
    rows.some((row) => at(row, 'ledgerHash') !== ledgerHash) ||
    own.some((row) => at(row, 'public_key') !== publicKey) ||
    delegators.some((row) => at(row, 'delegate') !== publicKey)
  if (rows.length === 0 || isOther || own.length > 1) return undefined
  const total = delegators.reduce((sum: bigint, row) => sum + integer(row, 'balanceNanomina'), 0n)
  const [row] = own
  const isWhole = delegators.length < mostDelegators
  if (row === undefined) {
    if (delegators.length > 0) return undefined
  } else {
    const isListed = delegators.some((one) => at(one, 'public_key') === publicKey)
    if (isWhole && isListed !== (at(row, 'delegate') === publicKey)) return undefined
    if (isWhole && total !== integer(row, 'delegationTotals', 'totalDelegatedNanomina')) return undefined
  }
  return {
    own: own.map((one) => record(one, chainId)),
    delegators: delegators.toSorted(byBalance).map((one) => record(one, chainId)),
    total: mina(row === undefined ? total : integer(row, 'delegationTotals', 'totalDelegatedNanomina')),
  }
}

/** Whether a ledger's rows contradict each other in what no rule names. */
export function isDoubtfulLedger(data: unknown): boolean {
  const [any, own, delegators] = [list(data, 'any'), list(data, 'own'), list(data, 'delegators')]
  const epochs = new Set([...own, ...delegators].map((row) => String(integer(row, 'epoch'))))
  const keys = new Set(delegators.map((row) => at(row, 'public_key')))
  const listed = delegators.find((row) => at(row, 'public_key') === at(own, 0, 'public_key'))
  const twice = ['balanceNanomina', 'nonce', 'receipt_chain_hash', 'voting_for', 'token']
  return (
    any.length === 0 ||
    epochs.size > 1 ||
    keys.size < delegators.length ||
    [...own, ...delegators].some((row) => integer(row, 'token') !== 1n) ||
    (listed !== undefined && twice.some((key) => JSON.stringify(at(listed, key)) !== JSON.stringify(at(own, 0, key))))
  )
}
