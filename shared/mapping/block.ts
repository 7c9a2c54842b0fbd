// A block as the node reports it, and as the contract shows it.
import type { Block, SnarkJob } from '../contract/block.ts'
import type { EpochData, ProtocolState, StakingEpochData } from '../contract/protocol-state.ts'
import {
  count,
  flag,
  hash,
  instant,
  listOf,
  nanomina,
  nullable,
  shape,
  shortText,
  type Wire,
} from '../upstream/wire.ts'
import { jsonInteger } from './amounts.ts'
import { type EnclosingBlock, includedCommand, userCommandFromNode } from './command.ts'
import type { Exact } from './exact-json.ts'
import { isoTime } from './times.ts'
import { nodeZkappCommand, zkappCommandFromNode } from './zkapp-command.ts'

const epochData = shape({
  epochLength: count,
  ledger: shape({ hash: shortText, totalCurrency: nanomina }),
  lockCheckpoint: shortText,
  seed: shortText,
  startCheckpoint: shortText,
})

export const blockchainState = shape({
  date: instant,
  snarkedLedgerHash: shortText,
  stagedLedgerHash: shortText,
  utcDate: count,
})

/** Fields of the consensus state that every upstream has under the same name. */
export const consensusFields = {
  blockHeight: count,
  blockchainLength: count,
  epoch: count,
  hasAncestorInSameCheckpointWindow: flag,
  lastVrfOutput: shortText,
  minWindowDensity: count,
  nextEpochData: epochData,
  slot: count,
  slotSinceGenesis: count,
  stakingEpochData: epochData,
  totalCurrency: nanomina,
}

const consensusState = shape({ ...consensusFields, epochCount: count })

type ReadBlockchainState = Wire<typeof blockchainState>
type ReadConsensusState = Wire<typeof consensusState>
type ReadEpochData = Wire<typeof epochData>

/** The fields that the mapper needs, `lastVrfOutput` in the node's form; undefined if an indexer's value is wrong. */
interface ReadProtocolState {
  readonly previousStateHash: string
  readonly blockchainState: Omit<ReadBlockchainState, 'snarkedLedgerHash'> & {
    readonly snarkedLedgerHash: string | undefined
  }
  readonly consensusState: Omit<ReadConsensusState, 'stakingEpochData'> & {
    readonly stakingEpochData: Omit<ReadEpochData, 'epochLength'> & { readonly epochLength: number | undefined }
  }
}

const sharedEpochData = (data: Omit<ReadEpochData, 'epochLength'>) => ({
  ledger: { hash: data.ledger.hash, totalCurrency: jsonInteger(data.ledger.totalCurrency) },
  lockCheckpoint: data.lockCheckpoint,
  seed: data.seed,
  startCheckpoint: data.startCheckpoint,
})

const epochDataBody = (data: ReadEpochData): Exact<EpochData> => ({
  epochLength: data.epochLength,
  ...sharedEpochData(data),
})

const stakingEpochDataBody = ({
  epochLength,
  ...data
}: ReadProtocolState['consensusState']['stakingEpochData']): Exact<StakingEpochData> => ({
  ...(epochLength !== undefined && { epochLength }),
  ...sharedEpochData(data),
})

/** @returns the contract's protocolState, amounts in nanomina, times in milliseconds since 1970 */
export const protocolStateBody = ({
  blockchainState,
  consensusState,
  previousStateHash,
}: ReadProtocolState): Exact<ProtocolState> => ({
  blockchainState: {
    date: blockchainState.date,
    ...(blockchainState.snarkedLedgerHash !== undefined && { snarkedLedgerHash: blockchainState.snarkedLedgerHash }),
    stagedLedgerHash: blockchainState.stagedLedgerHash,
    utcDate: blockchainState.utcDate,
  },
  consensusState: {
    blockHeight: consensusState.blockHeight,
    blockchainLength: consensusState.blockchainLength,
    epoch: consensusState.epoch,
    epochCount: consensusState.epochCount,
    hasAncestorInSameCheckpointWindow: consensusState.hasAncestorInSameCheckpointWindow,
    lastVrfOutput: consensusState.lastVrfOutput,
    minWindowDensity: consensusState.minWindowDensity,
    nextEpochData: epochDataBody(consensusState.nextEpochData),
    slot: consensusState.slot,
    slotSinceGenesis: consensusState.slotSinceGenesis,
    stakingEpochData: stakingEpochDataBody(consensusState.stakingEpochData),
    totalCurrency: jsonInteger(consensusState.totalCurrency),
  },
  previousStateHash,
})

