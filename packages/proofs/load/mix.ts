// A mix of GETs like that of real clients, drawn by a seed over a chain that grows.
import { createRandom, integerBetween, pick } from '../../testnet/random.ts'
import type { ChainState, RecordedChain } from './recorded-chain.ts'

export interface MixedRequest {
  readonly kind: 'blocks' | 'block' | 'old block' | 'account' | 'summary'
  readonly path: string
  /** True if only an indexer could answer in one of these states. */
  needsIndexer(states: readonly ChainState[]): boolean
}

/** Of a hundred requests; the rest ask for the summary. */
const shares = { blocks: 40, block: 20, oldBlock: 10, account: 20 }

/** @returns the next request at each call; the sequence follows from the seed and the chain */
export function createMix(seed: string, { chain, current }: RecordedChain): () => MixedRequest {
  const random = createRandom(seed)
  const keys = [...chain.wallets, ...chain.producers].map(({ publicKey }) => publicKey)
  const of = (kind: MixedRequest['kind'], path: string): MixedRequest => ({ kind, path, needsIndexer: () => false })
  const single = (kind: 'block' | 'old block', block: ChainState['tip']): MixedRequest => ({
    kind,
    path: `/blocks/${block.stateHash}`,
    needsIndexer: (states) => !states.every(({ frontier }) => frontier.includes(block)),
  })
  return () => {
    const { blocks, frontier } = current()
    let drawn = integerBetween(random, 1, 100)
    const isIn = (share: number): boolean => {
      drawn -= share
      return drawn <= 0
    }
    if (isIn(shares.blocks)) return of('blocks', `/blocks?limit=${integerBetween(random, 1, 10)}`)
    if (isIn(shares.block)) return single('block', pick(random, frontier))
    if (isIn(shares.oldBlock)) return single('old block', pick(random, blocks.slice(0, -frontier.length)))
    return isIn(shares.account) ? of('account', `/accounts/${pick(random, keys)}`) : of('summary', '/summary')
  }
}
