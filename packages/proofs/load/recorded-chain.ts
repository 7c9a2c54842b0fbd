// A chain with a record of its states, so that an answer can be compared with each state in which it may have been
// given.
import type { ChainBlock } from '../../testnet/block.ts'
import { type Chain, createChain } from '../../testnet/chain.ts'
import type { ChainOptions } from '../../testnet/chain-options.ts'

/** The chain between two blocks, as it stays. */
export interface ChainState {
  readonly tip: ChainBlock
  /** Since genesis, oldest first. */
  readonly blocks: readonly ChainBlock[]
  /** Those that the node holds. */
  readonly frontier: readonly ChainBlock[]
  readonly chain: Chain
}

export type RecordedChain = ReturnType<typeof recordedChain>

function stateOf(chain: Chain): ChainState {
  const [tip, ledger, blocks, frontier] = [chain.tip(), chain.ledger(), chain.bestChain(), chain.frontier()]
  const standing: Chain = {
    ...chain,
    tip: () => tip,
    ledger: () => ledger,
    bestChain: () => blocks,
    allBlocks: () => blocks,
    frontier: () => frontier,
    frontierBlock: (stateHash) => frontier.find((block) => block.stateHash === stateHash),
    isCanonical: (stateHash) => blocks.some((block) => block.stateHash === stateHash),
    account: (publicKey) => ledger.get(publicKey),
  }
  return { tip, blocks, frontier, chain: standing }
}

export function recordedChain(options: ChainOptions) {
  const chain = createChain(options)
  const states: [ChainState, ...ChainState[]] = [stateOf(chain)]
  return {
    chain,
    /** Oldest first. */
    states: states as readonly ChainState[],
    current: (): ChainState => states.at(-1) ?? states[0],
    /** Adds a block, and with it a state. */
    advance() {
      chain.produceBlock()
      states.push(stateOf(chain))
    },
  }
}
