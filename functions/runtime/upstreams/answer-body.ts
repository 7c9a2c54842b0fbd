// The body of an HTTP answer as text: one content coding at most, bounded in size as it comes and once it is decoded.
import type { IncomingMessage } from 'node:http'
import { WireError } from '../../../shared/upstream/errors.ts'

/** Ten full blocks are about 1 MB. */
const largestAnswerBytes = 8 * 1024 * 1024

/** The codings that `decodedText` reads besides `identity`, for the header `accept-encoding`. */
export const acceptedCodings = 'gzip, br'

type Decoder = 'gunzip' | 'brotliDecompress'

type Decode = (
  bytes: Buffer,
  limits: { readonly maxOutputLength: number },
  done: (error: Error | null, result: Buffer) => void,
) => void

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', 'gunzip'],
  ['x-gzip', 'gunzip'],
  ['br', 'brotliDecompress'],
])

/** Loads the decoders with the first answer that needs one: most nodes send plain text. */
const decoded = (bytes: Buffer, decoder: Decoder): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const decode: Decode = process.getBuiltinModule('node:zlib')[decoder]
    decode(bytes, { maxOutputLength: largestAnswerBytes }, (error, result) => {
      if (error === null) resolve(result)
      else reject(error)
    })
  })

const tooLarge = () => new WireError('unreadable', `answer of more than ${largestAnswerBytes} bytes`)

async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > largestAnswerBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** The decoder of an answer's coding; undefined if it is not encoded. */
function decoderOf({ headers }: IncomingMessage): Decoder | undefined {
  const codings = (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '')
  const [coding, ...others] = codings
  if (coding === undefined) return undefined
  const decoder = decoders.get(coding)
  // Stacked codings are never asked for, and each would multiply what a small answer can cost.
  if (others.length > 0 || (decoder === undefined && coding !== 'identity')) {
    throw new WireError(
      'unreadable',
      `answer in ${codings.length} content codings, the first one ${coding.slice(0, 20)}`,
    )
  }
  return decoder
}

async function inflated(bytes: Buffer, decoder: Decoder | undefined): Promise<Buffer> {
  if (decoder === undefined || bytes.byteLength === 0) return bytes
  try {
    // Not a stream: an error inside can only fail this call, never end the process.
    return await decoded(bytes, decoder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new WireError('unreadable', `broken compression: ${message}`, { cause: error })
  }
}

/**
 * Reads an answer to its end. When this throws before that, the answer is destroyed, and its connection with it.
 *
 * @throws WireError `unreadable` for more than 8 MB, compressed or not, for broken compression, and for another content
 *   coding than gzip or br, or more than one; whatever the connection breaks with
 */
export async function decodedText(answer: IncomingMessage): Promise<string> {
  const decoder = decoderOf(answer)
  // Drops a byte order mark.
  return new TextDecoder().decode(await inflated(await bytesOf(answer), decoder))
}
