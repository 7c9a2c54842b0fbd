// The command that a broadcast results in: strings where a user command of a block has numbers.
import type { Static } from 'typebox'
import { flag, nanominaText, number, publicKey, text } from './scalars.ts'

const tokenId = { ...text, description: 'token id, as the node reports it' } as const

const accountRef = {
  type: 'object',
  title: 'AccountRef',
  description: 'an account: its public key, and the id of its token',
  properties: { publicKey, token: tokenId },
  required: ['publicKey', 'token'],
} as const

export const broadcastResultCommand = {
  type: 'object',
  title: 'BroadcastResultCommand',
  description: 'a payment or stake delegation as the node holds it',
  properties: {
    amount: { ...nanominaText, description: 'nanomina, decimal digits; 0 for a delegation' },
    fee: nanominaText,
    feePayer: accountRef,
    feeToken: tokenId,
    from: { ...text, description: 'public key of the sender' },
    fromAccount: accountRef,
    hash: { ...text, description: 'command hash' },
    id: { ...text, description: 'command identifier' },
    isDelegation: { ...flag, description: 'false for a payment, true for a delegation' },
    // Contract gap: kinds beyond these two are not shown; the service can broadcast no other.
    kind: { ...text, description: 'PAYMENT or STAKE_DELEGATION', examples: ['PAYMENT', 'STAKE_DELEGATION'] },
    memo: { ...text, description: 'base58check, as the node gives it' },
    nonce: { ...number, description: 'number of the command among those of its sender, from 0' },
    receiver: accountRef,
    source: accountRef,
    to: { ...text, description: 'public key of the receiver, or of the new delegate' },
    token: tokenId,
    toAccount: accountRef,
  },
  required: [
    'amount',
    'fee',
    'feePayer',
    'feeToken',
    'from',
    'fromAccount',
    'hash',
    'id',
    'isDelegation',
    'kind',
    'memo',
    'nonce',
    'receiver',
    'source',
    'to',
    'token',
    'toAccount',
  ],
} as const

export type BroadcastResultCommand = Static<typeof broadcastResultCommand>
