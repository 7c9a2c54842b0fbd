// The protocol state of a block.
import type { Static } from 'typebox'
import { flag, millisecondTime, nanominaNumber, number, text } from './scalars.ts'

export const epochData = {
  type: 'object',
  properties: {
    epochLength: number,
    ledger: {
      type: 'object',
      properties: { hash: text, totalCurrency: nanominaNumber },
      required: ['hash', 'totalCurrency'],
    },
    lockCheckpoint: text,
    seed: text,
    startCheckpoint: text,
  },
  required: ['epochLength', 'ledger', 'lockCheckpoint', 'seed', 'startCheckpoint'],
} as const

export type EpochData = Static<typeof epochData>

export const blockchainState = {
  type: 'object',
  properties: {
    date: millisecondTime,
    snarkedLedgerHash: text,
    stagedLedgerHash: text,
    utcDate: millisecondTime,
  },
  required: ['date', 'snarkedLedgerHash', 'stagedLedgerHash', 'utcDate'],
} as const

export type BlockchainState = Static<typeof blockchainState>

export const consensusState = {
  type: 'object',
  properties: {
    blockHeight: number,
    blockchainLength: number,
    epoch: { ...number, description: 'counted from the last hard fork' },
    epochCount: { ...number, description: 'epochs in which the chain has a block, counted from the last hard fork' },
    hasAncestorInSameCheckpointWindow: flag,
    lastVrfOutput: text,
    minWindowDensity: number,
    nextEpochData: epochData,
    slot: { ...number, description: 'within the epoch' },
    slotSinceGenesis: { ...number, description: 'counted over hard forks' },
    stakingEpochData: epochData,
    totalCurrency: nanominaNumber,
  },
  required: [
    'blockHeight',
    'blockchainLength',
    'epoch',
    'epochCount',
    'hasAncestorInSameCheckpointWindow',
    'lastVrfOutput',
    'minWindowDensity',
    'nextEpochData',
    'slot',
    'slotSinceGenesis',
    'stakingEpochData',
    'totalCurrency',
  ],
} as const

export type ConsensusState = Static<typeof consensusState>

export const protocolState = {
  type: 'object',
  properties: { blockchainState, consensusState, previousStateHash: text },
  required: ['blockchainState', 'consensusState', 'previousStateHash'],
} as const

export type ProtocolState = Static<typeof protocolState>
