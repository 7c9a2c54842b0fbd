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
  /** The state hash of its best block, where it prefers a block to the node's tip. */
  tip?: string
  /** Number of blocks at the end of its chain that it has not read yet. With all of them its database is empty. Default 0. */
  behind?: number
  /** Number of blocks that it has read and stored, but not connected to its chain yet. Default 0. */
  dangling?: number
  /** Makes it report the genesis block of another chain. */
  genesisStateHash?: string
  /**
   * Says how much it holds of a staking ledger of the best chain; undefined for one that nobody has added. By default it
   * holds each of them, whole.
   */
  ledger?: (ledgerHash: string) => LedgerState | undefined
}

export interface Ingested {
  readonly genesisStateHash: string
  readonly slotsPerEpoch: number
  /** The genesis block and the latest ones, abandoned ones too, in the order in which they were made. */
  readonly blocks: readonly ChainBlock[]
  /** The activity of each key in older blocks. */
  readonly forgotten: ReadonlyMap<string, Activity>
  /** The best block; undefined while no block has been read. */
  readonly tip: ChainBlock | undefined
  isCanonical(block: ChainBlock): boolean
  /** Accounts after the best block. */
  ledger(): Ledger
  stakingLedgers(): StakingLedgers
  /** The display name of a key, null for most. */
  username(publicKey: string): string | null
}

/** The chain that ends in a block, oldest first: a branch of the best chain, or a part of it. */
function pathTo(chain: Chain, tip: string): readonly ChainBlock[] {
  const blocks = new Map(chain.allBlocks().map((block) => [block.stateHash, block]))
  const branch: ChainBlock[] = []
  let block = blocks.get(tip)
  while (block !== undefined && !chain.isCanonical(block.stateHash)) {
    branch.unshift(block)
    block = blocks.get(block.previousStateHash)
  }
  const { height: forkHeight = 0 } = block ?? {}
  return [...chain.bestChain().filter(({ height }) => height <= forkHeight), ...branch]
}

/** @returns a function that reads the chain at the moment of the call */
export function createIngestion(chain: Chain, state: IndexerState): () => Ingested {
  const usernames = usernamesOf(chain)
  return () => {
    const { tip: preferred, behind = 0, dangling = 0, genesisStateHash = chain.genesisBlock().stateHash } = state
    const path = preferred === undefined ? chain.bestChain() : pathTo(chain, preferred)
    const read = path.slice(0, Math.max(0, path.length - behind))
    // The genesis block needs no other to be connected.
    const connected = read.slice(0, Math.max(1, read.length - dangling))
    const tip = connected.at(-1)
    return {
      genesisStateHash,
      slotsPerEpoch: chain.slotsPerEpoch,
      blocks: chain.allBlocks().filter(({ height }) => height <= (read.at(-1)?.height ?? 0)),
      forgotten: chain.forgotten(),
      tip,
      isCanonical: ({ height, stateHash }) =>
        height === 1 || connected[height - (connected[0]?.height ?? 0)]?.stateHash === stateHash,
      ledger: () => ledgerAfter(chain, connected),
      stakingLedgers: () =>
        stakingLedgers(chain, genesisStateHash, tip === undefined ? () => undefined : (state.ledger ?? (() => ({})))),
      username: (publicKey) => usernames.get(publicKey) ?? null,
    }
  }
}
