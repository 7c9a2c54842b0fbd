// The header of a block, from a node and from an indexer: the same as the whole block of either shows, with its lists counted.
import type { BlockHeader } from '../contract/block-header.ts'
import {
  consistent,
  count,
  flag,
  hash,
  instant,
  listOf,
  nanomina,
  shape,
  shortText,
  type Wire,
} from '../upstream/wire.ts'
import { jsonInteger } from './amounts.ts'
import type { Exact } from './exact-json.ts'
import { isoTime } from './times.ts'

const blockchainState = shape({ date: instant })

/**
 * Of a node. It converts the whole block but encodes only what is selected. `commandTransactionCount` counts all commands of the
 * block; proofs and zkApp commands have no count, so one small field of each is read.
 */
export const nodeHeader = consistent(
  shape({
    commandTransactionCount: count,
    creator: shortText,
    protocolState: shape({
      blockchainState,
      consensusState: shape({ blockHeight: count, epoch: count, slot: count }),
      previousStateHash: shortText,
    }),
    snarkJobs: listOf(shape({ fee: nanomina })),
    stateHash: hash,
    transactions: shape({
      coinbase: nanomina,
      zkappCommands: listOf(shape({ zkappCommand: shape({ feePayer: shape({ body: shape({ nonce: count }) }) }) })),
    }),
  }),
  ({ commandTransactionCount, transactions }) => transactions.zkappCommands.length <= commandTransactionCount,
)

/**
 * Of an indexer. In 127 real blocks, before and after the Berkeley fork and forks among them, its counts and sums are
 * those of the lists of the same block, and of the node's where available: failed commands are counted, and
 * `block_num_user_commands` includes the zkApp commands, in both dialects.
 */
export const indexerHeader = consistent(
  shape({
    block_num_snarks: count,
    block_num_user_commands: count,
    block_num_zkapp_commands: count,
    canonical: flag,
    creator: shortText,
    genesisStateHash: shortText,
    protocolState: shape({
      blockchainState,
      consensusState: shape({ blockHeight: count, epoch: count, slot: count, slotSinceGenesis: count }),
      previousStateHash: shortText,
    }),
    snarkFees: nanomina,
    stateHash: shortText,
    transactions: shape({ coinbase: nanomina }),
    txFees: nanomina,
  }),
  (header) => header.block_num_zkapp_commands <= header.block_num_user_commands,
)

export type NodeHeader = Wire<typeof nodeHeader>
export type IndexerHeader = Wire<typeof indexerHeader>

type Counts = Pick<BlockHeader, 'canonical' | 'commandCount' | 'zkappCommandCount' | 'proofCount'>

const headerOf = (
  {
    creator,
    protocolState,
    stateHash,
    transactions,
  }: Pick<NodeHeader, 'creator' | 'protocolState' | 'stateHash'> & {
    readonly transactions: Pick<NodeHeader['transactions'], 'coinbase'>
  },
  counts: Counts,
): Exact<BlockHeader> => ({
  stateHash,
  blockHeight: protocolState.consensusState.blockHeight,
  previousStateHash: protocolState.previousStateHash,
  dateTime: isoTime(protocolState.blockchainState.date),
  creator,
  slot: protocolState.consensusState.slot,
  epoch: protocolState.consensusState.epoch,
  ...counts,
  coinbase: jsonInteger(transactions.coinbase),
})

/**
 * The header that a node's block has. It lacks the sums of fees, of which a node shows only the parts.
 *
 * @throws WireError for an impossible date
 */
export function headerFromNode(header: NodeHeader, canonical: boolean): Exact<BlockHeader> {
  const { commandTransactionCount: commandCount, snarkJobs, transactions } = header
  const zkappCommandCount = transactions.zkappCommands.length
  return headerOf(header, { canonical, commandCount, zkappCommandCount, proofCount: snarkJobs.length })
}

/**
 * The header that an indexer's block has.
 *
 * @param header with epoch and slot as its chain counts them
 * @throws WireError for an impossible date
 */
export function headerFromIndexer(header: IndexerHeader): Exact<BlockHeader> {
  const { block_num_snarks, block_num_user_commands, block_num_zkapp_commands, canonical, snarkFees, txFees } = header
  return {
    ...headerOf(header, {
      canonical,
      commandCount: block_num_user_commands,
      zkappCommandCount: block_num_zkapp_commands,
      proofCount: block_num_snarks,
    }),
    feesNanomina: jsonInteger(txFees),
    proofFeesNanomina: jsonInteger(snarkFees),
  }
}
