// A block as the node reports it, and as the contract shows it.
import type { Block, SnarkJob } from '../contract/block.ts'
import type { EpochData } from '../contract/protocol-state.ts'
import type { Exact } from '../json.ts'
import { type EnclosingBlock, nodeCommand, userCommandFromNode } from './command.ts'
import { isoTime, jsonInteger } from './units.ts'
import { count, flag, listOf, nanomina, nullable, shape, text, type Wire } from './wire.ts'

const account = shape({ publicKey: text })

const nodeEpochData = shape({
  epochLength: count,
  ledger: shape({ hash: text, totalCurrency: nanomina }),
  lockCheckpoint: text,
  seed: text,
  startCheckpoint: text,
})

const nodeSnarkJob = shape({ fee: nanomina, prover: text, workIds: listOf(count) })

/** zkApp commands are not selected: the contract's list holds payments and delegations. */
export const nodeBlock = shape({
  creator: text,
  creatorAccount: account,
  protocolState: shape({
    blockchainState: shape({ date: count, snarkedLedgerHash: text, stagedLedgerHash: text, utcDate: count }),
    consensusState: shape({
      blockHeight: count,
      blockchainLength: count,
      coinbaseReceiever: text,
      epoch: count,
      epochCount: count,
      hasAncestorInSameCheckpointWindow: flag,
      lastVrfOutput: text,
      minWindowDensity: count,
      nextEpochData: nodeEpochData,
      slot: count,
      slotSinceGenesis: count,
      stakingEpochData: nodeEpochData,
      totalCurrency: nanomina,
    }),
    previousStateHash: text,
  }),
  snarkJobs: listOf(nodeSnarkJob),
  stateHash: text,
  stateHashField: text,
  transactions: shape({
    coinbase: nanomina,
    coinbaseReceiverAccount: nullable(account),
    feeTransfer: listOf(shape({ fee: nanomina, recipient: text })),
    userCommands: listOf(nodeCommand),
  }),
  winnerAccount: account,
})

export type NodeBlock = Wire<typeof nodeBlock>

const epochDataFromNode = (data: Wire<typeof nodeEpochData>): Exact<EpochData> => ({
  epochLength: data.epochLength,
  ledger: { hash: data.ledger.hash, totalCurrency: jsonInteger(data.ledger.totalCurrency) },
  lockCheckpoint: data.lockCheckpoint,
  seed: data.seed,
  startCheckpoint: data.startCheckpoint,
})

const snarkJobFromNode = (job: Wire<typeof nodeSnarkJob>, block: EnclosingBlock): Exact<SnarkJob> => ({
  ...block,
  fee: jsonInteger(job.fee),
  prover: job.prover,
  workIds: job.workIds.map((workId) => ({ workId })),
})

/**
 * A block of the contract, as much of it as a node knows: `receivedTime` is absent.
 *
 * @param canonical whether the block is on the best chain now; the node's block does not say
 * @returns amounts in nanomina, times in ISO-8601 and milliseconds
 * @throws WireError for a date or a token that cannot be
 */
export function blockFromNode(block: NodeBlock, canonical: boolean): Exact<Block> {
  const { blockchainState, consensusState, previousStateHash } = block.protocolState
  const { transactions } = block
  const dateTime = isoTime(blockchainState.date)
  const enclosing = { blockHeight: consensusState.blockHeight, blockStateHash: block.stateHash, dateTime }
  return {
    blockHeight: consensusState.blockHeight,
    canonical,
    creator: block.creator,
    creatorAccount: { publicKey: block.creatorAccount.publicKey },
    dateTime,
    protocolState: {
      blockchainState: {
        date: blockchainState.date,
        snarkedLedgerHash: blockchainState.snarkedLedgerHash,
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
        nextEpochData: epochDataFromNode(consensusState.nextEpochData),
        slot: consensusState.slot,
        slotSinceGenesis: consensusState.slotSinceGenesis,
        stakingEpochData: epochDataFromNode(consensusState.stakingEpochData),
        totalCurrency: jsonInteger(consensusState.totalCurrency),
      },
      previousStateHash,
    },
    snarkJobs: block.snarkJobs.map((job) => snarkJobFromNode(job, enclosing)),
    stateHash: block.stateHash,
    stateHashField: block.stateHashField,
    transactions: {
      coinbase: jsonInteger(transactions.coinbase),
      coinbaseReceiverAccount: {
        publicKey: transactions.coinbaseReceiverAccount?.publicKey ?? consensusState.coinbaseReceiever,
      },
      feeTransfer: transactions.feeTransfer.map(({ fee, recipient }) => ({ fee: jsonInteger(fee), recipient })),
      userCommands: transactions.userCommands.map((command) => userCommandFromNode(command, enclosing)),
    },
    winnerAccount: { publicKey: block.winnerAccount.publicKey },
  }
}
