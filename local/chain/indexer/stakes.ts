// Staking ledgers in the mina-indexer's shape: the choice of the ledger, the delegations in it, and its rows.
import { minaDecimal } from '../../../shared/mapping/units.ts'
import type { EpochData } from '../block.ts'
import type { StakingLedger } from '../chain.ts'
import { type Account, type Ledger, minaToken } from '../ledger/ledger.ts'
import { activityView, timingView } from './accounts.ts'
import { keyView } from './blocks.ts'
import type { Ingested } from './ingested.ts'

/**
 * The staking ledger of an epoch, or the one with a hash. Several epochs may use one hash, as the first two use that of
 * the genesis ledger; without an epoch, the current one is taken, else the last.
 *
 * @param epoch without a hash it defaults to that of the best block
 * @returns undefined for a ledger that no known block refers to
 */
export function findLedger(
  { blocks, tip, isCanonical, stakingLedger }: Ingested,
  epoch: number | null | undefined,
  ledgerHash: string | null | undefined,
): StakingLedger | undefined {
  if (tip === undefined) return undefined
  const isWanted = (used: number, data: EpochData) =>
    ledgerHash == null ? used === (epoch ?? tip.epoch) : data.ledgerHash === ledgerHash && used === (epoch ?? used)
  const uses = blocks
    .filter((block) => ledgerHash != null || isCanonical(block))
    .flatMap((block) => [
      { ...block.stakingEpoch, epoch: block.epoch },
      { ...block.nextEpoch, epoch: block.epoch + 1 },
    ])
    .filter((use) => isWanted(use.epoch, use))
  const use = uses.findLast((candidate) => candidate.epoch === tip.epoch) ?? uses.at(-1)
  return use && { ...use, accounts: stakingLedger(use.ledgerHash) }
}

/** The stake that is delegated to a key, its own included if it delegates to itself. */
interface Delegation {
  readonly nanomina: bigint
  readonly delegates: readonly string[]
}

/** Delegations by the key of the delegate. */
export function delegationsIn(ledger: Ledger): ReadonlyMap<string, Delegation> {
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

/** Per cent with two decimals, rounded: `8.56`. */
function percentage(part: bigint, whole: bigint): string {
  const hundredths = whole === 0n ? 0n : (part * 20_000n + whole) / (whole * 2n)
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

export function stakeView(
  ingested: Ingested,
  ledger: StakingLedger,
  account: Account,
  { nanomina, delegates }: Delegation = { nanomina: 0n, delegates: [] },
) {
  const { publicKey, delegate, balance, nonce, timing, receiptChainHash, votingFor } = account
  const { totalCurrency } = ledger
  return {
    epoch: ledger.epoch,
    ledgerHash: ledger.ledgerHash,
    genesisStateHash: ingested.genesisStateHash,
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
    epoch_num_accounts: ledger.accounts.size,
    epoch_total_currency: totalCurrency,
    ...activityView(ingested, publicKey, ({ epoch }) => epoch === ledger.epoch),
  }
}
