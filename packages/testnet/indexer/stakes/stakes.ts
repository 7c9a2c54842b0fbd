// The mina-indexer's question about staking ledgers, with its faults.
import type { Account } from '../../ledger/ledger.ts'
import { check, sorted } from '../arguments.ts'
import type { Ingested } from '../ingested.ts'
import { Panic } from '../panic.ts'
import { delegationsIn, ledgerIsKnown, type RowLabels, stakeView } from './stake-view.ts'

export interface StakesArguments {
  readonly query?: {
    readonly delegate?: string | null
    /** Under which the rows are filed; by default that of the indexer's chain. */
    readonly genesisStateHash?: string | null
    readonly ledgerHash?: string | null
    readonly public_key?: string | null
  } | null
  readonly limit: number
  readonly sortBy?: 'BALANCE_DESC' | 'BALANCE_ASC' | 'STAKE_DESC' | 'STAKE_ASC' | null
}

/**
 * Rows of a staking ledger. With limit 0 and a ledger hash: one row if the ledger is ingested, even in part. For any
 * other limit a ledger that is not ingested is answered with the rows of epoch 0 under the hash that was asked for.
 *
 * @throws Panic when the database is empty
 */
export function stakes(ingested: Ingested, { query, limit, sortBy }: StakesArguments) {
  const { delegate, genesisStateHash: filedUnder, ledgerHash, public_key: publicKey } = query ?? {}
  const ledgers = ingested.stakingLedgers()
  if (limit === 0 && ledgerHash != null) {
    const known = ledgers.byHash(ledgerHash)
    return known === undefined ? [] : [ledgerIsKnown(ledgerHash, known.epoch)]
  }
  if (ingested.tip === undefined) throw new Panic()
  check('ledger hash', ledgerHash)
  check('genesis state hash', filedUnder)
  const { tip } = ingested
  const genesisStateHash = filedUnder ?? ingested.genesisStateHash
  // The fault of the real program: a ledger that it does not have is taken for that of epoch 0.
  const epoch = ledgerHash == null ? tip.epoch : (ledgers.byHash(ledgerHash)?.epoch ?? 0)
  const ledger = ledgers.at(epoch, genesisStateHash)
  const wantedHash = ledgerHash ?? ledger?.ledgerHash
  if (wantedHash === undefined) return []

  const delegations = delegationsIn(ledger?.accounts ?? new Map())
  const genesisOfRows = ledgers.genesisOf(wantedHash)
  const labels: RowLabels = {
    epoch,
    ledgerHash: wantedHash,
    genesisStateHash: genesisOfRows,
    totalCurrency: ledgers.byHash(wantedHash)?.totalCurrency ?? 0n,
    accountCount: ledgers.at(epoch, genesisOfRows)?.accounts.size ?? 0,
  }
  const order = sortBy ?? 'STAKE_DESC'
  const rank = ({ balance, publicKey }: Account) =>
    order.startsWith('BALANCE') ? balance : (delegations.get(publicKey)?.nanomina ?? 0n)
  const isWanted = (row: Account) =>
    row.publicKey === (publicKey ?? row.publicKey) && row.delegate === (delegate ?? row.delegate)
  return sorted(ledger?.rows ?? [], order, rank, (account) => account.publicKey)
    .filter(isWanted)
    .slice(0, Math.max(0, limit))
    .map((row) => stakeView(labels, row, delegations))
}
