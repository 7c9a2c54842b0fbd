// The protocol state of a block.
import type { Static } from 'typebox'
import {
  epochNumber,
  flag,
  height,
  ledgerHash,
  millisecondTime,
  minWindowDensity,
  nanominaNumber,
  number,
  stateHash,
  text,
} from './scalars.ts'

/** The staking ledger of an epoch. */
export const epochData = {
  type: 'object',
  title: 'EpochData',
  description: 'an epoch: its staking ledger, and what its random numbers come from',
  properties: {
    epochLength: { ...number, description: 'blocks of the chain in the epoch so far' },
    ledger: {
      type: 'object',
      description: 'the ledger whose balances decide who makes the blocks of the epoch',
      properties: { hash: ledgerHash, totalCurrency: nanominaNumber },
      required: ['hash', 'totalCurrency'],
    },
    lockCheckpoint: { ...stateHash, description: 'state hash of the last block that changed the seed' },
    seed: { ...text, description: 'seed of the epoch, base58check' },
    startCheckpoint: { ...stateHash, description: 'state hash of the last block before the epoch' },
  },
  required: ['epochLength', 'ledger', 'lockCheckpoint', 'seed', 'startCheckpoint'],
} as const

export type EpochData = Static<typeof epochData>

/** The staking ledger of the block's own epoch. */
export const stakingEpochData = {
  ...epochData,
  title: 'StakingEpochData',
  properties: {
    ...epochData.properties,
    epochLength: {
      ...epochData.properties.epochLength,
      'x-contract-departure':
        'The contract requires it. An indexer has a wrong one, which cannot be put right for every old block; it is then absent and named in the header x-missing-fields.',
    },
  },
  required: ['ledger', 'lockCheckpoint', 'seed', 'startCheckpoint'],
} as const

export type StakingEpochData = Static<typeof stakingEpochData>

export const blockchainState = {
  type: 'object',
  title: 'BlockchainState',
  description: 'time and ledgers of the block',
  properties: {
    date: millisecondTime,
    snarkedLedgerHash: {
      ...ledgerHash,
      description: 'hash of the last ledger with a proof',
      'x-contract-departure':
        'The contract requires it. Since the Berkeley hard fork an indexer has a wrong one: in a block that only the indexer holds it is absent and named in the header x-missing-fields.',
    },
    stagedLedgerHash: { ...ledgerHash, description: 'hash of the ledger after the block' },
    utcDate: millisecondTime,
  },
  required: ['date', 'stagedLedgerHash', 'utcDate'],
} as const

export const consensusState = {
  type: 'object',
  title: 'ConsensusState',
  description: 'the values that consensus follows from',
  properties: {
    blockHeight: height,
    blockchainLength: { ...height, description: 'equal to blockHeight' },
    epoch: epochNumber,
    epochCount: { ...number, description: 'epochs in which the chain has a block, counted from the last hard fork' },
    hasAncestorInSameCheckpointWindow: {
      ...flag,
      description: 'true if the parent lies in the same checkpoint window',
    },
    lastVrfOutput: { ...text, description: 'the random output that won the slot, base58check' },
    minWindowDensity,
    nextEpochData: epochData,
    slot: { ...number, description: 'within the epoch' },
    slotSinceGenesis: { ...number, description: 'counted over hard forks' },
    stakingEpochData,
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

export const protocolState = {
  type: 'object',
  title: 'ProtocolState',
  description: 'the state that the state hash is the hash of',
  properties: {
    blockchainState,
    consensusState,
    previousStateHash: { ...stateHash, description: 'state hash of the parent block' },
  },
  required: ['blockchainState', 'consensusState', 'previousStateHash'],
} as const

export type ProtocolState = Static<typeof protocolState>
