// A chain with a record of its states, so that an answer can be compared with each state in which it may have been
// given.
import type { ChainBlock } from '../../local/chain/block.ts'
import { type Chain, type ChainOptions, createChain } from '../../local/chain/chain.ts'
import type { Ledger } from '../../local/chain/ledger/ledger.ts'

/** The chain between two blocks. */
export interface ChainState {
  readonly tip: ChainBlock
  readonly ledger: Ledger
  /** Since genesis, oldest first. */
  readonly blocks: readonly ChainBlock[]
  /** Those that the node holds. */
  readonly frontier: readonly ChainBlock[]
}

export interface RecordedChain {
  readonly chain: Chain
  /** Oldest first. */
  readonly states: readonly [ChainState, ...ChainState[]]
  current(): ChainState
  /** Adds a block, and with it a state. */
  advance(): void
}

const stateOf = (chain: Chain): ChainState => ({
  tip: chain.tip(),
  ledger: chain.ledger(),
  blocks: chain.bestChain(),
  frontier: chain.frontier(),
})

export function recordedChain(options: ChainOptions): RecordedChain {
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
