// The protocol state of a block. Node and indexer describe it alike but for three fields.
import type { EpochData, ProtocolState, StakingEpochData } from '../contract/protocol-state.ts'
import { count, flag, instant, nanomina, shape, text, type Wire } from '../upstream/wire.ts'
import type { Exact } from './json.ts'
import { jsonInteger } from './units.ts'

const epochData = shape({
  epochLength: count,
  ledger: shape({ hash: text, totalCurrency: nanomina }),
  lockCheckpoint: text,
  seed: text,
  startCheckpoint: text,
})

export const blockchainState = shape({ date: instant, snarkedLedgerHash: text, stagedLedgerHash: text, utcDate: count })

/** Fields of the consensus state that every upstream has under the same name. */
export const consensusFields = {
  blockHeight: count,
  blockchainLength: count,
  epoch: count,
  hasAncestorInSameCheckpointWindow: flag,
  lastVrfOutput: text,
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

/** What the mapper needs, with `lastVrfOutput` in the node's form. What an indexer has wrong is undefined. */
export interface ReadProtocolState {
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
