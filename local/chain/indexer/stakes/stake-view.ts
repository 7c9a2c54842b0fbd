// A row of a staking ledger in the mina-indexer's shape.
import { minaDecimal } from '../../../../shared/mapping/units.ts'
import { type Account, type Ledger, minaToken } from '../../ledger/ledger.ts'
import { activityView, keyView, timingView } from '../accounts.ts'
import type { Ingested } from '../ingested.ts'

/** The stake that is delegated to a key, its own included if it delegates to itself. */
interface Delegation {
  readonly nanomina: bigint
  readonly delegates: readonly string[]
}

/** Delegations by the key of the delegate. */
export type Delegations = ReadonlyMap<string, Delegation>

export function delegationsIn(ledger: Ledger): Delegations {
  const delegations = new Map<string, { nanomina: bigint; delegates: string[] }>()
  for (const { publicKey, balance, delegate } of ledger.values()) {
    const delegation = delegations.get(delegate) ?? { nanomina: 0n, delegates: [] }
    delegation.nanomina += balance
    delegation.delegates.push(publicKey)
    delegations.set(delegate, delegation)
  }
  return delegations
}

/** MINA as a floating-point number, which loses digits; a mina-indexer has these fields next to the exact ones. */
const lossyMina = (nanomina: bigint): number => Number(minaDecimal(nanomina))

/** Per cent with two decimals, half to even: `8.56`; `0` without a part or a whole. */
function percentage(part: bigint, whole: bigint): string {
  if (part === 0n || whole === 0n) return '0'
  const [quotient, rest] = [(part * 10_000n) / whole, (part * 10_000n) % whole]
  const roundsUp = 2n * rest > whole || (2n * rest === whole && quotient % 2n === 1n)
  const hundredths = roundsUp ? quotient + 1n : quotient
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
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

export function stakeView(ingested: Ingested, labels: RowLabels, account: Account, delegations: Delegations) {
  const { publicKey, delegate, balance, nonce, timing, receiptChainHash, votingFor } = account
  const { epoch, ledgerHash, genesisStateHash, totalCurrency, accountCount } = labels
  const { nanomina, delegates }: Delegation = delegations.get(publicKey) ?? { nanomina: 0n, delegates: [] }
  return {
    epoch,
    ledgerHash,
    genesisStateHash,
    public_key: publicKey,
    username: ingested.username(publicKey),
    pk: publicKey,
    delegate,
    delegateUsername: ingested.username(delegate),
    balance: lossyMina(balance),
    balanceNanomina: balance,
    nonce,
    token: 1,
    tokenAddress: minaToken,
    receipt_chain_hash: receiptChainHash,
    voting_for: votingFor,
    timing: timingView(timing),
    delegationTotals: {
      totalCurrency,
      totalDelegated: lossyMina(nanomina),
      totalDelegatedNanomina: nanomina,
      countDelegates: delegates.length,
      delegates,
      delegate_pks: () => delegates.map((key) => keyView(ingested, key)),
      totalStakePercentage: percentage(nanomina, totalCurrency),
    },
    epoch_num_accounts: accountCount,
    epoch_total_currency: totalCurrency,
    ...activityView(ingested, publicKey, (block) => block.epoch === epoch),
  }
}

/** The single row that says that a ledger is ingested. Nothing else in it means anything. */
export const ledgerIsKnown = (ledgerHash: string, epoch: number) => ({
  epoch,
  ledgerHash,
  genesisStateHash: '',
  public_key: '',
  username: null,
  pk: '',
  delegate: '',
  delegateUsername: null,
  balance: 0,
  balanceNanomina: 0n,
  nonce: 0,
  token: 0,
  tokenAddress: '',
  receipt_chain_hash: '',
  voting_for: '',
  timing: null,
  delegationTotals: {
    totalCurrency: 0n,
    totalDelegated: 0,
    totalDelegatedNanomina: 0n,
    countDelegates: 0,
    delegates: [],
    delegate_pks: [],
    totalStakePercentage: '0',
  },
  epoch_num_accounts: 0,
  epoch_total_currency: 0n,
  pk_epoch_num_blocks: 0,
  pk_total_num_blocks: 0,
  pk_epoch_num_snarks: 0,
  pk_total_num_snarks: 0,
  pk_epoch_num_user_commands: 0,
  pk_total_num_user_commands: 0,
})
