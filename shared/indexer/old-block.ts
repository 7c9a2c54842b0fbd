// A block outside the node's frontier, from the indexer.
import type { ChainPort } from '../chain/port.ts'
import type { Block } from '../contract/block.ts'
import type { Exact } from '../mapping/json.ts'
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import { operation } from '../upstream/operation.ts'
import { called, count, isoInstant, nullable, shape, text, type Wire } from '../upstream/wire.ts'
import { epochEndAt, stakingEpochLengthOf } from './epoch-length.ts'
import {
  type Attempted,
  attempt,
  type Indexed,
  type Missing,
  type MissingFields,
  maxBlocksBehind,
  queryIndexer,
} from './indexed.ts'
import { blockFromIndexer, type IndexerBlock, indexerBlock, unknownFieldsOf } from './indexer-block.ts'

/** The node's chain (a hard fork starts a new one), and the depth at which a block is final. */
export const nodeGenesis = nodeQuery(
  'nodeGenesis',
  '',
  { daemonStatus: shape({ consensusConfiguration: nullable(shape({ k: count })) }) },
  { needsNoTip: true },
)

/** True if the indexer has the block, and when it received it. */
export const receivedTimeOf = operation(
  'indexer',
  'query',
  'receivedTimeOf',
  '$stateHash: String!',
  shape({
    block: called(
      'block(query: {stateHash: $stateHash})',
      nullable(shape({ receivedTime: isoInstant, stateHash: text })),
      (block, asked) => block === null || block.stateHash === asked.stateHash,
    ),
    tip: called('block', nullable(shape({ blockHeight: count, genesisStateHash: text }))),
  }),
)

const indexedBlock = operation(
  'indexer',
  'query',
  'indexedBlock',
  '$stateHash: String!',
  shape({
    block: called(
      'block(query: {stateHash: $stateHash})',
      nullable(indexerBlock),
      (block, asked) => block === null || block.stateHash === asked.stateHash,
    ),
    tip: called('block', nullable(shape({ blockHeight: count, genesisStateHash: text }))),
  }),
  { isPatient: true },
)

export const oldBlockOperations = [nodeGenesis, receivedTimeOf, indexedBlock, epochEndAt]

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

interface IndexerTip {
  readonly blockHeight: number
  readonly genesisStateHash: string
}

const otherChain = ({ genesisStateHash }: IndexerTip) =>
  new WireError('busy', `not in the frontier; the indexer is on another chain, of genesis ${genesisStateHash}`)

/**
 * The answer for a block that the indexer does not have either.
 *
 * @throws WireError `busy` where that proves nothing: from an indexer of another chain, or from one so far behind that it
 *   may not have reached a block that the node no longer holds
 */
async function absent(tip: IndexerTip, nodeHeight: number, { ask }: ChainPort): Promise<OldBlock> {
  // At about the same height it is on the same chain and has all that the node has forgotten.
  if (Math.abs(tip.blockHeight - nodeHeight) <= maxBlocksBehind) return { state: 'none' }
  const { daemonStatus, genesisBlock } = (await ask(nodeGenesis, {})).data
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
async function promptly<T>(answer: Promise<T>, { deadline }: ChainPort): Promise<T | undefined> {
  const settled = new AbortController()
  const late = deadline.pause(lightAnswerMs, settled.signal).then(() => undefined)
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

/**
 * A block that the node does not hold.
 *
 * @param nodeHeight of the node's tip
 * @param receiving the indexer's answer to `receivedTimeOf`
 * @throws WireError when the indexer gives no answer, another block, or one that cannot be read, and where its answer
 *   leaves open whether there is such a block or whether it is canonical
 */
export async function findOldBlock(
  stateHash: string,
  nodeHeight: number,
  receiving: Promise<Indexed<Wire<typeof receivedTimeOf.data>>>,
  context: ChainPort,
): Promise<OldBlock> {
  const received = await promptly(receiving, context)
  if (received?.state === 'unconfigured') return { state: 'none' }
  if (received?.state === 'missing') throw undecided(received)
  if (received?.state === 'known') {
    const { block, tip } = received.value
    if (tip === null) throw new WireError('busy', 'not in the frontier; the indexer has no block yet')
    if (block === null) return absent(tip, nodeHeight, context)
  }

  const [genesis, answer] = await Promise.all([
    context.ask(nodeGenesis, {}),
    queryIndexer(context, indexedBlock, { stateHash }),
  ])
  if (answer.state === 'missing') throw undecided(answer)
  if (answer.state === 'unconfigured') return { state: 'none' }
  const { block, tip } = answer.value
  if (tip === null) throw new WireError('busy', 'indexedBlock: the indexer has no tip')
  if (block === null) return absent(tip, nodeHeight, context)
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
