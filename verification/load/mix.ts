// The requests of a mixed load, and the right answers to each.
import type { ChainBlock } from '../../local/chain/block.ts'
import { createRandom, integerBetween, pick } from '../../local/chain/random.ts'
import type { Block } from '../../shared/contract/block.ts'
import { getSummary } from '../../shared/endpoints/get-summary.ts'
import type { Exact } from '../../shared/mapping/exact-json.ts'
import { summaryBody } from '../upstream-faults/judge/bodies/summary-body.ts'
import { expectedAccount } from './expected-account.ts'
import { expectedBlock, expectedOldBlock } from './expected-block.ts'
import { type ChainState, nodeData, type RecordedChain } from './recorded-chain.ts'

export interface MixedRequest {
  readonly kind: 'blocks' | 'block' | 'old block' | 'account' | 'summary'
  readonly path: string
  /**
   * The complete bodies that would be right.
   *
   * @param states those of the chain while the request was under way
   * @param atIndexer those in which the indexer may have been asked, where they are others
   */
  expectedBodies(states: readonly ChainState[], atIndexer?: readonly ChainState[]): readonly object[]
  /** True if only an indexer could answer in one of these states. Absent for never. */
  needsIndexer?(states: readonly ChainState[]): boolean
}

/** Of a hundred requests; the rest ask for the summary. */
const shares = { blocks: 40, block: 20, oldBlock: 10, account: 20 }

/** @returns the next request at each call; the sequence follows from the seed and the chain */
export function createMix(seed: string, { chain, current }: RecordedChain): () => MixedRequest {
  const random = createRandom(seed)
  const known = new Map<string, Exact<Block>>()
  const keys = [...chain.wallets, ...chain.producers].map(({ publicKey }) => publicKey)

  const blockIn = (state: ChainState, block: ChainBlock): Exact<Block> => {
    const isHeld = state.frontier.includes(block)
    const key = `${block.stateHash} ${isHeld}`
    const body = known.get(key) ?? (isHeld ? expectedBlock : expectedOldBlock)(state, block)
    known.set(key, body)
    return body
  }
  const latest = (limit: number): MixedRequest => ({
    kind: 'blocks',
    path: `/blocks?limit=${limit}`,
    expectedBodies: (states) =>
      states.map((state) => {
        const newestFirst = state.frontier.slice(-limit).reverse()
        return { blocks: newestFirst.map((block) => blockIn(state, block)) }
      }),
  })
  const single = (kind: 'block' | 'old block', block: ChainBlock): MixedRequest => ({
    kind,
    path: `/blocks/${block.stateHash}`,
    expectedBodies: (states) => states.map((state) => ({ block: blockIn(state, block) })),
    needsIndexer: (states) => !states.every(({ frontier }) => frontier.includes(block)),
  })
  const account = (publicKey: string): MixedRequest => ({
    kind: 'account',
    path: `/accounts/${publicKey}`,
    expectedBodies: (states, indexerStates = states) =>
      states.flatMap((atNode) =>
        indexerStates.map((atIndexer) => ({
          account: expectedAccount(chain, atNode, atIndexer, publicKey),
          status: { syncStatus: 'SYNCED', blockchainLength: atNode.tip.height },
        })),
      ),
  })
  const summary: MixedRequest = {
    kind: 'summary',
    path: '/summary',
    expectedBodies: (states) => states.map((state) => summaryBody(nodeData(state, getSummary, 'chainSummary'))),
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
