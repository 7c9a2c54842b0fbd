import type { Static } from 'typebox'
import { blockHeader } from './block-header.ts'
import { maxBlocks, maxHeaders } from './limits.ts'
import { protocolState } from './protocol-state.ts'
import { flag, height, isoTime, nanominaNumber, number, publicKey, publicKeyOnly, stateHash, text } from './scalars.ts'
import { userCommand } from './user-command.ts'
import { zkappCommand } from './zkapp-command.ts'

/** The document leaves the keyword out: Java makes an unordered set of it, and ogen, in Go, what does not compile. */
const uniqueInWords = 'The contract says `uniqueItems`; here the words do.'

const snarkJob = {
  type: 'object',
  title: 'SnarkJob',
  description: 'a proof that the block bought',
  properties: {
    blockHeight: { ...height, description: 'height of the block that bought the work' },
    blockStateHash: { ...stateHash, description: 'state hash of that block' },
    dateTime: { ...isoTime, description: 'time of that block: ISO-8601, UTC, with milliseconds' },
    fee: nanominaNumber,
    prover: { ...publicKey, description: 'public key of the prover, who gets the fee' },
    workIds: {
      type: 'array',
      // Contract gap: the shape of an element is not shown; the upstream has integers.
      description: 'the one or two pieces of work; absent where no upstream knows them',
      items: {
        type: 'object',
        properties: { workId: { ...number, description: 'id of a piece of work' } },
        required: ['workId'],
      },
    },
  },
  required: ['blockHeight', 'blockStateHash', 'dateTime', 'fee', 'prover'],
} as const

export type SnarkJob = Static<typeof snarkJob>

export const feeTransfer = {
  type: 'object',
  title: 'FeeTransfer',
  description: 'a fee that the block pays out',
  properties: {
    fee: nanominaNumber,
    recipient: { ...publicKey, description: 'public key of the block creator or of a prover' },
  },
  required: ['fee', 'recipient'],
} as const

/**
 * Contract gap: required fields are not shown. Here they are all but the coinbase receiver, which a block may lack. Our
 * `zkappCommandCount` is required, since every upstream knows it; not every indexer shows the commands.
 */
const blockTransactions = {
  type: 'object',
  title: 'BlockTransactions',
  description: 'commands, fees and rewards of the block',
  properties: {
    coinbase: { ...nanominaNumber, description: 'nanomina, newly issued for the block' },
    coinbaseReceiverAccount: { ...publicKeyOnly, description: 'who receives the coinbase, also where it is 0' },
    feeTransfer: {
      type: 'array',
      description: 'the fees of the commands, as they are paid to the block creator and to the provers',
      items: feeTransfer,
      'x-contract-departure':
        'The contract says at least 1 item and unique items; a block may have no fee transfer, and equal ones are all listed, since dropping one would falsify sums.',
    },
    userCommands: {
      type: 'array',
      description:
        'Payments and stake delegations, failed ones too, the first applied first; none twice. zkApp commands are not among them: see `zkappCommands`.',
      items: userCommand,
      uniqueItems: true,
      'x-contract-departure': `The contract says at least 1 item; a block without a user command has an empty list. ${uniqueInWords}`,
    },
    zkappCommandCount: {
      ...number,
      description:
        'How many zkApp commands the block holds. They are not among `userCommands`: where this is above 0, the fees and amounts of `userCommands` are not all that the block moved.',
      'x-contract-addition': 'Without it, nothing shows that a sum over a block is incomplete.',
    },
    zkappCommands: {
      type: 'array',
      description:
        'zkApp commands, failed ones too, the first applied first. Absent, and named in `x-missing-fields`, where the upstream shows only how many there are: whoever looks for deposits must then wait and read the block again.',
      items: zkappCommand,
      'x-contract-addition': 'They move money: without them, deposits that a zkApp pays go unseen.',
    },
  },
  required: ['coinbase', 'feeTransfer', 'userCommands', 'zkappCommandCount'],
} as const

