// A block outside the node's frontier, from the indexer.
import { ask } from '../chain/actions/ask.ts'
import type { Exchange } from '../chain/port.ts'
import type { Block } from '../contract/block.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { blockFromIndexer, type IndexerBlock, unknownFieldsOf } from '../mapping/indexer-block.ts'
import { WireError } from '../upstream/errors.ts'
import {
  type Attempted,
  attempt,
  type Indexed,
  type Missing,
  type MissingFields,
  maxBlocksBehind,
  queryIndexer,
} from './indexed.ts'
import {
  type IndexerTip,
  indexedBlock,
  indexedBlockAt,
  nodeGenesis,
  type Receipt,
  receivedTimeOf,
  receivedTimesAt,
  stakingEpochLengthOf,
} from './old-block-questions.ts'

/** The indexer's light answer about a block. */
interface Receiving {
  /** Of this block, or of all blocks at its height. */
  readonly receipts: readonly Receipt[]
  readonly isThere: boolean
  readonly tip: IndexerTip | null
}

/** A block that the indexer is asked for, by its hash or by its height. */
export interface IndexedPlace {
  readonly height?: number
  /** Already asked. */
  readonly receiving: Promise<Indexed<Receiving>>
  block(): Promise<Indexed<{ readonly block: IndexerBlock | undefined; readonly tip: IndexerTip | null }>>
}

async function known<From, To>(answer: Promise<Indexed<From>>, map: (value: From) => To): Promise<Indexed<To>> {
  const given = await answer
  return given.state === 'known' ? { state: 'known', value: map(given.value) } : given
}

/** It is awaited later, unless the node fails first. */
function started<Answer>(answer: Promise<Answer>): Promise<Answer> {
  answer.catch(() => undefined)
  return answer
}

export const placeOfHash = (stateHash: string, chain: Exchange): IndexedPlace => ({
  receiving: started(
    known(queryIndexer(chain, receivedTimeOf, { stateHash }), ({ block, tip }) => ({
      receipts: block === null ? [] : [block],
      isThere: block !== null,
      tip,
    })),
  ),
  block: () =>
    known(queryIndexer(chain, indexedBlock, { stateHash }), ({ block, tip }) => ({ block: block ?? undefined, tip })),
})

export const placeAtHeight = (height: number, chain: Exchange): IndexedPlace => ({
  height,
  receiving: started(
    known(queryIndexer(chain, receivedTimesAt, { height }), ({ blocks, tip }) => ({
      receipts: blocks,
      isThere: blocks.some(({ canonical }) => canonical),
      tip,
    })),
  ),
  block: () => known(queryIndexer(chain, indexedBlockAt, { height }), ({ blocks: [block], tip }) => ({ block, tip })),
})

/** A block of the contract with its depth below the indexer's tip, or its absence. */
export type OldBlock =
  | {
      readonly state: 'found'
      readonly block: Exact<Block>
      readonly depth: number
      /** True if it is below both tips by the network's k, so that neither the block nor `canonical` can change. */
      readonly isFinal: boolean
      readonly missing: readonly MissingFields[]
    }
  | { readonly state: 'none' }

/** The node does not hold the block and the indexer does not answer: the block may exist or not. */
const undecided = ({ fault, reason }: Missing): WireError =>
  new WireError(fault === 'mismatched' ? fault : 'busy', `not in the frontier; ${reason}`)

const otherChain = ({ genesisStateHash }: IndexerTip) =>
  new WireError('busy', `not in the frontier; the indexer is on another chain, of genesis ${genesisStateHash}`)

/**
 * The answer for a block that the indexer does not have either.
 *
 * @throws WireError `busy` where that proves nothing: from an indexer of another chain, or from one so far behind that it
 *   may not have reached a block that the node no longer holds
 */
