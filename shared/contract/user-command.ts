// A payment or stake delegation inside a block: numbers where the answer to a broadcast has strings.
import type { Static } from 'typebox'
import {
  blockOfCommand,
  commandStatus,
  flag,
  nanominaNumber,
  number,
  publicKey,
  publicKeyOnly,
  reasonOfFailure,
  text,
} from './scalars.ts'

const tokenNumber = { ...number, description: '1, the MINA token' } as const

export const tokenAccount = {
  type: 'object',
  title: 'TokenAccount',
  description: 'an account: its public key, and the number of its token',
  properties: { publicKey, token: tokenNumber },
  required: ['publicKey', 'token'],
} as const

/**
 * Contract gap: required fields are not shown. Here they are all but `id`, which not every upstream knows, and our
 * `failureReason`, which only a failed command has.
 */
export const userCommand = {
  type: 'object',
  title: 'UserCommand',
  description: 'a payment or stake delegation in a block',
  properties: {
    amount: { ...nanominaNumber, description: 'nanomina; 0 for a delegation' },
    ...blockOfCommand,
    failureReason: {
      ...reasonOfFailure,
      examples: ['Amount_insufficient_to_create_account'],
      'x-contract-addition': 'Without it, a failed payment looks like a paid one.',
    },
    fee: nanominaNumber,
    feePayer: tokenAccount,
    feeToken: tokenNumber,
    from: { ...publicKey, description: 'public key of the sender' },
    fromAccount: tokenAccount,
    hash: { ...text, description: 'command hash: base58check, 5J…, before June 2024 Ckp…' },
    id: {
      ...text,
      description: 'command id: base64, before June 2024 base58check; absent where no upstream knows it',
    },
    isDelegation: { ...flag, description: 'false for a payment, true for a delegation' },
    kind: { ...text, description: 'PAYMENT or STAKE_DELEGATION', examples: ['PAYMENT', 'STAKE_DELEGATION'] },
    memo: { ...text, description: 'base58check, as the node gives it' },
    nonce: { ...number, description: 'number of the command among those of its sender, from 0' },
    receiver: { ...publicKeyOnly, description: 'the account of the receiver, or of the new delegate' },
    source: { ...publicKeyOnly, description: 'the account of the sender' },
    status: {
      ...commandStatus,
      'x-contract-addition':
        'Tools that infer columns from the first rows drop `failureReason` where none of these failed, and sum failed payments as paid.',
    },
    to: { ...publicKey, description: 'public key of the receiver, or of the new delegate' },
    toAccount: tokenAccount,
    token: tokenNumber,
  },
  required: [
    'amount',
    'blockHeight',
    'blockStateHash',
    'dateTime',
    'fee',
    'feePayer',
    'feeToken',
    'from',
    'fromAccount',
    'hash',
    'isDelegation',
    'kind',
    'memo',
    'nonce',
    'receiver',
    'source',
    'status',
    'to',
    'toAccount',
    'token',
  ],
} as const

export type UserCommand = Static<typeof userCommand>

const { blockHeight, blockStateHash, dateTime, failureReason, status, ...pendingFields } = userCommand.properties

/** A command without the fields of its block, as every upstream knows it; an indexer does not know the id. */
export const bareCommand = {
  type: 'object',
  title: 'BareCommand',
  description: 'a payment or stake delegation, without its block',
  properties: pendingFields,
  required: [
    'amount',
    'fee',
    'feePayer',
    'feeToken',
    'from',
    'fromAccount',
    'hash',
    'isDelegation',
    'kind',
    'memo',
    'nonce',
    'receiver',
    'source',
    'to',
    'toAccount',
    'token',
  ],
} as const

export type BareCommand = Static<typeof bareCommand>

/** A command that waits in the pool. */
export const pendingCommand = {
  ...bareCommand,
  title: 'PendingCommand',
  description: 'a payment or stake delegation that waits in the pool',
  required: [...bareCommand.required, 'id'],
} as const

export type PendingCommand = Static<typeof pendingCommand>
