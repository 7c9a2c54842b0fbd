import type { Static } from 'typebox'
import { epochNumber, flag, height, isoTime, nanominaNumber, number, publicKey, stateHash } from './scalars.ts'

const onlyOfIndexer =
  'Absent where only a node has the block: it gives no sums, and the fees of each command are in the whole block.'

/** A block in one line, for charts and lists. */
export const blockHeader = {
  type: 'object',
  title: 'BlockHeader',
  description:
    'a block in one line, for charts and lists: its place in the chain, its creator, and counts of its contents',
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
    zkappCommandCount: { ...number, description: 'the number of zkApp commands among them' },
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
