// base58check: the text form of Mina's keys and hashes. The payload's first byte is the version, which says what the text
// names.
import { sha256 } from '@noble/hashes/sha2.js'
import {
  base58Alphabet,
  memoForm,
  oldTransactionHashForm,
  publicKeyForm,
  stateHashForm,
  transactionHashForm,
} from '../contract/forms.ts'

const digitOf = new Map([...base58Alphabet].map((character, digit) => [character, digit]))
const checksumLength = 4

const checksum = (payload: Uint8Array): Uint8Array => sha256(sha256(payload)).subarray(0, checksumLength)

function fromBase58(text: string): Uint8Array | undefined {
  const bytes: number[] = []
  for (const character of text) {
    let carry = digitOf.get(character)
    if (carry === undefined) return undefined
    for (let index = 0; index < bytes.length; index++) {
      carry += (bytes[index] ?? 0) * 58
      bytes[index] = carry & 0xff
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff)
  }
  const leadingZeros = text.length - text.replace(/^1+/, '').length
  return Uint8Array.from([...new Array<number>(leadingZeros).fill(0), ...bytes.reverse()])
}

function toBase58(bytes: Uint8Array): string {
  const digits: number[] = []
  for (const byte of bytes) {
    let carry = byte
    for (let index = 0; index < digits.length; index++) {
      carry += (digits[index] ?? 0) << 8
      digits[index] = carry % 58
      carry = (carry / 58) | 0
    }
    for (; carry > 0; carry = (carry / 58) | 0) digits.push(carry % 58)
  }
  const leadingZeros = bytes.findIndex((byte) => byte !== 0)
  let text = '1'.repeat(leadingZeros === -1 ? bytes.length : leadingZeros)
  for (const digit of digits.reverse()) text += base58Alphabet[digit]
  return text
}

/**
 * @param bytes a payload followed by its checksum
 * @returns the payload with its version byte, or undefined if the checksum is wrong
 */
export function payloadOfChecked(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length <= checksumLength) return undefined
  const payload = bytes.subarray(0, -checksumLength)
  const expected = checksum(payload)
  return bytes.subarray(-checksumLength).every((byte, index) => byte === expected[index]) ? payload : undefined
}

/**
 * @param text base58check text; cost grows with the square of its length, so bound it first
 * @returns the payload with its version byte, or undefined when an alphabet or checksum test fails
 */
export function decodeBase58Check(text: string): Uint8Array | undefined {
  const bytes = fromBase58(text)
  return bytes && payloadOfChecked(bytes)
}

/** @param payload version byte first */
export const encodeBase58Check = (payload: Uint8Array): string =>
  toBase58(Uint8Array.from([...payload, ...checksum(payload)]))

function payloadOf(text: string | undefined, length: number, version: readonly number[], payloadLength: number) {
  if (text?.length !== length) return undefined
  const payload = decodeBase58Check(text)
  return payload?.length === payloadLength && version.every((byte, index) => payload[index] === byte)
    ? payload.subarray(version.length)
    : undefined
}

/** Order of the Pallas base field, of which state hashes, the coordinates of keys and the first halves of signatures are elements. */
export const fieldOrder = 28948022309329048855892746252171976963363056481941560715954676764349967630337n

/** The field element in 32 little-endian bytes; undefined for a number that is not below the order. */
function fieldElement(bytes: Uint8Array | undefined): bigint | undefined {
  const number = bytes?.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return number !== undefined && number < fieldOrder ? number : undefined
}

const stateHashElement = (text: string): bigint | undefined =>
  fieldElement(payloadOf(text, stateHashForm.length, [0x10, 0x01], 34))

/** True if the text can be a block's state hash: `3N…`, 52 characters, right checksum, a field element. */
export const isStateHash = (text: string | undefined): text is string =>
  text !== undefined && stateHashElement(text) !== undefined

/**
 * True if the text can be a public key: `B62…`, 55 characters, right checksum, a field element and a parity. The point
 * need not lie on the curve.
 */
export function isPublicKey(text: string | undefined): text is string {
  const bytes = payloadOf(text, publicKeyForm.length, [0xcb, 0x01, 0x01], 36)
  return fieldElement(bytes?.subarray(0, -1)) !== undefined && (bytes?.at(-1) ?? 0) <= 1
}

/**
 * True if the text can be the hash of a command, which may have any 32 bytes: `5J…`, 52 characters, or `Ckp…`, 53
 * characters, and the right checksum.
 */
export const isTransactionHash = (text: string | undefined): text is string =>
  payloadOf(text, transactionHashForm.length, [0x1d, 0x20], 34) !== undefined ||
  payloadOf(text, oldTransactionHashForm.length, [0x12, 0x01, 0x20], 35) !== undefined

/** True if the text can be the memo of a command: `E4…`, 53 characters, right checksum, 35 bytes of version 0x14. */
export const isMemo = (text: string): boolean => payloadOf(text, memoForm.length, [0x14], 35) !== undefined

/**
 * The state hash as a decimal field element, `stateHashField` of the contract: its 32 bytes, little-endian.
 *
 * @returns undefined for a text that is not a state hash
 * @example
 * stateHashField('3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ') // '98845053099891503…'
 */
export const stateHashField = (stateHash: string): string | undefined => stateHashElement(stateHash)?.toString()
