// The staking ledgers that someone has given to the indexer. It learns them from files, not from blocks.
import type { Chain } from '../../chain.ts'
import type { Account, Ledger } from '../../ledger/ledger.ts'

/** The part of one ledger that the indexer holds. */
export interface LedgerState {
  /** Number of rows that are written, as while it is being ingested. All by default. */
  readonly rows?: number
  /** The genesis block of the chain under which it is filed. By default the one that the indexer reports. */
  readonly genesisStateHash?: string
  /** Accounts that it has in place of the right ones. */
  readonly accounts?: Ledger
}

export interface IngestedLedger {
  /** The last epoch that uses it: the indexer keeps one for each hash, that of the latest file. */
  readonly epoch: number
  readonly genesisStateHash: string
  /** Nanomina. */
  readonly totalCurrency: bigint
  /** The whole ledger, from which counts and delegation totals are computed before a row is written. */
  readonly accounts: Ledger
  /** The rows that are written. */
  readonly rows: readonly Account[]
}

export interface StakingLedgers {
  byHash(ledgerHash: string): IngestedLedger | undefined
  /** The ledger that an epoch uses, with its hash. */
  at(epoch: number, genesisStateHash: string): (IngestedLedger & { readonly ledgerHash: string }) | undefined
  /** The chain to which the indexer counts a ledger: it takes each that it does not know for one of this chain. */
  genesisOf(ledgerHash: string): string
}

/** The ledgers of the best chain's epochs, by hash; the genesis ledger serves the first two. */
function ledgersInUse(chain: Chain) {
  const used = new Map<string, { epochs: Set<number>; totalCurrency: bigint }>()
  for (const { epoch, stakingEpoch, nextEpoch } of [chain.genesisBlock(), ...chain.bestChain()]) {
    for (const [data, at] of [[stakingEpoch, epoch] as const, [nextEpoch, epoch + 1] as const]) {
      const known = used.get(data.ledgerHash)
      if (known === undefined) used.set(data.ledgerHash, { epochs: new Set([at]), totalCurrency: data.totalCurrency })
      else known.epochs.add(at)
    }
  }
  return used
}

/** A mina-indexer writes rows in the unpredictable order of a hash map: here by the last characters of the key. */
const inNoOrder = (accounts: Ledger): readonly Account[] =>
  [...accounts.values()].toSorted((left, right) => (left.publicKey.slice(-9) < right.publicKey.slice(-9) ? -1 : 1))

/**
 * @param genesisStateHash the genesis block that the indexer reports
 * @param stateOf undefined for a ledger that is not ingested
 */
export function stakingLedgers(
  chain: Chain,
  genesisStateHash: string,
  stateOf: (ledgerHash: string) => LedgerState | undefined,
): StakingLedgers {
  const used = ledgersInUse(chain)
  const byHash = (ledgerHash: string): IngestedLedger | undefined => {
    const use = used.get(ledgerHash)
    const state = use && stateOf(ledgerHash)
    const accounts = state?.accounts ?? chain.stakingLedgerByHash(ledgerHash)
    if (use === undefined || state === undefined || accounts === undefined) return undefined
    return {
      epoch: Math.max(...use.epochs),
      genesisStateHash: state.genesisStateHash ?? genesisStateHash,
      totalCurrency: use.totalCurrency,
      accounts,
      rows: inNoOrder(accounts).slice(0, state.rows),
    }
  }
  return {
    byHash,
    at(epoch, wantedGenesis) {
      const [ledgerHash] = [...used].find(([, { epochs }]) => epochs.has(epoch)) ?? []
      const ledger = ledgerHash === undefined ? undefined : byHash(ledgerHash)
      return ledgerHash !== undefined && ledger?.genesisStateHash === wantedGenesis
        ? { ...ledger, ledgerHash }
        : undefined
    },
    genesisOf: (ledgerHash) => byHash(ledgerHash)?.genesisStateHash ?? chain.genesisBlock().stateHash,
  }
}
