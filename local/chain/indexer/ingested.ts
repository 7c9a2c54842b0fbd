// The part of the chain that the indexer has read; all of its answers come from here.
import type { Activity } from '../activity.ts'
import type { ChainBlock } from '../block.ts'
import type { Chain } from '../chain.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { ledgerAfter } from './ledger-after.ts'
import { type LedgerState, type StakingLedgers, stakingLedgers } from './stakes/staking-ledgers.ts'
import { usernamesOf } from './usernames.ts'

/** Switches for tests. They are read at each request, so a test may change them while the indexer serves. */
export interface IndexerState {
  /** How many blocks of the best chain it has not read yet. With all of them its database is empty. Default 0. */
  behind?: number
  /** Makes it report the genesis block of another chain. */
  genesisStateHash?: string
  /**
   * What it holds of a staking ledger of the best chain, undefined for one that nobody has added. By default it holds
   * each of them, whole.
   */
  ledger?: (ledgerHash: string) => LedgerState | undefined
}

export interface Ingested {
  readonly genesisStateHash: string
  readonly slotsPerEpoch: number
  /** The genesis block and the latest ones, abandoned ones too, in the order in which they were made. */
  readonly blocks: readonly ChainBlock[]
  /** What older blocks held for each key. */
  readonly forgotten: ReadonlyMap<string, Activity>
  /** The best block; undefined while no block has been read. */
  readonly tip: ChainBlock | undefined
  readonly genesisLedger: Ledger
  isCanonical(block: ChainBlock): boolean
  /** Accounts after the best block. */
  ledger(): Ledger
  stakingLedgers(): StakingLedgers
  /** The display name of a key, null for most. */
  username(publicKey: string): string | null
}

/** @returns a function that reads the chain at the moment of the call */
export function createIngestion(chain: Chain, state: IndexerState): () => Ingested {
  const usernames = usernamesOf(chain)
  return () => {
    const { behind = 0, genesisStateHash = chain.genesisBlock().stateHash } = state
    const bestHeight = chain.tip().height - behind
    const tip = chain.bestChain().at(-1 - behind)
    return {
      genesisStateHash,
      slotsPerEpoch: chain.slotsPerEpoch,
      blocks: chain.allBlocks().filter(({ height }) => height <= bestHeight),
      forgotten: chain.forgotten(),
      tip,
      genesisLedger: chain.stakingLedgerByHash(chain.genesisBlock().stagedLedgerHash) ?? new Map(),
      isCanonical: ({ stateHash }) => chain.isCanonical(stateHash),
      ledger: () => (tip === undefined ? new Map() : ledgerAfter(chain, tip)),
      stakingLedgers: () =>
        stakingLedgers(chain, genesisStateHash, tip === undefined ? () => undefined : (state.ledger ?? (() => ({})))),
      username: (publicKey) => usernames.get(publicKey) ?? null,
    }
  }
}
