// One HTTP request and its answer, over Node's own client. The built-in fetch refuses some statuses, repeats requests
// after others, and an answer in six content codings makes it crash the process.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WireError } from '../../../shared/upstream/errors.ts'
import {
  type ConnectionOptions,
  type Connections,
  connectionsByProtocol,
  describe,
  freshMs,
  isNoHttp,
  maxIdleMs,
} from './connections.ts'

export interface HttpRequest {
  /** http or https. */
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For what must not be sent twice: uses no connection that may have died while idle. */
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
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** The whole body. */
  readonly text: string
}

/**
 * Sends exactly one request and reads its answer.
 *
 * @throws WireError `timeout` if the signal aborts the request; `unreachable` if the connection fails or breaks before
 *   the answer is complete; `unreadable` if the answer is too large, not HTTP, a redirect, or in an unknown content
 *   coding
 */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>

/** AWS's managed firewall rules refuse requests without a user agent. */
const defaultHeaders = { 'user-agent': 'chain-explorer-rest-service', 'accept-encoding': 'gzip, br' }

const ignore = () => undefined

/** Ten full blocks are about 1 MB. */
export const maxAnswerBytes = 8 * 1024 * 1024

type Decoder = 'gunzip' | 'brotliDecompress'

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', 'gunzip'],
  ['x-gzip', 'gunzip'],
  ['br', 'brotliDecompress'],
])

const byteOrderMark = /^\ufeff/

const tooLarge = () => new WireError('unreadable', `answer of more than ${maxAnswerBytes} bytes`, { isTooLong: true })

/** By events: `for await` makes a dozen promises and listeners for each answer. */
const bytesOf = (answer: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    answer
      .on('data', (chunk: Buffer) => {
        size += chunk.byteLength
        if (size > maxAnswerBytes) reject(tooLarge())
        else chunks.push(chunk)
      })
      .on('end', () => resolve(Buffer.concat(chunks, size)))
      .on('error', reject)
      .on('close', () => {
        if (!answer.readableEnded) reject(new Error('closed in the middle of an answer'))
      })
  })

/** The decoder of an answer's coding; undefined if it is not encoded. */
function decoderOf({ headers }: IncomingMessage): Decoder | undefined {
  const codings = (headers['content-encoding'] ?? '').toLowerCase().split(',')
  const [coding, ...others] = codings.map((each) => each.trim()).filter((each) => each !== '')
  if (coding === undefined) return undefined
  const decoder = decoders.get(coding)
  // Stacked codings are never asked for, and each would multiply what a small answer can cost.
  if (others.length > 0 || (decoder === undefined && coding !== 'identity')) {
    // Not quoted: it is the upstream's text, and if it were cut inside a key, the key could not be masked.
    throw new WireError('unreadable', `answer in ${1 + others.length} content codings, not in one of gzip and br`)
  }
  return decoder
}

