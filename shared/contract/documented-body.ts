// The bodies of a broadcast for readers and generated clients: two disjoint shapes with one signature. Generators build a
// union from `oneOf` of named schemas; an inline `anyOf` becomes one struct with the members of all. The validators, which
// find the faults of the shape that was meant only, are in `wallet-body.ts`.
import { delegationRequest, signature, transactionRequest } from './broadcast.ts'
import { rawDigits, rawSignature, signedDelegation, signedPayment } from './wallet-body.ts'

const anySignature = {
  title: 'AnySignature',
  description: 'a signature: two numbers as the contract has it, or 128 hexadecimal digits, alone or in an object',
  'x-contract-departure': 'taken too: a raw signature',
  oneOf: [signature, rawSignature, rawDigits],
} as const

interface DataSchema {
  readonly type: 'object'
  readonly description: string
  readonly properties: Readonly<Record<string, { readonly type: unknown; readonly description: string }>>
  readonly required: readonly string[]
}

/** Always given by mina-signer, although optional in its types. */
const optional: ReadonlySet<string> = new Set(['memo', 'validUntil'])

/** mina-signer types every number as `number | bigint | string`, and JSON has no bigint: no type takes all three. */
const isNumber = (type: unknown): boolean => Array.isArray(type)

/**
 * The same schema for a validator. A generator of types, which does not look into conditions, finds one as wide as
 * mina-signer's own, so that what its `signPayment` returns is assignable without a cast.
 */
const asWideAsItsTypes = (title: string, data: DataSchema) => ({
  title,
  type: data.type,
  description: data.description,
  properties: Object.fromEntries(
    Object.entries(data.properties).map(([name, { description, type }]) => [
      name,
      isNumber(type) ? { description } : { type, description },
    ]),
  ),
  required: data.required.filter((name) => !optional.has(name)),
  if: { type: data.type },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: data,
})

/** The body of `POST /broadcast/transaction`. */
export const transactionBody = {
  title: 'TransactionBody',
  description: 'a signed payment: the contract’s shape with `payload`, or mina-signer’s result with `data`',
  oneOf: [
    {
      ...transactionRequest,
      properties: {
        ...transactionRequest.properties,
        signature: anySignature,
        payload: { ...transactionRequest.properties.payload, title: 'TransactionPayload' },
      },
    },
    {
      ...signedPayment,
      title: 'SignedPayment',
      properties: {
        ...signedPayment.properties,
        signature: anySignature,
        data: asWideAsItsTypes('SignedPaymentData', signedPayment.properties.data),
      },
    },
  ],
}

/** The body of `POST /broadcast/delegation`. */
export const delegationBody = {
  title: 'DelegationBody',
  description: 'a signed stake delegation: the contract’s shape with `payload`, or mina-signer’s result with `data`',
  oneOf: [
    {
      ...delegationRequest,
      properties: {
        ...delegationRequest.properties,
        signature: anySignature,
        payload: { ...delegationRequest.properties.payload, title: 'DelegationPayload' },
      },
    },
    {
      ...signedDelegation,
      title: 'SignedDelegation',
      properties: {
        ...signedDelegation.properties,
        signature: anySignature,
        data: asWideAsItsTypes('SignedDelegationData', signedDelegation.properties.data),
      },
    },
  ],
}
