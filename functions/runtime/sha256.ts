import { sha256 as shortSha256 } from '@noble/hashes/sha2.js'

/** Below this length, hashing in JavaScript takes less time than loading Node's hash. */
const longBytes = 4096

/**
 * SHA-256 of a text in UTF-8. Node's own is loaded for long texts only: loading it is a twelfth of a cold start.
 *
 * @returns 32 bytes
 */
export function sha256(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return bytes.length < longBytes
    ? shortSha256(bytes)
    : process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'buffer')
}
