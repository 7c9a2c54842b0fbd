// Bodies of a broadcast beyond the contract's: what mina-signer gives, and signatures in other forms.
import type { Static } from 'typebox'
import type { DelegationRequest, TransactionRequest } from './broadcast.ts'
import { anyText, text } from './scalars.ts'
import { type AnySignature, having, signatureInAnyForm, signersSignature } from './signature.ts'

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
  signature: signersSignature,
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

type WithAnySignature<Request> = Omit<Request, 'signature'> & { readonly signature: AnySignature }

/** A term that the sender left out, and the service filled in. */
export interface FilledTerm {
  readonly term: 'memo' | 'validUntil'
  /** The sender's name for it. */
  readonly name: string
  readonly given: 'null' | 'missing'
  readonly isRosetta: boolean
}

/** Kept with a body that the service completed: the signer may have signed another value. */
interface Filled {
  readonly filled: readonly FilledTerm[]
}

/** A body in any accepted shape. */
export type WalletBody =
  | WithAnySignature<TransactionRequest>
  | WithAnySignature<DelegationRequest>
  | (Static<typeof signedPayment> & Filled)
  | (Static<typeof signedDelegation> & Filled)

interface BodySchema {
  readonly properties: object
}

const checkedInAnyForm = (schema: BodySchema) => ({
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
  then: checkedInAnyForm(signers),
  else: checkedInAnyForm(contracts),
})