async function inflated(bytes: Buffer, decoder: Decoder | undefined): Promise<Buffer> {
  if (decoder === undefined || bytes.byteLength === 0) return bytes
  try {
    // Loaded with the first answer that needs them: most nodes send plain text. Not a stream: an error inside can only fail
    // this call, never end the process.
    const { promisify } = process.getBuiltinModule('node:util')
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

const maxTargetLength = 200

/** Origin and path of a redirect's target: a user name, a password or a query may be secret. */
function targetOf(location: string | undefined, url: string): string | undefined {
  const target = location === undefined ? null : URL.parse(location, url)
  if (target === null || !['http:', 'https:'].includes(target.protocol)) return undefined
  return (target.origin + target.pathname).slice(0, maxTargetLength)
}

/** The error of a redirect, or of a 304. */
function redirectError(status: number, location: string | undefined, url: string): WireError {
  const target = targetOf(location, url)
  const place = target === undefined ? '' : ` to ${target}`
  return new WireError('unreadable', `HTTP ${status}${place}`, { status })
}

/**
 * Reads an answer to its end. If it throws earlier, the answer and its connection are destroyed.
 *
 * @throws WireError `unreadable` for more than 8 MB, compressed or not, for broken compression, and for another content
 *   coding than gzip or br, or more than one; whatever the connection breaks with
 */
async function read(answer: IncomingMessage, url: string): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = answer
  try {
    if (status < 200) throw new WireError('unreadable', `HTTP ${status}`, { status })
    if (status >= 300 && status < 400) throw redirectError(status, headers.location, url)
    const decoder = decoderOf(answer)
    // TextDecoder takes four times as long for a megabyte.
    const text = String(await inflated(await bytesOf(answer), decoder))
    return { status, headers, text: text.replace(byteOrderMark, '') }
  } catch (error) {
    answer.destroy()
    throw error
  }
}

/** A request's connection. */
interface Connecting {
  /** False until a request can be sent over it. */
  isReady: boolean
  /** Each address of a name that was tried, with its port. */
  readonly tried: string[]
}

/** Follows a connection until it is ready: over TLS, after the handshake. */
function follow(socket: Socket, connecting: Connecting): void {
  const isSecure = 'encrypted' in socket
  const isReady = isSecure ? 'secureConnecting' in socket && !socket.secureConnecting : !socket.connecting
  connecting.isReady = isReady
  if (isReady) return
  socket
    .once(isSecure ? 'secureConnect' : 'connect', () => {
      connecting.isReady = true
    })
    .on('connectionAttempt', (address, port, family) => {
      connecting.tried.push(family === 6 ? `[${address}]:${port}` : `${address}:${port}`)
    })
}

function exchange(
  { url, method, headers, body, onFreshConnection = false, signal, onAnswer }: HttpRequest,
  connections: Connections,
  connecting: Connecting,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { method, headers: { ...defaultHeaders, ...headers, ...length } }
    const request = connections.request(url, options, onFreshConnection ? freshMs : maxIdleMs)
    // Given the signal, Node would watch every event of the request for it.
    const end = () => request.destroy(new Error('ended by its signal'))
    signal.addEventListener('abort', end)
    let answer: IncomingMessage | undefined
    if (onAnswer !== undefined) {
      request.on('finish', () => {
        const sentAt = performance.now()
        request.on('response', () => onAnswer(performance.now() - sentAt))
      })
    }
    request
      .on('socket', (socket) => {
        // Between two requests there are moments in which Node has no error listener on the socket.
        if (!request.reusedSocket) socket.on('error', ignore)
        follow(socket, connecting)
      })
      .on('response', (response) => {
        answer = response.on('error', ignore)
        read(response, url).then(resolve, reject)
      })
      .on('upgrade', (_response, socket) => {
        socket.destroy()
        reject(new WireError('unreadable', 'HTTP 101', { status: 101 }))
      })
      .on('error', (error) => {
        // An error after a complete answer does not matter.
        if (!answer?.complete) reject(error)
      })
      .on('close', () => {
        signal.removeEventListener('abort', end)
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
    const connecting: Connecting = { isReady: false, tried: [] }
    try {
      request.signal.throwIfAborted()
      return await exchange(request, connections, connecting)
    } catch (error) {
      if (error instanceof WireError) throw error
      // When one idle connection is dead, the others usually are too: a repeat must not meet the next dead one.
      connections.dropIdle()
      const { aborted, reason } = request.signal
      const { isReady, tried } = connecting
      const options = { cause: error, isUnsent: !isReady }
      if (aborted) {
        const place = isReady ? '' : `: no connection with ${tried.join(', ') || URL.parse(request.url)?.host}`
        throw new WireError('timeout', `${describe(reason)}${place}`, options)
      }
      const fault = isNoHttp(error) ? 'unreadable' : 'unreachable'
      throw new WireError(fault, describe(error), options)
    }
  }
}
