// Memos: text on their way in, base58check in every answer.
import { WireError } from '../upstream/errors.ts'
import { encodeBase58Check } from './base58check.ts'

const memoVersion = 0x14
const bytesTag = 0x01
/** Bytes of UTF-8 that a memo holds at most. */
export const maxMemoBytes = 32

/**
 * The memo as a node reports it (upstream facts: version 0x14, tag 1, length, 32 bytes filled up with zeros).
 *
 * @throws WireError for text that no memo can hold
 */
export function memoFromText(text: string): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > maxMemoBytes) throw new WireError('unreadable', `a memo of ${bytes.length} bytes`)
  const payload = new Uint8Array(3 + maxMemoBytes)
  payload.set([memoVersion, bytesTag, bytes.length, ...bytes])
  return encodeBase58Check(payload)
}