const account = shape({ publicKey: shortText })

const nodeSnarkJob = shape({ fee: nanomina, prover: shortText, workIds: listOf(count) })

export const nodeBlock = shape({
  creator: shortText,
  creatorAccount: account,
  protocolState: shape({
    blockchainState,
    // Sic: the node's schema spells it `coinbaseReceiever`.
    consensusState: shape({ ...consensusFields, coinbaseReceiever: shortText, epochCount: count }),
    previousStateHash: shortText,
  }),
  snarkJobs: listOf(nodeSnarkJob),
  stateHash: hash,
  stateHashField: shortText,
  transactions: shape({
    coinbase: nanomina,
    coinbaseReceiverAccount: nullable(account),
    feeTransfer: listOf(shape({ fee: nanomina, recipient: shortText })),
    userCommands: listOf(includedCommand),
    zkappCommands: listOf(nodeZkappCommand),
  }),
  winnerAccount: account,
})

export type NodeBlock = Wire<typeof nodeBlock>

const snarkJobFromNode = (job: Wire<typeof nodeSnarkJob>, block: EnclosingBlock): Exact<SnarkJob> => ({
  ...block,
  fee: jsonInteger(job.fee),
  prover: job.prover,
  workIds: job.workIds.map((workId) => ({ workId })),
})

/** A block of a node in the form of the contract. */
interface ShownBlock {
  readonly block: Exact<Block>
  /** Fields that the contract cannot show as a whole, as paths below the block. */
  readonly cutFields: readonly string[]
}

/**
 * The contract's block as far as a node knows it. A node lists commands last applied first; the contract's block
 * has them in the order of their application.
 *
 * @param canonical true if the block is on the best chain now; the node's block does not say
 * @param receivedAt milliseconds since 1970, from an indexer; without it `receivedTime` is absent
 * @returns amounts in nanomina, times in ISO-8601 and milliseconds
 * @throws WireError for an impossible date
 */
export function blockFromNode(block: NodeBlock, canonical: boolean, receivedAt?: number): ShownBlock {
  const { protocolState, transactions } = block
  const { blockHeight, coinbaseReceiever } = protocolState.consensusState
  const dateTime = isoTime(protocolState.blockchainState.date)
  const enclosing = { blockHeight, blockStateHash: block.stateHash, dateTime }
  const zkapps = transactions.zkappCommands.toReversed().map((command) => zkappCommandFromNode(command, enclosing))
  const shown: Exact<Block> = {
    blockHeight,
    canonical,
    creator: block.creator,
    creatorAccount: { publicKey: block.creatorAccount.publicKey },
    dateTime,
    protocolState: protocolStateBody(protocolState),
    ...(receivedAt !== undefined && { receivedTime: isoTime(receivedAt) }),
    snarkJobs: block.snarkJobs.map((job) => snarkJobFromNode(job, enclosing)),
    stateHash: block.stateHash,
    stateHashField: block.stateHashField,
    transactions: {
      coinbase: jsonInteger(transactions.coinbase),
      coinbaseReceiverAccount: { publicKey: transactions.coinbaseReceiverAccount?.publicKey ?? coinbaseReceiever },
      feeTransfer: transactions.feeTransfer.map(({ fee, recipient }) => ({ fee: jsonInteger(fee), recipient })),
      userCommands: transactions.userCommands.toReversed().map((command) => userCommandFromNode(command, enclosing)),
      zkappCommandCount: transactions.zkappCommands.length,
      zkappCommands: zkapps.map(({ command }) => command),
    },
    winnerAccount: { publicKey: block.winnerAccount.publicKey },
  }
  const cutFields = new Set(zkapps.flatMap((zkapp) => zkapp.cutFields))
  return { block: shown, cutFields: [...cutFields].map((field) => `transactions.zkappCommands.${field}`) }
}
