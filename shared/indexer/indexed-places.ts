// A block that indexers are asked for, by its hash or its height: in a light question, and in one for the whole block.
import type { Exchange } from '../chain/port.ts'
import type { IndexerBlock } from '../mapping/indexer-block.ts'
import type { Wire } from '../upstream/wire.ts'
import { type EndOfOldChain, type ForkParent, valuesOf } from './before-fork.ts'
import { type Indexed, queryIndexer, started } from './indexed.ts'
import type { IndexerTip } from './indexer-tip.ts'
import type { proofBlock } from './node-chain-proof.ts'
import {
  blockBeforeFork,
  blockBeforeForkAt,
  indexedBlock,
  indexedBlockAt,
  type Receipt,
  receivedTimeOf,
  receivedTimesAt,
} from './old-block-questions.ts'
import { everyIndexer } from './responsible-indexers.ts'

/** The indexer's light answer about a block. */
interface Receiving {
  /** When it received this block, or each block at its height. */
  readonly receipts: readonly Receipt[]
  readonly isThere: boolean
  readonly tip: IndexerTip | null
}

/** A block that one indexer is asked for, by its hash or by its height. */
export interface IndexedPlace {
  readonly exchange: Exchange
  readonly height?: number
  readonly stateHash?: string
  /** Already asked. */
  readonly receiving: Promise<Indexed<Receiving>>
  /** With the proof that the indexer follows the node's chain, at this height. */
  block(proofHeight: number): Promise<Indexed<ProvenBlock>>
  /** From an indexer that stayed on the chain before a hard fork. */
  blockBefore(parent: ForkParent): Promise<Indexed<BlockOfOldChain>>
}

interface ProvenBlock {
  readonly block: IndexerBlock | undefined
  readonly proof: Wire<typeof proofBlock>
  readonly tip: IndexerTip | null
}

/** A block that every indexer is asked for. */
export type IndexedPlaces = readonly IndexedPlace[]

interface BlockOfOldChain extends EndOfOldChain {
  readonly block: IndexerBlock | undefined
}

async function known<From, To>(answer: Promise<Indexed<From>>, map: (value: From) => To): Promise<Indexed<To>> {
  const given = await answer
  return given.state === 'known' ? { state: 'known', value: map(given.value) } : given
}

export const placeOfHash = (stateHash: string, chain: Exchange): IndexedPlace => ({
  exchange: chain,
  stateHash,
  receiving: started(
    known(queryIndexer(chain, receivedTimeOf, { stateHash }), ({ block, tip }) => ({
      receipts: block === null ? [] : [block],
      isThere: block !== null,
      tip,
    })),
  ),
  block: (proofHeight) =>
    known(queryIndexer(chain, indexedBlock, { stateHash, proofHeight }), ({ block, ...others }) => ({
      block: block ?? undefined,
      ...others,
    })),
  blockBefore: (parent) => oldBlockOfHash(stateHash, parent, chain),
})

export const oldBlockOfHash = (stateHash: string, parent: ForkParent, chain: Exchange) =>
  known(
    queryIndexer(chain, blockBeforeFork, { stateHash, ...valuesOf(parent) }),
    ({ block, ...end }): BlockOfOldChain => ({ block: block ?? undefined, ...end }),
  )

const placeAtHeight = (height: number, chain: Exchange): IndexedPlace => ({
  exchange: chain,
  height,
  receiving: started(
    known(queryIndexer(chain, receivedTimesAt, { height }), ({ blocks, tip }) => ({
      receipts: blocks,
      isThere: blocks.some(({ canonical }) => canonical),
      tip,
    })),
  ),
  block: (proofHeight) =>
    known(queryIndexer(chain, indexedBlockAt, { height, proofHeight }), ({ blocks: [block], ...others }) => ({
      block,
      ...others,
    })),
  blockBefore: (parent) =>
    known(
      queryIndexer(chain, blockBeforeForkAt, { height, ...valuesOf(parent) }),
      ({ blocks: [block], ...end }): BlockOfOldChain => ({ block, ...end }),
    ),
})

export const placesOfHash = (stateHash: string, chain: Exchange): IndexedPlaces =>
  everyIndexer(chain).map((each) => placeOfHash(stateHash, each))

export const placesAtHeight = (height: number, chain: Exchange): IndexedPlaces =>
  everyIndexer(chain).map((each) => placeAtHeight(height, each))
