// Memos: text on their way in, base58check in every answer.
import { WireError } from '../upstream/errors.ts'
import { encodeBase58Check } from './base58check.ts'

const memoVersion = 0x14
const bytesTag = 0x01
/** The maximum length of a memo in UTF-8. */
export const maxMemoBytes = 32

/**
 * The memo as a node reports it: base58check of version 0x14, tag 1, length, and 32 bytes padded with zeros.
 *
 * @throws WireError for text longer than a memo
 * @example
 * memoFromText('Payment Transfer') // 'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL'
 */
export function memoFromText(text: string): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > maxMemoBytes) throw new WireError('unreadable', `a memo of ${bytes.length} bytes`)
  const payload = new Uint8Array(3 + maxMemoBytes)
  payload.set([memoVersion, bytesTag, bytes.length, ...bytes])
  return encodeBase58Check(payload)
}
