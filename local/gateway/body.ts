// Request bodies: reading within a limit, and their form in an event.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

/**
 * Reads a whole request body.
 *
 * @returns `undefined` as soon as it exceeds `maxBytes`; the rest is discarded
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced <= maxBytes) {
    // The connection must stay open after an early return, because the answer is sent on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length > maxBytes) break
      chunks.push(chunk)
    }
  }
  if (Math.max(announced, length) <= maxBytes) return Buffer.concat(chunks)
  request.resume()
  return undefined
}

/** Media types whose bodies API Gateway passes on as text. */
const textual = /^\s*(?:text\/[^;]+|application\/(?:json|javascript|xml|[^;]+\+(?:json|xml)))\s*(?:;|$)/i

/**
 * The event's fields for a body: text for textual content types, base64 for all others and without a content type. Bytes that
 * are not UTF-8 stay bytes, so that the function can say what they are. API Gateway may replace them by U+FFFD.
 */
export function bodyFields(body: Buffer, contentType: string | undefined): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false }
  return contentType !== undefined && textual.test(contentType) && isUtf8(body)
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true }
}
