// Bodies of a broadcast beyond the contract's: what mina-signer gives, and raw signatures.
import type { Static } from 'typebox'
import {
  type DelegationRequest,
  delegationRequest,
  type Signature,
  signature,
  type TransactionRequest,
  transactionRequest,
} from './broadcast.ts'
import { anyText, text } from './scalars.ts'

const hexadecimal = {
  type: 'string',
  pattern: '^[0-9A-Fa-f]{128}$',
  description: '128 hexadecimal digits: field, then scalar, with the bytes of both in either order',
} as const

export const rawSignature = {
  type: 'object',
  title: 'RawSignature',
  'x-contract-departure': 'taken too: a signature as a Ledger device or Rosetta gives it',
  properties: { rawSignature: hexadecimal },
  required: ['rawSignature'],
} as const

/** A signature in any form that is taken. */
export type AnySignature = Signature | Static<typeof rawSignature> | string

const rawForms = {
  description: '128 hexadecimal digits, alone or in an object',
  anyOf: [rawSignature, hexadecimal],
} as const

export const rawTransactionRequest = {
  ...transactionRequest,
  title: 'RawTransactionRequest',
  'x-contract-departure': 'taken too: the payload of the contract with a raw signature',
  properties: { ...transactionRequest.properties, signature: rawForms },
} as const

export const rawDelegationRequest = {
  ...delegationRequest,
  title: 'RawDelegationRequest',
  'x-contract-departure': 'taken too: the payload of the contract with a raw signature',
  properties: { ...delegationRequest.properties, signature: rawForms },
} as const

/** The signature of mina-signer 1.7 names its signer. */
const signerSignature = {
  type: 'object',
  description: signature.description,
  properties: { ...signature.properties, signer: { ...text, description: 'equal to data.from' } },
  required: signature.required,
} as const

const digits = {
  type: ['string', 'integer'],
  minLength: 1,
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
} as const

const nanominaDigits = {
  ...digits,
  'x-unit': 'nanomina',
  description: 'nanomina: decimal digits, or a JSON number that is exact',
} as const

const dataOfBoth = {
  to: { ...text, description: 'public key of the receiver, or of the new delegate' },
  from: { ...text, description: 'public key of the sender' },
  fee: nanominaDigits,
  nonce: { ...digits, description: 'nonce of the sender: decimal digits, or a JSON number' },
  memo: { ...anyText, description: 'as it was signed' },
  validUntil: { ...digits, description: 'last slot at which the command is valid: decimal digits, or a JSON number' },
} as const

const resultOfBoth = {
  publicKey: { ...text, description: 'public key of the signer; equal to data.from' },
  signature: {
    description: 'as mina-signer gives it, or raw',
    anyOf: [signerSignature, rawSignature, hexadecimal],
  },
} as const

const departure = 'taken too: the result of mina-signer 1.x to 4.x, as JSON.stringify prints it'

export const signedPayment = {
  type: 'object',
  'x-contract-departure': departure,
  properties: {
    ...resultOfBoth,
    data: {
      type: 'object',
      description: 'exactly what was signed',
      properties: { ...dataOfBoth, amount: nanominaDigits },
      required: ['to', 'from', 'fee', 'amount', 'nonce', 'memo', 'validUntil'],
    },
  },
  required: ['signature', 'data'],
} as const

export const signedDelegation = {
  type: 'object',
  'x-contract-departure': departure,
  properties: {
    ...resultOfBoth,
    data: {
      type: 'object',
      description: 'exactly what was signed',
      properties: dataOfBoth,
      required: ['to', 'from', 'fee', 'nonce', 'memo', 'validUntil'],
    },
  },
  required: ['signature', 'data'],
} as const

/** A body in any shape that is taken. */
export type WalletBody =
  | TransactionRequest
  | DelegationRequest
  | Static<typeof rawTransactionRequest>
  | Static<typeof rawDelegationRequest>
  | Static<typeof signedPayment>
  | Static<typeof signedDelegation>

interface BodySchema {
  readonly properties: object
}

const having = (key: string, without: readonly string[]) => ({
  type: 'object',
  properties: { [key]: true, ...Object.fromEntries(without.map((other) => [other, false])) },
  required: [key],
})

/** The form of a signature is chosen first, so that only the faults of that form are found. */
const signatureInAnyForm = {
  if: { type: 'string' },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: hexadecimal,
  else: {
    if: having('rawSignature', ['field', 'scalar']),
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
    then: rawSignature,
    else: signature,
  },
}

const withAnySignature = (schema: BodySchema) => ({
  ...schema,
  properties: { ...schema.properties, signature: signatureInAnyForm },
})

/**
 * All shapes in one schema, for a validator: only the faults of the shape that was meant are found.
 *
 * @param contracts the shape with `payload`
 * @param signers the shape with `data`
 */
export const bodyInAnyShape = (contracts: BodySchema, signers: BodySchema) => ({
  if: having('data', ['payload']),
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: withAnySignature(signers),
  else: withAnySignature(contracts),
})