/**
 * Contract gap: required fields are not shown, not even the key of `winnerAccount`, which every upstream has. Here they
 * are all but `receivedTime`, which a node does not know.
 */
export const block = {
  type: 'object',
  title: 'Block',
  description: 'a block with its payments, delegations, fee transfers and SNARK jobs',
  properties: {
    blockHeight: height,
    canonical: { ...flag, description: 'on the best chain now' },
    creator: { ...publicKey, description: 'public key of the block creator' },
    creatorAccount: { ...publicKeyOnly, description: 'the account of the block creator' },
    dateTime: { ...isoTime, description: 'start of its slot: ISO-8601, UTC, with milliseconds' },
    protocolState,
    receivedTime: {
      ...text,
      description: 'when an indexer received the block: ISO-8601, UTC; absent where no upstream knows it',
    },
    snarkJobs: {
      type: 'array',
      description: 'proofs that the block bought',
      items: snarkJob,
      'x-contract-departure':
        'The contract says at least 1 item and unique items; a block may have no SNARK job, and jobs that are equal but for work ids the upstream does not give are all listed.',
    },
    stateHash: { ...stateHash, description: 'protocol state hash: base58check, 52 characters, 3N…' },
    stateHashField: { ...text, description: 'the state hash as a field element, decimal digits' },
    transactions: blockTransactions,
    winnerAccount: { ...publicKeyOnly, description: 'the account whose stake won the slot' },
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

const someBlocks = { type: 'array', items: block, minItems: 1, maxItems: maxBlocks, uniqueItems: true } as const

/** The answer of GET /blocks: newest first. */
export const blocksResponse = {
  type: 'object',
  title: 'BlocksResponse',
  properties: {
    blocks: {
      ...someBlocks,
      description: 'newest first, none twice',
      'x-contract-departure': uniqueInWords,
    },
  },
  required: ['blocks'],
} as const

const pageInOrder =
  'newest first, without a gap: each is the parent of the one before it, and the first that of the cursor'

const pageEnd = {
  next: { ...text, description: 'the cursor of the next page; absent where no lower block can be shown' },
  endOfKnown: {
    ...flag,
    description: 'true where the chain goes on below the last block, but nothing that the service asks has it',
  },
} as const

const pageOfBlocks = { ...someBlocks, description: pageInOrder } as const

export const blocksBefore = {
  type: 'object',
  title: 'BlocksBefore',
  description: 'a page of blocks',
  properties: { blocks: pageOfBlocks, ...pageEnd },
  required: ['blocks'],
} as const

export type BlocksBefore = Static<typeof blocksBefore>

const pageOfHeaders = {
  type: 'array',
  items: blockHeader,
  minItems: 1,
  maxItems: maxHeaders,
  description: pageInOrder,
} as const

export const headersBefore = {
  type: 'object',
  title: 'HeadersBefore',
  description: 'a page of headers',
  properties: { headers: pageOfHeaders, ...pageEnd },
  required: ['headers'],
} as const

export type HeadersBefore = Static<typeof headersBefore>

/**
 * The answer of GET /blocks/before/{cursor}. For generators it is one object with either list; the two shapes are under
 * `if: {}`, as in `anyCommand`.
 */
export const blocksOrHeadersBefore = {
  type: 'object',
  title: 'BlocksOrHeadersBefore',
  properties: {
    blocks: { ...pageOfBlocks, description: `${pageInOrder}; absent with \`view=header\`` },
    headers: { ...pageOfHeaders, description: `with \`view=header\` only: ${pageInOrder}` },
    ...pageEnd,
  },
  required: [],
  if: {},
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: { oneOf: [blocksBefore, headersBefore] },
} as const

export type BlocksOrHeadersBefore = BlocksBefore | HeadersBefore

/** The answer of GET /blocks/{state_hash}. */
export const blockResponse = {
  type: 'object',
  title: 'BlockResponse',
  properties: { block },
  required: ['block'],
} as const

export type BlockResponse = Static<typeof blockResponse>
