// The forms of a signature: the contract's two numbers, and what wallets give. `broadcast/signature.ts` reads each.
import type { Static } from 'typebox'
import { text } from './scalars.ts'

export const signature = {
  type: 'object',
  title: 'Signature',
  description: 'a signature as two numbers',
  properties: {
    field: { ...text, description: 'x coordinate of the commitment, decimal digits' },
    scalar: { ...text, description: 'the response, decimal digits' },
  },
  required: ['field', 'scalar'],
} as const

export type Signature = Static<typeof signature>

export const rawDigits = {
  type: 'string',
  pattern: '^[0-9A-Fa-f]{128}$',
  description: '128 hexadecimal digits: field, then scalar, with the bytes of both in either order',
} as const

export const rawSignature = {
  type: 'object',
  title: 'RawSignature',
  'x-contract-departure': 'taken too: a signature as a Ledger device or Rosetta gives it',
  properties: { rawSignature: rawDigits },
  required: ['rawSignature'],
} as const

/** A signature in any accepted form. */
export type AnySignature = Signature | Static<typeof rawSignature> | string

/** The signature of mina-signer 1.7 names its signer. */
const signerSignature = {
  type: 'object',
  description: signature.description,
  properties: { ...signature.properties, signer: { ...text, description: 'equal to data.from' } },
  required: signature.required,
} as const

export const signersSignature = {
  description: 'as mina-signer gives it, or raw',
  anyOf: [signerSignature, rawSignature, rawDigits],
} as const

/** For readers and generated clients. Under `if: {}`, which always holds, validators look and generators do not. */
export const anySignature = {
  title: 'AnySignature',
  description:
    'a signature: two numbers as the contract has it, `{"field", "scalar"}`; or 128 hexadecimal digits, as a text or as `{"rawSignature"}`',
  'x-contract-departure': 'taken too: a raw signature',
  if: {},
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: { oneOf: [signature, rawSignature, rawDigits] },
} as const

/** The schema of an object that has one key and lacks others. */
export const having = (key: string, without: readonly string[]) => ({
  type: 'object',
  properties: { [key]: true, ...Object.fromEntries(without.map((other) => [other, false])) },
  required: [key],
})

/** For validators. The form of a signature is chosen first, so that only the faults of that form are found. */
export const signatureInAnyForm = {
  if: { type: 'string' },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: rawDigits,
  else: {
    if: having('rawSignature', ['field', 'scalar']),
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
    then: rawSignature,
    else: signature,
  },
}
