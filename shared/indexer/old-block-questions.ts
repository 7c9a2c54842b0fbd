// The questions about a block outside the node's frontier.
import { nodeQuery } from '../upstream/node-query.ts'
import { operation } from '../upstream/operation.ts'
import { called, count, flag, isoInstant, listOf, nullable, shape, text, type Wire } from '../upstream/wire.ts'
import { epochEndAt } from './epoch-length.ts'
import { indexerBlock } from './indexer-block.ts'

/** The node's chain (a hard fork starts a new one), and the depth at which a block is final. */
export const nodeGenesis = nodeQuery(
  'nodeGenesis',
  '',
  { daemonStatus: shape({ consensusConfiguration: nullable(shape({ k: count })) }) },
  { needsNoTip: true },
)

const indexerTip = called('block', nullable(shape({ blockHeight: count, genesisStateHash: text })))

export type IndexerTip = NonNullable<Wire<typeof indexerTip>>

const receipt = shape({ receivedTime: isoInstant, stateHash: text })

export type Receipt = Wire<typeof receipt>

/** True if the indexer has the block, and when it received it. */
export const receivedTimeOf = operation(
  'indexer',
  'query',
  'receivedTimeOf',
  '$stateHash: String!',
  shape({
    block: called(
      'block(query: {stateHash: $stateHash})',
      nullable(receipt),
      (block, asked) => block === null || block.stateHash === asked.stateHash,
    ),
    tip: indexerTip,
  }),
)

/** More blocks than this at one height would be a flood of forks. */
const maxSiblings = 20

/**
 * When the indexer received the blocks at a height. Not only the canonical one: where the indexer prefers a sibling of
 * the node's tip, the tip is not canonical to it.
 */
export const receivedTimesAt = operation(
  'indexer',
  'query',
  'receivedTimesAt',
  '$height: Int!',
  shape({
    blocks: called(
      `blocks(limit: ${maxSiblings}, query: {blockHeight: $height})`,
      listOf(shape({ blockHeight: count, canonical: flag, receivedTime: isoInstant, stateHash: text })),
      (blocks, { height }) => blocks.length <= maxSiblings && blocks.every(({ blockHeight }) => blockHeight === height),
    ),
    tip: indexerTip,
  }),
)

export const indexedBlock = operation(
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
    tip: indexerTip,
  }),
  { isPatient: true },
)

export const indexedBlockAt = operation(
  'indexer',
  'query',
  'indexedBlockAt',
  '$height: Int!',
  shape({
    blocks: called(
      'blocks(limit: 1, query: {blockHeight: $height, canonical: true})',
      listOf(indexerBlock),
      (blocks, { height }) =>
        blocks.length <= 1 &&
        blocks.every(
          ({ canonical, protocolState }) => canonical && protocolState.consensusState.blockHeight === height,
        ),
    ),
    tip: indexerTip,
  }),
  { isPatient: true },
)

export const oldBlockOperations = [nodeGenesis, receivedTimeOf, indexedBlock, epochEndAt]
export const oldBlockAtHeightOperations = [nodeGenesis, receivedTimesAt, indexedBlockAt, epochEndAt]
