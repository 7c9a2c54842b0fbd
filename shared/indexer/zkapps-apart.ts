// The zkApp commands of a block from an indexer of the dialect that lists them apart from the others (o1-labs/mina-indexer):
// there they have neither a nonce nor account updates, so those are asked for by height and joined by hash.
import { maxRows } from '../chain/limits.ts'
import type { Indexer } from '../chain/port.ts'
import type { IndexerBlock } from '../mapping/indexer-block.ts'
import { indexedCommand } from '../mapping/indexer-command.ts'
import { type IndexerZkapp, isIndexerZkapp } from '../mapping/indexer-zkapp.ts'
import { WireError } from '../upstream/errors.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { called, hash, listOf, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'
import { type Attempted, attempt, queryIndexer } from './indexed.ts'

export const zkappsApart = indexerQuery(
  'zkappsApart',
  '$stateHash: String!, $height: Int!',
  shape({
    block: called(
      'block(query: {stateHash: $stateHash})',
      nullable(shape({ stateHash: shortText, transactions: shape({ zkappCommands: listOf(shape({ hash })) }) })),
      (block, asked) => block === null || block.stateHash === asked.stateHash,
    ),
    transactions: called(
      `transactions(query: {blockHeight: $height, zkapp: true}, limit: ${maxRows})`,
      listOf(indexedCommand),
      (rows, { height }) => rows.length <= maxRows && rows.every(({ blockHeight }) => blockHeight === height),
    ),
  }),
  { isPatient: true, dialect: { type: 'Transactions', field: 'zkappCommands' } },
)

/** @throws WireError `mismatched` if a command of the block is in no row, or the block has another number of them */
function joined(
  { block_num_zkapp_commands, stateHash }: IndexerBlock,
  { block, transactions }: Wire<typeof zkappsApart.data>,
): readonly IndexerZkapp[] {
  const rows = transactions.filter((row) => row.block.stateHash === stateHash).map(({ command }) => command)
  const byHash = new Map(rows.filter(isIndexerZkapp).map((command) => [command.hash, command]))
  const commands = block?.transactions.zkappCommands.flatMap((listed) => byHash.get(listed.hash) ?? []) ?? []
  if (commands.length !== block_num_zkapp_commands) {
    throw new WireError('mismatched', `${commands.length} of ${block_num_zkapp_commands} zkApp commands`)
  }
  return commands
}

/**
 * The block with its zkApp commands among the others, as the other dialect lists them, or why they did not come.
 *
 * @param block counts more zkApp commands than it lists
 */
export async function withZkappsApart(block: IndexerBlock, indexer: Indexer): Promise<Attempted<IndexerBlock>> {
  const { protocolState, stateHash, transactions } = block
  const answer = await queryIndexer(indexer, zkappsApart, {
    stateHash,
    height: protocolState.consensusState.blockHeight,
  })
  if (answer.state === 'missing') return answer
  return attempt(async () => {
    const userCommands = [...transactions.userCommands, ...joined(block, answer.value)]
    return { ...block, transactions: { ...transactions, userCommands } }
  })
}
