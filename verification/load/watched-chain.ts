// A chain of which every state is remembered, so that an answer can be held against the states that it may have seen.
import type { ChainBlock } from '../../local/chain/block.ts'
import { type Chain, type ChainOptions, createChain } from '../../local/chain/chain.ts'
import type { Ledger } from '../../local/chain/ledger/ledger.ts'

/** The chain as it stood between two blocks. */
export interface ChainState {
  readonly tip: ChainBlock
  readonly ledger: Ledger
  /** Since genesis, oldest first. */
  readonly blocks: readonly ChainBlock[]
  /** What the node holds of them. */
  readonly frontier: readonly ChainBlock[]
}

export interface WatchedChain {
  readonly chain: Chain
  /** Oldest first. */
  readonly states: readonly [ChainState, ...ChainState[]]
  current(): ChainState
  /** Adds a block. */
  advance(): void
}

const stateOf = (chain: Chain): ChainState => ({
  tip: chain.tip(),
  ledger: chain.ledger(),
  blocks: chain.bestChain(),
  frontier: chain.frontier(),
})

export function watchedChain(options: ChainOptions): WatchedChain {
  const chain = createChain(options)
  const states: [ChainState, ...ChainState[]] = [stateOf(chain)]
  return {
    chain,
    states,
    current: () => states.at(-1) ?? states[0],
    advance() {
      chain.produceBlock()
      states.push(stateOf(chain))
    },
  }
}
