// Several chains with the same blocks, each of which can lag, for nodes of one network.
import type { Chain, ChainOptions } from '../../local/chain/chain.ts'
import { type RecordedChain, recordedChain } from './recorded-chain.ts'

export interface EqualChains {
  /** The chain that is never behind. */
  readonly recorded: RecordedChain
  /** One for each node. */
  readonly chains: readonly Chain[]
  /** Adds a block to all chains, and to one that lagged those that it missed. */
  advance(): void
  /** The chain gets no more blocks until it is told otherwise. */
  lag(index: number, isLagging: boolean): void
}

/** @param startAt milliseconds since 1970; the time of all chains passes by their blocks alone */
export function equalChains(
  options: Omit<ChainOptions, 'now'> & { readonly blockSeconds: number },
  count: number,
  startAt: number,
): EqualChains {
  const create = () => {
    let now = startAt
    const own = recordedChain({ ...options, now: () => now })
    return {
      own,
      advance() {
        now += options.blockSeconds * 1000
        own.advance()
      },
    }
  }
  const first = create()
  const copies = Array.from({ length: count }, () => ({ ...create(), missed: 0, isLagging: false }))
  return {
    recorded: first.own,
    chains: copies.map(({ own }) => own.chain),
    advance() {
      first.advance()
      for (const copy of copies) {
        copy.missed++
        while (!copy.isLagging && copy.missed > 0) {
          copy.advance()
          copy.missed--
        }
      }
    },
    lag(index, isLagging) {
      const copy = copies[index]
      if (copy === undefined) throw new RangeError(`there is no chain ${index}`)
      copy.isLagging = isLagging
    },
  }
}
