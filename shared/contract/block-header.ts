import type { Static } from 'typebox'
import { epochNumber, flag, height, isoTime, nanominaNumber, number, publicKey, stateHash } from './scalars.ts'

const onlyOfIndexer =
  'Absent where only a node has the block: it gives no sums, and the fees of each command are in the whole block.'

/** A block in one line: what a chart or a list shows of it. */
export const blockHeader = {
  type: 'object',
  title: 'BlockHeader',
  description: 'what a chart or a list shows of a block: where it stands, who made it, and counts of what it holds',
  properties: {
    stateHash: { ...stateHash, description: 'protocol state hash: base58check, 52 characters, 3N…' },
    blockHeight: height,
    previousStateHash: { ...stateHash, description: 'state hash of its parent' },
    dateTime: { ...isoTime, description: 'start of its slot: ISO-8601, UTC, with milliseconds' },
    creator: { ...publicKey, description: 'public key of the block creator' },
    slot: { ...number, description: 'slot within the epoch' },
    epoch: epochNumber,
    canonical: { ...flag, description: 'on the best chain now' },
    commandCount: {
      ...number,
      description: 'payments, delegations and zkApp commands, failed ones too: as many as the block lists of all kinds',
    },
    zkappCommandCount: { ...number, description: 'how many of them are zkApp commands' },
    proofCount: { ...number, description: 'SNARK jobs, the proofs that the block bought' },
    coinbase: { ...nanominaNumber, description: 'nanomina, newly issued for the block' },
    feesNanomina: {
      ...nanominaNumber,
      description: `what these commands paid, failed ones too, in nanomina. ${onlyOfIndexer}`,
    },
    proofFeesNanomina: {
      ...nanominaNumber,
      description: `what the block paid for these proofs, in nanomina. ${onlyOfIndexer}`,
    },
  },
  required: [
    'stateHash',
    'blockHeight',
    'previousStateHash',
    'dateTime',
    'creator',
    'slot',
    'epoch',
    'canonical',
    'commandCount',
    'zkappCommandCount',
    'proofCount',
    'coinbase',
  ],
} as const

export type BlockHeader = Static<typeof blockHeader>
