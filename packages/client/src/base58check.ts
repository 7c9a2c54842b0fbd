// Base58check, as keys and memos have it. The SHA-256 of its checksum stands here because `crypto.subtle` is missing from pages
// without TLS and from some runtimes, and because the client has no dependency.

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Keys have 55 characters and memos 53; more would only take time. */
const maxLength = 56

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

const primes: number[] = []
for (let number = 2; primes.length < 64; number++) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number)
}

type State = [number, number, number, number, number, number, number, number]

/** SHA-256 (FIPS 180-4) of at most 55 bytes, which fill one block. */
function sha256(message: readonly number[]): readonly number[] {
  // The standard's constants: the first 32 bits of the fractions of the roots of the first 64 primes.
  const initial = primes.slice(0, 8).map((prime) => (Math.sqrt(prime) * 2 ** 32) | 0)
  const bytes = new Uint8Array(256)
  const words = new DataView(bytes.buffer)
  const at = (index: number) => words.getInt32(4 * index)
  bytes.set([...message, 0x80])
  words.setInt32(60, 8 * message.length)
  let state = initial as State
  for (const [index, prime] of primes.entries()) {
    if (index > 15) {
      const [early, late] = [at(index - 15), at(index - 2)]
      const spread = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
      const spreadLate = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
      words.setInt32(4 * index, at(index - 16) + spread + at(index - 7) + spreadLate)
    }
    const [a, b, c, d, e, f, g, h] = state
    const mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const constant = (Math.cbrt(prime) * 2 ** 32) | 0
    const first = h + mixed + ((e & f) ^ (~e & g)) + constant + at(index)
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    state = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  for (const [index, word] of state.entries()) words.setInt32(4 * index, word + (initial[index] ?? 0))
  return [...bytes.slice(0, 32)]
}

/** @param payload version and content, at most 55 bytes */
export function base58check(payload: readonly number[]): string {
  const checksum = sha256(sha256(payload)).slice(0, 4)
  let digits = ''
  let left = [...payload, ...checksum].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  for (; left > 0n; left /= 58n) digits = alphabet[Number(left % 58n)] + digits
  return digits
}

/** Payload and checksum, which is not compared: `base58check` of the payload gives the same text where it is right. */
export function bytesOf(text: string): readonly number[] {
  let number = 0n
  for (const digit of text.slice(0, maxLength)) number = number * 58n + BigInt(alphabet.indexOf(digit))
  const bytes: number[] = []
  for (; number > 0n; number >>= 8n) bytes.unshift(Number(number & 255n))
  return bytes
}

/** Bytes of a public key without its checksum: its version, two tags, the coordinate x, and the sign of y. */
const keyBytes = 36

/**
 * True for a public key whose checksum is right: the service has no other answer to a typo than to a key without an account.
 *
 * @example
 * if (!isPublicKey(text)) alert('This is not an address.')
 */
export function isPublicKey(text: string): boolean {
  const payload = bytesOf(text).slice(0, keyBytes)
  const [version, tag, innerTag] = payload
  return payload.length === keyBytes && version === 0xcb && tag === 1 && innerTag === 1 && base58check(payload) === text
}
