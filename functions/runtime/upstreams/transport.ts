// One HTTP request and its answer, over Node's own client. The built-in fetch refuses some statuses, repeats others by
// itself, and an answer in six content codings makes it end the process.
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { memberOf } from '../../../shared/mapping/json.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { type ConnectionOptions, type Connections, connectionsByProtocol, maxIdleMs } from './connections.ts'

export interface HttpRequest {
  /** http or https. */
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For what must not be sent twice: no connection that may have died while it idled. */
  readonly onFreshConnection?: boolean
  /** Ends the exchange and its connection. */
  readonly signal: AbortSignal
  /**
   * Called when the answer begins.
   *
   * @param answerMs milliseconds since the request had been sent, over a connection that was open by then
   */
  readonly onAnswer?: ((answerMs: number) => void) | undefined
}

export interface HttpAnswer {
  /** Any but 1xx and 3xx. */
  readonly status: number
  /** The whole body. */
  readonly text: string
}

/**
 * Sends exactly one request and reads its answer.
 *
 * @throws WireError `timeout` when the signal ended it; `unreachable` when there was no connection, or it broke before
 *   the answer was complete; `unreadable` for an answer that is too large, no HTTP, a redirect, or coded in an unknown way
 */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>

/** A connection that idled for less is hardly ever dead. */
const freshMs = 2000

/** AWS's managed firewall rules refuse requests without a user agent. */
const defaultHeaders = { 'user-agent': 'chain-explorer-rest-service', 'accept-encoding': 'gzip, br' }

const ignore = () => undefined

/** A name with several addresses fails with one error for each. */
function describe(error: unknown): string {
  const each = memberOf(error, 'errors')
  if (Array.isArray(each)) return each.map(describe).join(', ')
  const message = memberOf(error, 'message')
  return typeof message === 'string' ? message : String(error)
}

/** True if it failed before there was a connection. */
function isUnsent(error: unknown): boolean {
  const each = memberOf(error, 'errors')
  if (Array.isArray(each)) return each.length > 0 && each.every(isUnsent)
  return ['connect', 'getaddrinfo'].includes(String(memberOf(error, 'syscall')))
}

const isNoHttp = (error: unknown): boolean => String(memberOf(error, 'code')).startsWith('HPE_')

/** Ten full blocks are about 1 MB. */
const maxAnswerBytes = 8 * 1024 * 1024

type Decoder = 'gunzip' | 'brotliDecompress'

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', 'gunzip'],
  ['x-gzip', 'gunzip'],
  ['br', 'brotliDecompress'],
])

const tooLarge = () => new WireError('unreadable', `answer of more than ${maxAnswerBytes} bytes`)

async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > maxAnswerBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** The decoder of an answer's coding; undefined if it is not encoded. */
function decoderOf({ headers }: IncomingMessage): Decoder | undefined {
  const codings = (headers['content-encoding'] ?? '').toLowerCase().split(',')
  const [coding, ...others] = codings.map((each) => each.trim()).filter((each) => each !== '')
  if (coding === undefined) return undefined
  const decoder = decoders.get(coding)
  // Stacked codings are never asked for, and each would multiply what a small answer can cost.
  if (others.length > 0 || (decoder === undefined && coding !== 'identity')) {
    const count = 1 + others.length
    throw new WireError('unreadable', `answer in ${count} content codings, the first one ${coding.slice(0, 20)}`)
  }
  return decoder
}

async function inflated(bytes: Buffer, decoder: Decoder | undefined): Promise<Buffer> {
  if (decoder === undefined || bytes.byteLength === 0) return bytes
  try {
    // Loaded with the first answer that needs it: most nodes send plain text. Not a stream: an error inside can only fail
    // this call, never end the process.
    const decode = promisify<Buffer, { maxOutputLength: number }, Buffer>(
      process.getBuiltinModule('node:zlib')[decoder],
    )
    return await decode(bytes, { maxOutputLength: maxAnswerBytes })
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
async function read(answer: IncomingMessage): Promise<HttpAnswer> {
  const { statusCode: status = 0 } = answer
  try {
    if (status < 200 || (status >= 300 && status < 400)) throw new WireError('unreadable', `HTTP ${status}`)
    const decoder = decoderOf(answer)
    // The text decoder drops a byte order mark.
    return { status, text: new TextDecoder().decode(await inflated(await bytesOf(answer), decoder)) }
  } catch (error) {
    answer.destroy()
    throw error
  }
}

function exchange(
  { url, method, headers, body, onFreshConnection = false, signal, onAnswer }: HttpRequest,
  connections: Connections,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { method, headers: { ...defaultHeaders, ...headers, ...length }, signal }
    const request = connections.request(url, options, onFreshConnection ? freshMs : maxIdleMs)
    let answer: IncomingMessage | undefined
    let sentAt = performance.now()
    request
      .on('finish', () => {
        sentAt = performance.now()
      })
      .on('socket', (socket) => {
        // Between two requests there are moments in which Node has no error listener on the socket.
        if (!request.reusedSocket) socket.on('error', ignore)
      })
      .on('response', (response) => {
        answer = response.on('error', ignore)
        onAnswer?.(performance.now() - sentAt)
        read(response).then(resolve, reject)
      })
      .on('upgrade', (_response, socket) => {
        socket.destroy()
        reject(new WireError('unreadable', 'HTTP 101'))
      })
      .on('error', (error) => {
        // An error after a complete answer does not matter.
        if (!answer?.complete) reject(error)
      })
      .on('close', () => {
        if (answer === undefined) reject(new Error('closed without an answer'))
      })
      .end(body)
  })
}

/** A transport with its own connections, kept for up to 30 s, or less if the upstream says so. */
export function createTransport(options: ConnectionOptions = {}): Transport {
  const connectionsFor = connectionsByProtocol(options)
  return async (request) => {
    const connections = connectionsFor(request.url)
    try {
      return await exchange(request, connections)
    } catch (error) {
      if (error instanceof WireError) throw error
      // When one idle connection is dead, the others usually are too: a repeat must not meet the next dead one.
      connections.dropIdle()
      const { aborted, reason } = request.signal
      if (aborted) throw new WireError('timeout', describe(reason), { cause: error })
      throw new WireError(isNoHttp(error) ? 'unreadable' : 'unreachable', describe(error), {
        cause: error,
        isUnsent: isUnsent(error),
      })
    }
  }
}
