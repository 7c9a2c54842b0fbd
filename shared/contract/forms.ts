// The forms of texts that name something: Mina's keys and hashes, checked without the checksum, and whole numbers as
// decimal digits. Plain syntax, since this also runs in a CloudFront Function.

/** In the order of the digits' values. */
export const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Every text of one kind has this length and begins with this prefix, which follows from its version bytes. */
export interface Base58Form {
  readonly length: number
  readonly prefix: string
}

export const stateHashForm: Base58Form = { length: 52, prefix: '3N' }
export const transactionHashForm: Base58Form = { length: 52, prefix: '5J' }
/** Of commands from before the Berkeley fork of June 2024. */
export const oldTransactionHashForm: Base58Form = { length: 53, prefix: 'Ckp' }
export const publicKeyForm: Base58Form = { length: 55, prefix: 'B62q' }

/** The memo of a command: 35 bytes that begin with 0x14. */
export const memoForm: Base58Form = { length: 53, prefix: 'E4' }

const notBase58 = /[^1-9A-HJ-NP-Za-km-z]/

/** True if a text has the form: its length, its prefix and the alphabet. The checksum is not checked. */
export const hasForm = (text: string, form: Base58Form): boolean =>
  text.length === form.length && text.slice(0, form.prefix.length) === form.prefix && !notBase58.test(text)

/** The form as a pattern, for people and generated clients. */
export const patternOf = (form: Base58Form): string =>
  `^${form.prefix}[1-9A-HJ-NP-Za-km-z]{${form.length - form.prefix.length}}$`

/** Including leading zeros. Thousands of them would take CloudFront too long. */
const maxDigits = 32

const notDigits = /[^0-9]/

/**
 * The number that a text means, which may have leading zeros.
 *
 * @param text at most 32 digits
 * @returns undefined for any other text; beyond 2^53 the nearest number
 */
export const wholeNumberFrom = (text: string): number | undefined =>
  text === '' || text.length > maxDigits || notDigits.test(text) ? undefined : Number(text)

/** The greatest amount and fee that a command can have, in nanomina: 64 bits. */
export const maxNanomina = '18446744073709551615'

/**
 * An amount in nanomina, which a JavaScript number may not hold, as digits without leading zeros.
 *
 * @param text at most 32 digits
 * @returns undefined for any other text, and for an amount of more than 64 bits
 */
export function nanominaFrom(text: string): string | undefined {
  if (wholeNumberFrom(text) === undefined) return undefined
  let start = 0
  while (start < text.length - 1 && text.charAt(start) === '0') start += 1
  const digits = text.slice(start)
  const isShorter = digits.length < maxNanomina.length
  // Texts of one length are ordered like their numbers.
  return isShorter || (digits.length === maxNanomina.length && digits <= maxNanomina) ? digits : undefined
}

/** The form of a whole number: digits without a sign and without leading zeros. */
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

/** A block as a cursor names it. */
export interface CursorBlock {
  readonly height: number
  readonly stateHash: string
}

/** Public text of the 409 for a cursor whose block the chain has replaced. */
export const cursorReplaced = 'The block of this cursor is not canonical any more.'

/** The form of a cursor. */
export interface CursorForm {
  readonly cursor: true
}

/** The block that a cursor `HEIGHT-STATEHASH` names, its checksum unchecked; undefined for any other text. */
export function cursorFrom(text: string): CursorBlock | undefined {
  const hyphen = text.indexOf('-')
  const height = canonicalNumberFrom(text.slice(0, Math.max(0, hyphen)), heightForm)
  const stateHash = text.slice(hyphen + 1)
  return height !== undefined && hasForm(stateHash, stateHashForm) ? { height, stateHash } : undefined
}
