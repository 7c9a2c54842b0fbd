// The requests of a mixed load, and what each may answer.
import type { ChainBlock } from '../../local/chain/block.ts'
import { createRandom, integerBetween, pick } from '../../local/chain/random.ts'
import { expectedAccount, expectedSummary } from './expected-account.ts'
import { expectedBlock, type Source } from './expected-block.ts'
import type { ChainState, WatchedChain } from './watched-chain.ts'

export interface MixedRequest {
  readonly kind: 'blocks' | 'block' | 'old block' | 'account' | 'summary'
  readonly path: string
  /**
   * The complete bodies that would be right.
   *
   * @param seen the states of the chain while the request was under way
   */
  candidates(seen: readonly ChainState[]): readonly object[]
  /** Whether in one of these states only an indexer could answer. */
  needsIndexer(seen: readonly ChainState[]): boolean
}

/** Of a hundred requests. */
const shares = { blocks: 40, block: 20, oldBlock: 10, account: 20 }

const never = (): boolean => false

/** @returns the next request each time; the sequence follows from the seed and the chain */
export function createMix(seed: string, { chain, current }: WatchedChain): () => MixedRequest {
  const random = createRandom(seed)
  const known = new Map<string, object>()
  const keys = [...chain.wallets, ...chain.producers].map(({ publicKey }) => publicKey)

  const blockOf = (block: ChainBlock, source: Source): object => {
    const key = `${source} ${block.stateHash}`
    const body = known.get(key) ?? expectedBlock(block, chain.slotsPerEpoch, source)
    known.set(key, body)
    return body
  }
  const latest = (limit: number): MixedRequest => ({
    kind: 'blocks',
    path: `/blocks?limit=${limit}`,
    candidates: (seen) =>
      seen.map(({ frontier }) => {
        const newestFirst = frontier.slice(-limit).reverse()
        return { blocks: newestFirst.map((block) => blockOf(block, 'node')) }
      }),
    needsIndexer: never,
  })
  const single = (kind: 'block' | 'old block', block: ChainBlock): MixedRequest => ({
    kind,
    path: `/blocks/${block.stateHash}`,
    candidates: (seen) =>
      seen.map(({ frontier }) => ({ block: blockOf(block, frontier.includes(block) ? 'node' : 'indexer') })),
    needsIndexer: (seen) => !seen.every(({ frontier }) => frontier.includes(block)),
  })
  const account = (publicKey: string): MixedRequest => ({
    kind: 'account',
    path: `/accounts/${publicKey}`,
    candidates: (seen) =>
      seen.flatMap((state) => seen.map((counted) => ({ account: expectedAccount(chain, state, counted, publicKey) }))),
    needsIndexer: never,
  })
  const summary: MixedRequest = {
    kind: 'summary',
    path: '/summary',
    candidates: (seen) => seen.map((state) => expectedSummary(chain, state)),
    needsIndexer: never,
  }

  return () => {
    const { blocks, frontier } = current()
    let drawn = integerBetween(random, 1, 100)
    const isIn = (share: number): boolean => {
      drawn -= share
      return drawn <= 0
    }
    if (isIn(shares.blocks)) return latest(integerBetween(random, 1, 10))
    if (isIn(shares.block)) return single('block', pick(random, frontier))
    if (isIn(shares.oldBlock)) return single('old block', pick(random, blocks.slice(0, -frontier.length)))
    return isIn(shares.account) ? account(pick(random, keys)) : summary
  }
}
