import type { Static } from 'typebox'
import { protocolState } from './protocol-state.ts'
import { flag, isoTime, nanominaNumber, number, publicKeyOnly, text } from './scalars.ts'
import { userCommand } from './user-command.ts'

export const snarkJob = {
  type: 'object',
  properties: {
    blockHeight: number,
    blockStateHash: text,
    dateTime: isoTime,
    fee: nanominaNumber,
    prover: text,
    workIds: {
      type: 'array',
      // Contract gap: the shape of an element is not shown; the upstream has integers.
      description: 'Objects { "workId": <integer> }; absent where the upstream does not know them.',
      items: { type: 'object' },
    },
  },
  required: ['blockHeight', 'blockStateHash', 'dateTime', 'fee', 'prover'],
} as const

export type SnarkJob = Static<typeof snarkJob>

export const feeTransfer = {
  type: 'object',
  properties: { fee: nanominaNumber, recipient: text },
  required: ['fee', 'recipient'],
} as const

export type FeeTransfer = Static<typeof feeTransfer>

/**
 * Contract gap: which fields are required is not shown; all but the coinbase receiver, which a block may lack. Our
 * `zkappCommandCount` is required too, since every upstream knows it.
 */
export const blockTransactions = {
  type: 'object',
  properties: {
    coinbase: nanominaNumber,
    coinbaseReceiverAccount: publicKeyOnly,
    feeTransfer: {
      type: 'array',
      items: feeTransfer,
      'x-contract-departure':
        'The contract says at least 1 item and unique items; a block may have no fee transfer, and equal ones are all listed, since dropping one would falsify sums.',
    },
    userCommands: {
      type: 'array',
      description:
        'Payments and stake delegations, failed ones too, the first applied first. zkApp commands are not listed: see `zkappCommandCount`.',
      items: userCommand,
      uniqueItems: true,
      'x-contract-departure': 'The contract says at least 1 item; a block without a user command has an empty list.',
    },
    zkappCommandCount: {
      ...number,
      description:
        'How many zkApp commands the block holds. They are not among `userCommands`: where this is above 0, the fees and amounts of `userCommands` are not all that the block moved.',
      'x-contract-addition': 'Without it, nothing shows that a sum over a block is incomplete.',
    },
  },
  required: ['coinbase', 'feeTransfer', 'userCommands', 'zkappCommandCount'],
} as const

export type BlockTransactions = Static<typeof blockTransactions>

/**
 * Contract gap: which fields are required is not shown; all but `receivedTime`, which a node does not know. The contract
 * does not call the key of `winnerAccount` required either; every upstream has it.
 */
export const block = {
  type: 'object',
  properties: {
    blockHeight: number,
    canonical: { ...flag, description: 'on the best chain now' },
    creator: { ...text, description: 'public key of the block creator' },
    creatorAccount: publicKeyOnly,
    dateTime: isoTime,
    protocolState,
    receivedTime: { ...text, description: 'ISO-8601, UTC; absent where no upstream knows it' },
    snarkJobs: {
      type: 'array',
      items: snarkJob,
      'x-contract-departure':
        'The contract says at least 1 item and unique items; a block may have no SNARK job, and jobs that are equal but for work ids the upstream does not give are all listed.',
    },
    stateHash: { ...text, description: 'protocol state hash' },
    stateHashField: { ...text, description: 'the state hash as a field element, decimal digits' },
    transactions: blockTransactions,
    winnerAccount: publicKeyOnly,
  },
  required: [
    'blockHeight',
    'canonical',
    'creator',
    'creatorAccount',
    'dateTime',
    'protocolState',
    'snarkJobs',
    'stateHash',
    'stateHashField',
    'transactions',
    'winnerAccount',
  ],
} as const

export type Block = Static<typeof block>

/** The answer of GET /blocks: newest first. */
export const blocksResponse = {
  type: 'object',
  properties: {
    blocks: { type: 'array', description: 'newest first', items: block, minItems: 1, uniqueItems: true },
  },
  required: ['blocks'],
} as const

export type BlocksResponse = Static<typeof blocksResponse>

/** The answer of GET /blocks/{state_hash}. */
export const blockResponse = {
  type: 'object',
  properties: { block },
  required: ['block'],
} as const

export type BlockResponse = Static<typeof blockResponse>
