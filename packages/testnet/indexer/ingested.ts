// The part of the chain that the indexer has read; all of its answers come from here.
import { type Activity, addedUp, noActivity } from '../activity.ts'
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
  /** Height of the first block that it has read. Default 1. */
  firstHeight?: number
  /** True if it began with the genesis block of the latest hard fork, and has no block before. */
  isWithoutOldChain?: boolean
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
  /** The genesis block from which the epochs of a block count: that of the latest hard fork before it. */
  genesisOf(block: ChainBlock): Pick<ChainBlock, 'stateHash' | 'slot'>
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

/**
 * A chain and those before its hard forks, oldest first, each with the height of its last kept block. Once a chain has
 * forgotten its first blocks, nothing before them is known.
 */
function erasOf(chain: Chain, lastHeight = Number.POSITIVE_INFINITY): readonly Era[] {
  const { before } = chain
  const isWhole = chain.bestChain()[0]?.stateHash === chain.genesisBlock().stateHash
  return [...(before && isWhole ? erasOf(before.chain, before.parent.height) : []), { chain, lastHeight }]
}

interface Era {
  readonly chain: Chain
  readonly lastHeight: number
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

/** The activity of the keys in blocks that none of these chains keeps. */
function forgottenBy(eras: readonly Era[]): ReadonlyMap<string, Activity> {
  const sums = new Map<string, Activity>()
  for (const { chain } of eras) {
    for (const [publicKey, more] of chain.forgotten()) {
      const sum = sums.get(publicKey) ?? noActivity
      sums.set(publicKey, addedUp(sum, more))
    }
  }
  return sums
}

/** @returns a function that reads the chain at the moment of the call */
export function createIngestion(chain: Chain, state: IndexerState): () => Ingested {
  const usernames = usernamesOf(chain)
  return () => {
    const { tip: preferred, behind = 0, dangling = 0, firstHeight = 1 } = state
    const { genesisStateHash = chain.genesisBlock().stateHash } = state
    const eras = state.isWithoutOldChain ? [{ chain, lastHeight: Number.POSITIVE_INFINITY }] : erasOf(chain)
    const earlier = eras
      .slice(0, -1)
      .flatMap((era) => era.chain.bestChain().filter(({ height }) => height <= era.lastHeight))
    const path = [...earlier, ...(preferred === undefined ? chain.bestChain() : pathTo(chain, preferred))]
    const read = path.slice(0, Math.max(0, path.length - behind))
    // The genesis block needs no other to be connected.
    const connected = read.slice(0, Math.max(1, read.length - dangling))
    const tip = connected.at(-1)
    const genesisByBlock = new Map(
      eras
        .slice(0, -1)
        .flatMap((era) => era.chain.allBlocks().map(({ stateHash }) => [stateHash, era.chain.genesisBlock()])),
    )
    const genesisHashes = new Set(eras.map((era) => era.chain.genesisBlock().stateHash))
    // An indexer had read them before the hard fork, and they may be higher than its tip.
    const discarded = new Set(
      eras
        .slice(0, -1)
        .flatMap(({ chain: { allBlocks }, lastHeight }) =>
          allBlocks().flatMap(({ height, stateHash }) => (height > lastHeight ? [stateHash] : [])),
        ),
    )
    return {
      genesisStateHash,
      slotsPerEpoch: chain.slotsPerEpoch,
      genesisOf: ({ stateHash }) => {
        const genesis = genesisByBlock.get(stateHash) ?? chain.genesisBlock()
        return { stateHash: state.genesisStateHash ?? genesis.stateHash, slot: genesis.slot }
      },
      blocks: eras
        .flatMap((era) => era.chain.allBlocks())
        .filter(({ height, stateHash }) => height <= (read.at(-1)?.height ?? 0) || discarded.has(stateHash))
        .filter(({ height }) => height >= firstHeight),
      forgotten: eras.length === 1 ? chain.forgotten() : forgottenBy(eras),
      tip,
      isCanonical: ({ height, stateHash }) =>
        genesisHashes.has(stateHash) || connected[height - (connected[0]?.height ?? 0)]?.stateHash === stateHash,
      ledger: () =>
        ledgerAfter(
          eras.map((era) => era.chain),
          connected,
        ),
      stakingLedgers: () =>
        stakingLedgers(chain, genesisStateHash, tip === undefined ? () => undefined : (state.ledger ?? (() => ({})))),
      username: (publicKey) => usernames.get(publicKey) ?? null,
    }
  }
}
