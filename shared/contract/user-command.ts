// A payment or stake delegation inside a block: numbers where the answer to a broadcast has strings.
import type { Static } from 'typebox'
import { flag, isoTime, nanominaNumber, number, publicKeyOnly, text } from './scalars.ts'

const tokenNumber = { ...number, description: '1, the MINA token' } as const

export const tokenAccount = {
  type: 'object',
  properties: { publicKey: text, token: tokenNumber },
  required: ['publicKey', 'token'],
} as const

export type TokenAccount = Static<typeof tokenAccount>

/**
 * Contract gap: which fields are required is not shown; all but `id`, which not every upstream knows,
 * and our `failureReason`, which only a failed command has.
 */
export const userCommand = {
  type: 'object',
  properties: {
    amount: nanominaNumber,
    blockHeight: number,
    blockStateHash: text,
    dateTime: isoTime,
    failureReason: {
      ...text,
      description:
        'Why the command failed on the chain, in the words of the upstream: its fee was charged, and nothing else of it happened. Absent from a command that was applied.',
      examples: ['Amount_insufficient_to_create_account'],
      'x-contract-addition': 'Without it, a failed payment looks like a paid one.',
    },
    fee: nanominaNumber,
    feePayer: tokenAccount,
    feeToken: tokenNumber,
    from: text,
    fromAccount: tokenAccount,
    hash: text,
    id: text,
    isDelegation: flag,
    kind: { ...text, description: 'PAYMENT or STAKE_DELEGATION', examples: ['PAYMENT', 'STAKE_DELEGATION'] },
    memo: { ...text, description: 'base58check, as the node gives it' },
    nonce: number,
    receiver: publicKeyOnly,
    source: publicKeyOnly,
    to: text,
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
    'to',
    'toAccount',
    'token',
  ],
} as const

export type UserCommand = Static<typeof userCommand>
