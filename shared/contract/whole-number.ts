// Whole numbers as decimal digits. Plain syntax, since this also runs in a CloudFront Function.

/** Zeros before the number included. CloudFront would need too long for thousands of them. */
export const maxDigits = 32

const notDigits = /[^0-9]/

/**
 * The number that a text means, zeros before it included.
 *
 * @param text at most 32 digits
 * @returns undefined for any other text; beyond 2^53 the nearest number
 */
export const wholeNumberFrom = (text: string): number | undefined =>
  text === '' || text.length > maxDigits || notDigits.test(text) ? undefined : Number(text)

/** The form of a whole number in its one spelling: digits without a sign and without leading zeros. */
export interface WholeNumberForm {
  readonly min: number
  /** At most 2^53. */
  readonly max: number
}

/** The number that a text of this form means; undefined for any other text. */
export function canonicalNumberFrom(text: string, form: WholeNumberForm): number | undefined {
  const number = wholeNumberFrom(text)
  const isInRange = number !== undefined && number >= form.min && number <= form.max
  return isInRange && String(number) === text ? number : undefined
}

/** Heights that a chain can have. A node takes them as GraphQL's `Int`. */
export const heightForm: WholeNumberForm = { min: 1, max: 2_147_483_647 }

/** Numbers of 32 bits: nonces and slots. */
export const max32Bits = 4_294_967_295
