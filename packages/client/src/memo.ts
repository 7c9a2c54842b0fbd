// A memo as the chain shows it.
import { base58check, bytesOf } from './base58check.ts'

const maxBytes = 32

/**
 * A signed memo in the chain's form: base58check of version 0x14, the tag 1 of a text, its length, and 32 bytes.
 *
 * @throws RangeError past 32 bytes of UTF-8, which no chain takes
 */
export function memoOnChain(text: string): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > maxBytes) throw new RangeError(`a memo has at most ${maxBytes} bytes`)
  return base58check([0x14, 1, bytes.length, ...bytes, ...new Array<number>(maxBytes - bytes.length).fill(0)])
}

/**
 * The text of a memo as the chain shows it, such as a command's `memo`.
 *
 * @returns undefined if the memo holds bytes that are not text, or the argument is not a valid memo
 * @example
 * memoText('E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH') // ''
 */
export function memoText(memo: string): string | undefined {
  const [, , length = 0, ...bytes] = bytesOf(memo)
  const escaped = bytes.slice(0, length).map((byte) => `%${byte < 16 ? 0 : ''}${byte.toString(16)}`)
  try {
    // Older versions of React Native have no TextDecoder.
    const text = decodeURIComponent(escaped.join(''))
    // Version, length, padding and checksum are right where the text makes the same memo.
    return memoOnChain(text) === memo ? text : undefined
  } catch {
    return undefined
  }
}
