// Bodies of the two broadcasts: the request, and the answer when a node has taken the command.
import type { Static } from 'typebox'
import { broadcastResultCommand } from './command.ts'
import { nanominaText, text } from './scalars.ts'
import { signature } from './signature.ts'

const digits = (what: string) => ({ ...text, description: `${what}, decimal digits` }) as const

const payloadOfBoth = {
  to: { ...text, description: 'public key of the receiver, or of the delegate' },
  from: { ...text, description: 'public key of the sender; equal to publicKey' },
  fee: nanominaText,
  nonce: digits('nonce of the sender'),
  memo: { ...text, description: 'as it was signed' },
  validUntil: { ...text, description: 'last slot at which the command is valid, decimal digits' },
} as const

const signer = { ...text, description: 'public key of the signer' } as const

export const transactionRequest = {
  type: 'object',
  title: 'TransactionRequest',
  properties: {
    publicKey: signer,
    signature,
    payload: {
      type: 'object',
      description: 'exactly what was signed',
      properties: { ...payloadOfBoth, amount: nanominaText },
      required: ['to', 'from', 'fee', 'amount', 'nonce', 'memo', 'validUntil'],
    },
  },
  required: ['publicKey', 'signature', 'payload'],
} as const

export type TransactionRequest = Static<typeof transactionRequest>

export const delegationRequest = {
  type: 'object',
  title: 'DelegationRequest',
  properties: {
    publicKey: signer,
    signature,
    payload: {
      type: 'object',
      description: 'exactly what was signed',
      properties: payloadOfBoth,
      required: ['to', 'from', 'fee', 'nonce', 'memo', 'validUntil'],
    },
  },
  required: ['publicKey', 'signature', 'payload'],
} as const

export type DelegationRequest = Static<typeof delegationRequest>

export const transactionResponse = {
  type: 'object',
  title: 'TransactionResponse',
  properties: {
    message: {
      ...text,
      description: 'fixed text, spelled as the contract has it',
      examples: ['Transaction broadcast sucessfully'],
    },
    result: {
      type: 'object',
      description: 'the command as the node holds it',
      properties: { payment: broadcastResultCommand },
      required: ['payment'],
    },
  },
  required: ['message', 'result'],
} as const

export const delegationResponse = {
  type: 'object',
  title: 'DelegationResponse',
  properties: {
    message: {
      ...text,
      description: 'fixed text, spelled as the contract has it',
      examples: ['Delegation broadcast sucessfully'],
    },
    result: {
      type: 'object',
      description: 'the command as the node holds it',
      properties: { delegation: broadcastResultCommand },
      required: ['delegation'],
    },
  },
  required: ['message', 'result'],
} as const
