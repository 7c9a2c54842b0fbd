// Lambda limits the size of an answer. Blocks and histories may exceed it: their length depends on others.
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { WireError } from '../../shared/upstream/errors.ts'

/** Bytes of a response as JSON, with its body as a string; Lambda turns a longer one into an error. */
export const maxResponseBytes = 6 * 1024 * 1024

/** In the JSON of the response. */
const maxBytesOfCharacter = 3

/**
 * @param response with its body, if it has one
 * @throws WireError `busy`, with public text, for a response that Lambda would not pass on
 */
export function requireSendable(response: { readonly body?: string | undefined }, { query }: Endpoint): void {
  const { body = '' } = response
  if (body.length * maxBytesOfCharacter <= maxResponseBytes) return
  const bytes = Buffer.byteLength(JSON.stringify(response))
  if (bytes <= maxResponseBytes) return
  const canBeLess = query !== undefined && 'limit' in query.options
  const publicText = `The answer is longer than can be sent.${canBeLess ? ' Ask for fewer, by a smaller limit.' : ''}`
  throw new WireError('busy', `a response of ${bytes} bytes`, { publicText })
}