async function absent(
  { height }: IndexedPlace,
  tip: IndexerTip,
  nodeHeight: number,
  exchange: Exchange,
): Promise<OldBlock> {
  // At about the same height it is on the same chain and has all that the node has forgotten. The chain has a block at a
  // height below its tip, so its absence needs more than that.
  if (height === undefined && Math.abs(tip.blockHeight - nodeHeight) <= maxBlocksBehind) return { state: 'none' }
  const { daemonStatus, genesisBlock } = (await ask(exchange, nodeGenesis, {})).data
  if (tip.genesisStateHash !== genesisBlock.stateHash) throw otherChain(tip)
  if (tip.blockHeight < nodeHeight - (daemonStatus.consensusConfiguration?.k ?? 0)) {
    const places = `the indexer is at block ${tip.blockHeight}, the node at ${nodeHeight}`
    throw new WireError('busy', `not in the frontier; ${places}: the block may lie between them`)
  }
  return { state: 'none' }
}

/** An indexer that is not busy with a walk over a staking ledger has answered a light question by then. */
const lightAnswerMs = 150

/** An answer, unless it takes long: the next question waits longer, and on another connection. */
async function promptly<T>(answer: Promise<T>, exchange: Exchange): Promise<T | undefined> {
  const settled = new AbortController()
  const late = exchange.pause(lightAnswerMs, settled.signal).then(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    settled.abort()
  }
}

/** Fields that the indexer should have given of a block and did not. */
function missingOf(block: IndexerBlock, epochLength: Attempted<number | undefined>): readonly MissingFields[] {
  const isKnown = epochLength.state === 'known'
  const fields = unknownFieldsOf(block, isKnown ? epochLength.value : undefined)
  if (fields.length === 0) return []
  if (isKnown) return [{ fields, reason: 'the indexer has them wrong', isLasting: true }]
  return [{ fields, reason: epochLength.reason }]
}

/** So near to its own tip, an indexer may prefer a sibling of the block that becomes final. */
const siblingDepth = 10

/** @throws WireError `busy` for an indexer without a block, or not yet far enough above a height */
function reached(tip: IndexerTip | null, height: number | undefined): IndexerTip {
  if (tip === null) throw new WireError('busy', 'not in the frontier; the indexer has no block yet')
  if (height === undefined || height <= tip.blockHeight - siblingDepth) return tip
  throw new WireError('busy', `not in the frontier; the indexer is at block ${tip.blockHeight}, too near to ${height}`)
}

/**
 * A block that the node does not hold.
 *
 * @param nodeHeight of the node's tip
 * @throws WireError when the indexer gives no answer, another block, or one that cannot be read, and where its answer
 *   leaves open whether there is such a block or whether it is canonical
 */
export async function findOldBlock(place: IndexedPlace, nodeHeight: number, context: Exchange): Promise<OldBlock> {
  const received = await promptly(place.receiving, context)
  if (received?.state === 'unconfigured') return { state: 'none' }
  if (received?.state === 'missing') throw undecided(received)
  if (received?.state === 'known') {
    const tip = reached(received.value.tip, place.height)
    if (!received.value.isThere) return absent(place, tip, nodeHeight, context)
  }

  const [genesis, answer] = await Promise.all([ask(context, nodeGenesis, {}), place.block()])
  if (answer.state === 'missing') throw undecided(answer)
  if (answer.state === 'unconfigured') return { state: 'none' }
  const { block } = answer.value
  const tip = reached(answer.value.tip, place.height)
  if (block === undefined) return absent(place, tip, nodeHeight, context)
  const { daemonStatus, genesisBlock } = genesis.data
  if (tip.genesisStateHash !== genesisBlock.stateHash) throw otherChain(tip)
  const height = block.protocolState.consensusState.blockHeight
  // The indexer has not connected the block yet, and says `false` of every such block.
  if (!block.canonical && height > tip.blockHeight) {
    throw new WireError(
      'busy',
      `the block lies above the indexer's tip at ${tip.blockHeight}: not known to be canonical`,
    )
  }
  const epochLength = await attempt(() => stakingEpochLengthOf(block, context))
  const mapped = await attempt(async () =>
    blockFromIndexer(block, epochLength.state === 'known' ? epochLength.value : undefined),
  )
  if (mapped.state === 'missing') throw undecided(mapped)
  const k = daemonStatus.consensusConfiguration?.k ?? Number.POSITIVE_INFINITY
  const lowerTip = Math.min(tip.blockHeight, genesis.tip?.height ?? 0)
  return {
    state: 'found',
    block: mapped.value,
    depth: tip.blockHeight - height,
    isFinal: lowerTip - height >= k,
    missing: missingOf(block, epochLength),
  }
}
