// `stakingEpochData.epochLength` of an old block. An indexer gives the next epoch's count in its place
// (Granola-Team/mina-indexer, rust/src/block/precomputed/mod.rs), but it knows the block in which the true one stands.
import type { ChainPort } from '../chain/port.ts'
import { WireError } from '../upstream/errors.ts'
import { operation } from '../upstream/operation.ts'
import { called, count, flag, listOf, shape, text } from '../upstream/wire.ts'
import { queryIndexer } from './indexed.ts'
import type { IndexerBlock } from './indexer-block.ts'

export const epochEndAt = operation(
  'indexer',
  'query',
  'epochEndAt',
  '$height: Int!',
  shape({
    blocks: called(
      'blocks(limit: 1, query: {blockHeight: $height, canonical: true})',
      listOf(
        shape({
          blockHeight: count,
          canonical: flag,
          genesisStateHash: text,
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

/** The staking epoch of a chain's first epoch never had blocks; the genesis block says 1. */
const genesisEpochLength = 1

/**
 * `stakingEpochData.epochLength` of a block as a node has it. When an epoch begins, its data move from the next epoch's
 * place to the staking epoch's. So the length stands as the next epoch's in the last block before the epoch, which lies
 * as many blocks back as the epoch has so far.
 *
 * @returns undefined where the indexer does not show that block, and for a block that is not canonical: the block at
 *   that height need not be its ancestor
 * @throws WireError when the indexer gives no answer
 */
export async function stakingEpochLengthOf(block: IndexerBlock, context: ChainPort): Promise<number | undefined> {
  const { blockHeight, epoch, nextEpochData } = block.protocolState.consensusState
  if (epoch === 0) return genesisEpochLength
  const height = blockHeight - nextEpochData.epochLength
  if (!block.canonical || height < 1) return undefined
  const answer = await queryIndexer(context, epochEndAt, { height })
  if (answer.state === 'missing') throw new WireError(answer.fault, answer.reason)
  const [end] = answer.state === 'known' ? answer.value.blocks : []
  if (end === undefined || end.genesisStateHash !== block.genesisStateHash) return undefined
  const { consensusState } = end.protocolState
  return consensusState.epoch < epoch ? consensusState.nextEpochData.epochLength : undefined
}
