// All blocks since genesis, which of them are canonical, and the ledgers that are still needed.
import type { ChainBlock, EpochData } from './block.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { BlockState } from './production/block-producer.ts'

export interface Store {
  /** The tip of the best chain. */
  tip(): BlockState
  genesisBlock(): ChainBlock
  bestChain(): readonly ChainBlock[]
  allBlocks(): readonly ChainBlock[]
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
  /** The staking ledger for a block in `slot` on top of `parent`. */
  stakingLedgerAt(parent: BlockState, slot: number): Ledger
  stakingLedger(epoch: number): (EpochData & { readonly epoch: number; readonly accounts: Ledger }) | undefined
  stakingLedgerByHash(ledgerHash: string): Ledger | undefined
}

export function createStore(genesis: BlockState, slotsPerEpoch: number, frontierBlocks: number): Store {
  const blocks = new Map([[genesis.block.stateHash, genesis.block]])
  const best = [genesis.block]
  /** By state hash, for the frontier only: no block is built on an older one. */
  const states = new Map([[genesis.block.stateHash, genesis]])
  const stakingLedgers = new Map([[genesis.block.stagedLedgerHash, genesis.ledger]])

  const isCanonical = (stateHash: string) => best[(blocks.get(stateHash)?.height ?? 0) - 1]?.stateHash === stateHash
  const frontier = () => best.slice(-frontierBlocks)
  const rootHeight = () => Math.max(1, best.length - frontierBlocks + 1)
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
    },
    abandon(depth) {
      if (!Number.isInteger(depth) || depth < 1 || depth >= frontier().length) {
        throw new RangeError(`A reorganisation replaces 1 to ${frontier().length - 1} blocks, not ${depth}`)
      }
      return best.splice(-depth)
    },
    stakingLedgerAt({ block }, slot) {
      const isNewEpoch = Math.floor(slot / slotsPerEpoch) > block.epoch
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
