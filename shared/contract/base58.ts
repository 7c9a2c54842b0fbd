// The form of Mina's keys and hashes, checked without the checksum. Plain syntax, since this also runs in a CloudFront
// Function.

/** In the order of the digits' values. */
export const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Every text of one kind has this length and begins with this prefix, which follows from its version bytes. */
export interface Base58Form {
  readonly length: number
  readonly prefix: string
}

export const stateHashForm: Base58Form = { length: 52, prefix: '3N' }
export const transactionHashForm: Base58Form = { length: 52, prefix: '5J' }
/** Of commands before the Berkeley fork of June 2024. */
export const oldTransactionHashForm: Base58Form = { length: 53, prefix: 'Ckp' }
export const publicKeyForm: Base58Form = { length: 55, prefix: 'B62q' }

const notBase58 = /[^1-9A-HJ-NP-Za-km-z]/

/** True if a text has the form: its length, its prefix and the alphabet. The checksum is not checked. */
export const hasForm = (text: string, form: Base58Form): boolean =>
  text.length === form.length && text.slice(0, form.prefix.length) === form.prefix && !notBase58.test(text)
