// The results of mina-signer for generated clients: what its `signPayment` returns is assignable without a cast.
import { signedDelegation, signedPayment } from './wallet-body.ts'

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
 * mina-signer's own.
 */
const asWideAsItsTypes = (data: DataSchema) => ({
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

/** A payment as mina-signer returns it. */
export const signersPayment = {
  ...signedPayment,
  title: 'SignedPayment',
  properties: { ...signedPayment.properties, data: asWideAsItsTypes(signedPayment.properties.data) },
}

/** A stake delegation as mina-signer returns it. */
export const signersDelegation = {
  ...signedDelegation,
  title: 'SignedDelegation',
  properties: { ...signedDelegation.properties, data: asWideAsItsTypes(signedDelegation.properties.data) },
}
