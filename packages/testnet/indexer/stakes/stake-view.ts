// A row of a staking ledger in the mina-indexer's shape.
import type { Account, Ledger } from '../../ledger/ledger.ts'

/** The stake that is delegated to each key, its own included if it delegates to itself. */
export type Delegations = ReadonlyMap<string, { readonly nanomina: bigint; readonly count: number }>

export function delegationsIn(ledger: Ledger): Delegations {
  const delegations = new Map<string, { nanomina: bigint; count: number }>()
  for (const { balance, delegate } of ledger.values()) {
    const { nanomina = 0n, count = 0 } = delegations.get(delegate) ?? {}
    delegations.set(delegate, { nanomina: nanomina + balance, count: count + 1 })
  }
  return delegations
}

/** Labels of every row of an answer. They need not be true of the ledger that the rows come from. */
export interface RowLabels {
  readonly epoch: number
  readonly ledgerHash: string
  readonly genesisStateHash: string
  /** Nanomina. */
  readonly totalCurrency: bigint
  readonly accountCount: number
}

export function stakeView(
  { totalCurrency, accountCount, ...labels }: RowLabels,
  account: Account,
  delegations: Delegations,
) {
  const { publicKey, delegate, balance, nonce, receiptChainHash, votingFor } = account
  const { nanomina = 0n, count = 0 } = delegations.get(publicKey) ?? {}
  return {
    ...labels,
    public_key: publicKey,
    pk: publicKey,
    delegate,
    balanceNanomina: balance,
    nonce,
    token: 1,
    receipt_chain_hash: receiptChainHash,
    voting_for: votingFor,
    delegationTotals: { totalDelegatedNanomina: nanomina, countDelegates: count },
    epoch_num_accounts: accountCount,
    epoch_total_currency: totalCurrency,
  }
}

/** The single row that says that a ledger is ingested. Nothing else in it means anything. */
export const ledgerIsKnown = (ledgerHash: string, epoch: number) => ({
  epoch,
  ledgerHash,
  genesisStateHash: '',
  public_key: '',
  pk: '',
  delegate: '',
  balanceNanomina: 0n,
  nonce: 0,
  token: 0,
  receipt_chain_hash: '',
  voting_for: '',
  delegationTotals: { totalDelegatedNanomina: 0n, countDelegates: 0 },
  epoch_num_accounts: 0,
  epoch_total_currency: 0n,
})
