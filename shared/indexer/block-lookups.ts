// A block that indexers are asked for, by its hash or its height: in a light question, and in one for the whole block.
import { awaitedLater } from '../chain/awaited-later.ts'
import type { ChainView, Indexer } from '../chain/port.ts'
import type { IndexerBlock } from '../mapping/indexer-block.ts'
import { type Attempted, queryIndexer } from './indexed.ts'
import type { IndexerTip } from './indexer-tip.ts'
import type { Evidence } from './judge.ts'
import { indexedBlock, indexedBlockAt, type Receipt, receivedTimeOf, receivedTimesAt } from './old-block-questions.ts'
import type { IndexerOfChain } from './responsible-indexers.ts'

/** The indexer's light answer about a block. */
interface Receiving {
  /** When it received this block, or each block at its height. */
  readonly receipts: readonly Receipt[]
  readonly isThere: boolean
  readonly tip: IndexerTip | null
}

/** A block that one indexer is asked for, by its hash or by its height. */
export interface BlockLookup extends IndexerOfChain {
  readonly height?: number
  readonly stateHash?: string
  /** Already asked. */
  readonly receiving: Promise<Attempted<Receiving>>
  /** With the block that the indexer calls canonical at a height, as the proof of the chain that it follows. */
  block(proofHeight: number): Promise<Attempted<ProvenBlock>>
}

interface ProvenBlock extends Evidence {
  readonly block: IndexerBlock | undefined
}

/** A block that every indexer is asked for. */
export type BlockLookups = readonly BlockLookup[]

async function known<From, To>(answer: Promise<Attempted<From>>, map: (value: From) => To): Promise<Attempted<To>> {
  const given = await answer
  return given.state === 'known' ? { state: 'known', value: map(given.value) } : given
}

/** The block with a hash, and the proof at a height. */
export const wholeBlockOf = (stateHash: string, proofHeight: number, indexer: Indexer) =>
  known(queryIndexer(indexer, indexedBlock, { stateHash, proofHeight }), ({ block, ...others }) => ({
    block: block ?? undefined,
    ...others,
  }))

export const startLookupByHash = (stateHash: string, { chain, indexer }: IndexerOfChain): BlockLookup => ({
  chain,
  indexer,
  stateHash,
  receiving: awaitedLater(
    known(queryIndexer(indexer, receivedTimeOf, { stateHash }), ({ block, tip }) => ({
      receipts: block === null ? [] : [block],
      isThere: block !== null,
      tip,
    })),
  ),
  block: (proofHeight) => wholeBlockOf(stateHash, proofHeight, indexer),
})

const startLookupAtHeight = (height: number, { chain, indexer }: IndexerOfChain): BlockLookup => ({
  chain,
  indexer,
  height,
  receiving: awaitedLater(
    known(queryIndexer(indexer, receivedTimesAt, { height }), ({ blocks, tip }) => ({
      receipts: blocks,
      isThere: blocks.some(({ canonical }) => canonical),
      tip,
    })),
  ),
  block: (proofHeight) =>
    known(queryIndexer(indexer, indexedBlockAt, { height, proofHeight }), ({ blocks: [block], ...others }) => ({
      block,
      ...others,
    })),
})

export const startLookupsByHash = (stateHash: string, chain: ChainView): BlockLookups =>
  chain.indexers.map((indexer) => startLookupByHash(stateHash, { chain, indexer }))

export const startLookupsAtHeight = (height: number, chain: ChainView): BlockLookups =>
  chain.indexers.map((indexer) => startLookupAtHeight(height, { chain, indexer }))
