// Several chains with the same blocks, each of which can lag, for nodes of one network.
import type { ChainOptions } from '../../testnet/chain-options.ts'
import { recordedChain } from './recorded-chain.ts'

/** @param startAt milliseconds since 1970; the time of all chains passes by their blocks alone */
export function equalChains(
  options: Omit<ChainOptions, 'now'> & { readonly blockSeconds: number },
  count: number,
  startAt: number,
) {
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
    /** The chain that is never behind. */
    recorded: first.own,
    /** One for each node. */
    chains: copies.map(({ own }) => own.chain),
    /** Adds a block to all chains, and to one that lagged those that it missed. */
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
    /** The chain gets no more blocks until it is told otherwise. */
    lag(index: number, isLagging: boolean) {
      const copy = copies[index]
      if (copy === undefined) throw new RangeError(`no chain ${index}`)
      copy.isLagging = isLagging
    },
  }
}
