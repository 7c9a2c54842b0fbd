// The text of a body, from the bytes or the text that API Gateway hands over.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { maxBodyBytes } from '../../shared/deployment/settings.ts'
import { memberOf } from '../../shared/mapping/exact-json.ts'
import { ApiError } from '../../shared/upstream/errors.ts'

const tooLarge = (inside = ''): ApiError => new ApiError(400, `body must have at most ${maxBodyBytes} bytes${inside}`)

const hasPrefix = (bytes: Buffer, ...prefix: readonly number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte)

/** Unpacks gzip by its first bytes: API Gateway leaves `content-encoding` on bodies that it has unpacked. */
function unpacked(bytes: Buffer): Buffer {
  if (!hasPrefix(bytes, 0x1f, 0x8b)) return bytes
  try {
    // Loaded here, since few bodies need it.
    return process.getBuiltinModule('node:zlib').gunzipSync(bytes, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    const isLong = memberOf(error, 'code') === 'ERR_BUFFER_TOO_LARGE'
    throw isLong ? tooLarge(' unpacked') : new ApiError(400, 'body begins as gzip does and cannot be unpacked')
  }
}

const replacement = Buffer.from('\uFFFD')

/** The position of the first byte that is not UTF-8; undefined for valid UTF-8. */
function faultyByte(bytes: Buffer, text: string): number | undefined {
  let at = 0
  for (const character of text) {
    const length = Buffer.byteLength(character)
    if (character === '\uFFFD' && !bytes.subarray(at, at + length).equals(replacement)) return at
    at += length
  }
  return undefined
}

function fromUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  const at = faultyByte(bytes, text)
  if (at === undefined) return text
  const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0')
  throw new ApiError(400, `body is not UTF-8: byte 0x${byte} at position ${at}; send UTF-8, uncompressed or as gzip`)
}

function fromUtf16(bytes: Buffer, order: 'little' | 'big'): string {
  const isCut = bytes.length % 2 === 1
  const pairs = bytes.subarray(0, bytes.length - (isCut ? 1 : 0))
  const text = (order === 'little' ? pairs : Buffer.from(pairs).swap16()).toString('utf16le')
  const lone = text.search(/\p{Surrogate}/u)
  if (lone === -1 && !isCut) return text
  const at = lone === -1 ? pairs.length : 2 * lone
  throw new ApiError(400, `body is not UTF-16, as it begins: the bytes from position ${at} stand for no character`)
}

/**
 * Decodes the bytes. JSON and XML begin with two ASCII characters or a byte order mark, so the first two bytes tell UTF-16.
 * The declared charset is ignored: libraries declare Latin-1 or UTF-16, and send UTF-8.
 */
function decoded(bytes: Buffer): string {
  if (hasPrefix(bytes, 0xff, 0xfe)) return fromUtf16(bytes, 'little')
  if (hasPrefix(bytes, 0xfe, 0xff)) return fromUtf16(bytes, 'big')
  if (bytes[0] === 0 && bytes.length > 1) return fromUtf16(bytes, 'big')
  if (bytes[1] === 0) return fromUtf16(bytes, 'little')
  return fromUtf8(bytes)
}

/**
 * Reads the body as text, without a byte order mark. Gzip and UTF-16 can be read only if the gateway hands over bytes. In a
 * text from the gateway, U+FFFD may have been sent, or may stand for bytes that were not UTF-8.
 *
 * @returns an empty text for no body
 * @throws ApiError 400 for more than 16 KB, packed or unpacked, and with the position of the first byte that is not text
 */
export function bodyText({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string {
  if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) throw tooLarge()
  const text = isBase64Encoded ? decoded(unpacked(Buffer.from(body, 'base64'))) : body
  return text.replace(/^\uFEFF/, '')
}
