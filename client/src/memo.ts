// A memo as the chain shows it. The SHA-256 of its checksum stands here because `crypto.subtle` is missing from pages without
// TLS and from some runtimes, and because the client has no dependency.

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const maxBytes = 32

/** Characters of a memo on the chain; more would only take time. */
const memoLength = 53

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

const primes: number[] = []
for (let number = 2; primes.length < 64; number++) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number)
}

/** SHA-256 (FIPS 180-4) of at most 55 bytes, which fill one block. */
function sha256(message: readonly number[]): readonly number[] {
  // The standard's constants: the first 32 bits of the fractions of the roots of the first 64 primes.
  const constants = primes.map((prime) => (Math.cbrt(prime) * 2 ** 32) | 0)
  const initial = primes.slice(0, 8).map((prime) => (Math.sqrt(prime) * 2 ** 32) | 0)
  const words = new Array<number>(64).fill(0)
  const at = (index: number) => words[index] ?? 0
  for (const [index, byte] of [...message, 0x80].entries()) {
    words[index >> 2] = at(index >> 2) | (byte << (24 - 8 * (index % 4)))
  }
  words[15] = 8 * message.length
  let state = initial
  for (const [index, constant] of constants.entries()) {
    const [early, late] = [at(index - 15), at(index - 2)]
    const spread = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
    const spreadLate = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
    if (index > 15) words[index] = (at(index - 16) + spread + at(index - 7) + spreadLate) | 0
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    const mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const first = h + mixed + ((e & f) ^ (~e & g)) + constant + at(index)
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    state = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  return state.flatMap((word, index) => {
    const sum = word + (initial[index] ?? 0)
    return [24, 16, 8, 0].map((bits) => (sum >> bits) & 255)
  })
}

/**
 * A signed memo in the chain's form: base58check of version 0x14, the tag 1 of a text, its length, and 32 bytes.
 *
 * @throws RangeError past 32 bytes of UTF-8, which no chain takes
 */
export function memoOnChain(text: string): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > maxBytes) throw new RangeError(`a memo has at most ${maxBytes} bytes, this one ${bytes.length}`)
  const padding = new Array<number>(maxBytes - bytes.length).fill(0)
  const payload = [0x14, 1, bytes.length, ...bytes, ...padding]
  const checksum = sha256(sha256(payload)).slice(0, 4)
  let digits = ''
  let left = [...payload, ...checksum].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  for (; left > 0n; left /= 58n) digits = alphabet[Number(left % 58n)] + digits
  return digits
}

/**
 * The text of a memo as the chain shows it, such as a command's `memo`.
 *
 * @returns undefined if the memo holds bytes that are not text, or the argument is not a valid memo
 * @example
 * memoText('E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH') // ''
 */
export function memoText(memo: string): string | undefined {
  let number = 0n
  for (const digit of memo.slice(0, memoLength)) number = number * 58n + BigInt(alphabet.indexOf(digit))
  const bytes: number[] = []
  for (; number > 0n; number >>= 8n) bytes.unshift(Number(number & 255n))
  const [, , length = 0] = bytes
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes.slice(3, 3 + length)))
  // Checksum, padding and UTF-8 are right where the text makes the same memo.
  return length <= maxBytes && new TextEncoder().encode(text).length <= maxBytes && memoOnChain(text) === memo
    ? text
    : undefined
}
