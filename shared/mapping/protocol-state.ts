// The protocol state of a block. Node and indexer describe it alike but for three fields.
import type { EpochData, ProtocolState } from '../contract/protocol-state.ts'
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

/** What the mapper needs, with `lastVrfOutput` in the node's form. */
export interface ReadProtocolState {
  readonly previousStateHash: string
  readonly blockchainState: Wire<typeof blockchainState>
  readonly consensusState: Wire<typeof consensusState>
}

const epochDataBody = (data: Wire<typeof epochData>): Exact<EpochData> => ({
  epochLength: data.epochLength,
  ledger: { hash: data.ledger.hash, totalCurrency: jsonInteger(data.ledger.totalCurrency) },
  lockCheckpoint: data.lockCheckpoint,
  seed: data.seed,
  startCheckpoint: data.startCheckpoint,
})

/** @returns the contract's protocolState, amounts in nanomina, times in milliseconds since 1970 */
export const protocolStateBody = ({
  blockchainState,
  consensusState,
  previousStateHash,
}: ReadProtocolState): Exact<ProtocolState> => ({
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
    nextEpochData: epochDataBody(consensusState.nextEpochData),
    slot: consensusState.slot,
    slotSinceGenesis: consensusState.slotSinceGenesis,
    stakingEpochData: epochDataBody(consensusState.stakingEpochData),
    totalCurrency: jsonInteger(consensusState.totalCurrency),
  },
  previousStateHash,
})
