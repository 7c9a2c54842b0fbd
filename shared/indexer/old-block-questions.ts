// The questions about a block outside the node's frontier, and `stakingEpochData.epochLength`, for which another block
// is asked for.
import { maxSiblings, settledDepth } from '../chain/limits.ts'
import type { Indexer } from '../chain/port.ts'
import { type IndexerBlock, indexerBlock } from '../mapping/indexer-block.ts'
import { WireError } from '../upstream/errors.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { networkQuery } from '../upstream/network.ts'
import { called, count, flag, isoInstant, listOf, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'
import { forkParentOperations } from './before-fork.ts'
import { genesisSlot } from './epoch-clock.ts'
import { queryIndexer } from './indexed.ts'
import { indexerTip } from './indexer-tip.ts'
import { judgementFields, proofVariable } from './judge.ts'
import { zkappsApart } from './zkapps-apart.ts'

const receipt = shape({ receivedTime: isoInstant, stateHash: shortText })

export type Receipt = Wire<typeof receipt>

/** True if the indexer has the block, and when it received it. */
export const receivedTimeOf = indexerQuery(
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

/**
 * When the indexer received the blocks at a height. Forks too: if the indexer prefers a sibling of the node's tip, the
 * tip is not canonical to it.
 */
export const receivedTimesAt = indexerQuery(
  'receivedTimesAt',
  '$height: Int!',
  shape({
    blocks: called(
      `blocks(limit: ${maxSiblings}, query: {blockHeight: $height})`,
      listOf(shape({ blockHeight: count, canonical: flag, receivedTime: isoInstant, stateHash: shortText })),
      (blocks, { height }) => blocks.length <= maxSiblings && blocks.every(({ blockHeight }) => blockHeight === height),
    ),
    tip: indexerTip,
  }),
)

const wholeBlock = called(
  'block(query: {stateHash: $stateHash})',
  nullable(indexerBlock),
  (block, asked) => block === null || block.stateHash === asked.stateHash,
)

const wholeBlocks = called(
  'blocks(limit: 1, query: {blockHeight: $height, canonical: true})',
  listOf(indexerBlock),
  (blocks, { height }) =>
    blocks.length <= 1 &&
    blocks.every(({ canonical, protocolState }) => canonical && protocolState.consensusState.blockHeight === height),
)

export const indexedBlock = indexerQuery(
  'indexedBlock',
  `$stateHash: String!, ${proofVariable}`,
  shape({ block: wholeBlock, ...judgementFields }),
  { isPatient: true },
)

export const indexedBlockAt = indexerQuery(
  'indexedBlockAt',
  `$height: Int!, ${proofVariable}`,
  shape({ blocks: wholeBlocks, ...judgementFields }),
  { isPatient: true },
)

/**
 * The block that holds the true length of an old block's staking epoch. An indexer gives the next epoch's count instead
 * (Granola-Team/mina-indexer, rust/src/block/precomputed/mod.rs).
 */
const epochEndAt = indexerQuery(
  'epochEndAt',
  '$height: Int!',
  shape({
    blocks: called(
      'blocks(limit: 1, query: {blockHeight: $height, canonical: true})',
      listOf(
        shape({
          blockHeight: count,
          canonical: flag,
          genesisStateHash: shortText,
          protocolState: shape({
            consensusState: shape({ epoch: count, nextEpochData: shape({ epochLength: count }) }),
          }),
        }),
      ),
      (blocks, { height }) =>
        blocks.length <= 1 && blocks.every((block) => block.canonical && block.blockHeight === height),
    ),
  }),
  { isPatient: true },
)

const questionsOfBoth = [
  ...[networkQuery, ...forkParentOperations, genesisSlot],
  ...[epochEndAt, indexedBlock, zkappsApart],
]

export const oldBlockOperations = [receivedTimeOf, ...questionsOfBoth]
export const oldBlockAtHeightOperations = [receivedTimesAt, indexedBlockAt, ...questionsOfBoth]

/** The staking epoch of a chain's first epoch never had blocks; the genesis block says 1. */
const genesisEpochLength = 1

/**
 * `stakingEpochData.epochLength` of a block as a node has it. When an epoch begins, its data move from the next epoch's
 * place to the staking epoch's. So the length is the next epoch's in the last block before the epoch, which is
 * as many blocks back as the epoch has so far.
 *
 * @param indexedEpoch of the block, as the indexer counts: its other block is compared by the same count
 * @param tipHeight of the indexer
 * @returns undefined if the indexer does not show that block, or may prefer another so near its tip, and for a block
 *   that is not canonical: the block at that height need not be its ancestor
 * @throws WireError when the indexer gives no answer
 */
export async function stakingEpochLengthOf(
  block: IndexerBlock,
  indexedEpoch: number,
  tipHeight: number,
  indexer: Indexer,
): Promise<number | undefined> {
  const { blockHeight, epoch, nextEpochData } = block.protocolState.consensusState
  if (epoch === 0) return genesisEpochLength
  const height = blockHeight - nextEpochData.epochLength
  if (!block.canonical || height < 1 || height > tipHeight - settledDepth) return undefined
  const answer = await queryIndexer(indexer, epochEndAt, { height })
  if (answer.state === 'missing') throw new WireError(answer.fault, answer.reason)
  const [end] = answer.value.blocks
  if (end === undefined || end.genesisStateHash !== block.genesisStateHash) return undefined
  const { consensusState } = end.protocolState
  return consensusState.epoch < indexedEpoch ? consensusState.nextEpochData.epochLength : undefined
}
