// The latest blocks, which of them are canonical, the ledgers that are still needed, and the activity in older blocks.
import { type Activity, addActivity } from './activity.ts'
import type { ChainBlock, EpochData } from './block.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { BlockState } from './production/block-producer.ts'

export interface Store {
  /** The tip of the best chain. */
  tip(): BlockState
  genesisBlock(): ChainBlock
  /** Oldest first; from genesis on until blocks are forgotten. */
  bestChain(): readonly ChainBlock[]
  /** The genesis block and the kept ones, abandoned ones too, in the order in which they were made. */
  allBlocks(): readonly ChainBlock[]
  /** The activity of each key in forgotten blocks. */
  forgotten(): ReadonlyMap<string, Activity>
  isCanonical(stateHash: string): boolean
  frontier(): readonly ChainBlock[]
  frontierBlock(stateHash: string): ChainBlock | undefined
  append(state: BlockState): void
  /**
   * Takes the last blocks off the best chain; they are kept as abandoned blocks.
   *
   * @throws RangeError for a depth that would reach the root of the frontier
   */
  abandon(depth: number): readonly ChainBlock[]
  /**
   * The block below the last ones of the best chain.
   *
   * @throws RangeError for a number that would reach below the frontier
   */
  stateBefore(blocks: number): BlockState
  /** The staking ledger for a block in `slot` on top of `parent`. */
  stakingLedgerAt(parent: BlockState, slot: number): Ledger
  stakingLedger(epoch: number): (EpochData & { readonly epoch: number; readonly accounts: Ledger }) | undefined
  stakingLedgerByHash(ledgerHash: string): Ledger | undefined
}

/** @param keptBlocks of the best chain; older ones are forgotten, so that a chain that runs for weeks stays small */
export function createStore(
  genesis: BlockState,
  slotsPerEpoch: number,
  frontierBlocks: number,
  keptBlocks: number,
): Store {
  const blocks = new Map([[genesis.block.stateHash, genesis.block]])
  const best = [genesis.block]
  /** By state hash, for the frontier only: no block is built on an older one. */
  const states = new Map([[genesis.block.stateHash, genesis]])
  const stakingLedgers = new Map([[genesis.block.stagedLedgerHash, genesis.ledger]])

  const forgotten = new Map<string, Activity>()

  const tipHeight = () => best.at(-1)?.height ?? 0
  const firstHeight = () => tipHeight() - best.length + 1
  const isCanonical = (stateHash: string) => {
    const height = blocks.get(stateHash)?.height
    const isGenesis = stateHash === genesis.block.stateHash
    return isGenesis || (height !== undefined && best[height - firstHeight()]?.stateHash === stateHash)
  }
  const frontier = () => best.slice(-frontierBlocks)
  const rootHeight = () => Math.max(genesis.block.height, tipHeight() - frontierBlocks + 1)
  const forgetOldBlocks = () => {
    best.splice(0, best.length - keptBlocks)
    for (const [stateHash, block] of blocks) {
      if (stateHash === genesis.block.stateHash) continue
      if (block.height >= firstHeight()) break
      blocks.delete(stateHash)
      addActivity(forgotten, block)
    }
    const { stakingEpoch, nextEpoch } = best[0] ?? genesis.block
    const needed = [stakingEpoch.ledgerHash, nextEpoch.ledgerHash]
    // In the order of their epochs; the genesis ledger serves the first two.
    for (const ledgerHash of needed[1] === genesis.block.stagedLedgerHash ? [] : stakingLedgers.keys()) {
      if (ledgerHash === genesis.block.stagedLedgerHash) continue
      if (needed.includes(ledgerHash)) break
      stakingLedgers.delete(ledgerHash)
    }
  }
  const stateOf = (block: ChainBlock | undefined): BlockState => {
    const state = block && states.get(block.stateHash)
    if (state === undefined) throw new RangeError('The ledger after this block is no longer held')
    return state
  }
  const accountsOf = (ledgerHash: string): Ledger => {
    const accounts = stakingLedgers.get(ledgerHash)
    if (accounts === undefined) throw new RangeError(`No staking ledger ${ledgerHash}`)
    return accounts
  }

  return {
    tip: () => stateOf(best.at(-1)),
    genesisBlock: () => genesis.block,
    bestChain: () => best.slice(),
    allBlocks: () => [...blocks.values()],
    forgotten: () => forgotten,
    isCanonical,
    frontier,
    frontierBlock(stateHash) {
      const wanted = blocks.get(stateHash)
      let ancestor = wanted
      while (ancestor !== undefined && !isCanonical(ancestor.stateHash)) {
        ancestor = blocks.get(ancestor.previousStateHash)
      }
      return ancestor !== undefined && ancestor.height >= rootHeight() ? wanted : undefined
    },
    append(state) {
      const { block } = state
      const parent = stateOf(best.at(-1))
      if (block.nextEpoch.ledgerHash === parent.block.stagedLedgerHash) {
        stakingLedgers.set(block.nextEpoch.ledgerHash, parent.ledger)
      }
      blocks.set(block.stateHash, block)
      states.set(block.stateHash, state)
      best.push(block)
      for (const [stateHash, { block: held }] of states) if (held.height < rootHeight()) states.delete(stateHash)
      if (best.length > keptBlocks) forgetOldBlocks()
    },
    abandon(depth) {
      if (!Number.isInteger(depth) || depth < 1 || depth >= frontier().length) {
        throw new RangeError(`A reorganisation replaces 1 to ${frontier().length - 1} blocks, not ${depth}`)
      }
      return best.splice(-depth)
    },
    stateBefore(count) {
      const most = frontier().length - 1
      if (!Number.isInteger(count) || count < 0 || count > most) {
        throw new RangeError(`A hard fork discards 0 to ${most} blocks, not ${count}`)
      }
      return stateOf(best.at(-1 - count))
    },
    stakingLedgerAt({ block }, slot) {
      const isNewEpoch = Math.floor((slot - genesis.block.slot) / slotsPerEpoch) > block.epoch
      return accountsOf((isNewEpoch ? block.nextEpoch : block.stakingEpoch).ledgerHash)
    },
    stakingLedger(epoch) {
      const tip = best.at(-1)
      const data =
        epoch === (tip?.epoch ?? 0) + 1 ? tip?.nextEpoch : best.findLast((block) => block.epoch === epoch)?.stakingEpoch
      return data && { ...data, epoch, accounts: accountsOf(data.ledgerHash) }
    },
    stakingLedgerByHash: (ledgerHash) => stakingLedgers.get(ledgerHash),
  }
}
