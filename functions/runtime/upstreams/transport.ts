// One HTTP request and its answer, over Node's own client. The built-in fetch refuses some statuses, repeats others by
// itself, and an answer in six content codings makes it end the process.
import { type AgentOptions, Agent as HttpAgent, type IncomingMessage, request as requestOverHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https'
import { memberOf } from '../../../shared/mapping/json.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { acceptedCodings, decodedText } from './answer-body.ts'

export interface HttpRequest {
  /** http or https. */
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the exchange and its connection. */
  readonly signal: AbortSignal
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

/** An idle connection is kept for four seconds, as by the built-in fetch, and shorter where the upstream says so. */
const connections: AgentOptions = { keepAlive: true, timeout: 4000 }

/** AWS's managed firewall rules refuse requests without a user agent. */
const defaultHeaders = { 'user-agent': 'chain-explorer-rest-service', 'accept-encoding': acceptedCodings }

const ignore = () => undefined

function describe(error: unknown): string {
  // A name with several addresses fails with one error for each.
  const each = memberOf(error, 'errors')
  if (Array.isArray(each)) return each.map(describe).join(', ')
  const message = memberOf(error, 'message')
  return typeof message === 'string' ? message : String(error)
}

const isNoHttp = (error: unknown): boolean => String(memberOf(error, 'code')).startsWith('HPE_')

async function read(answer: IncomingMessage): Promise<HttpAnswer> {
  const { statusCode: status = 0 } = answer
  try {
    if (status < 200 || (status >= 300 && status < 400)) throw new WireError('unreadable', `HTTP ${status}`)
    return { status, text: await decodedText(answer) }
  } catch (error) {
    answer.destroy()
    throw error
  }
}

type Agent = HttpAgent | HttpsAgent

function exchange({ url, method, headers, body, signal }: HttpRequest, agent: Agent): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const start = agent instanceof HttpsAgent ? requestOverHttps : requestOverHttp
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const request = start(url, { agent, method, headers: { ...defaultHeaders, ...headers, ...length }, signal })
    let answer: IncomingMessage | undefined
    request
      .on('socket', (socket) => {
        // Between two requests there are moments in which Node has no error listener on the socket.
        if (!request.reusedSocket) socket.on('error', ignore)
      })
      .on('response', (response) => {
        answer = response.on('error', ignore)
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

/** When one idle connection is dead, the others usually are too: a repeat must not meet the next dead one. */
function dropIdleConnections({ freeSockets }: Agent): void {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy()
}

/** A transport with connections of its own, each kept for the next request. */
export function createTransport(): Transport {
  const plain = new HttpAgent(connections)
  const encrypted = new HttpsAgent(connections)
  return async (request) => {
    const agent = request.url.startsWith('https:') ? encrypted : plain
    try {
      return await exchange(request, agent)
    } catch (error) {
      if (error instanceof WireError) throw error
      dropIdleConnections(agent)
      const { aborted, reason } = request.signal
      if (aborted) throw new WireError('timeout', describe(reason), { cause: error })
      throw new WireError(isNoHttp(error) ? 'unreadable' : 'unreachable', describe(error), { cause: error })
    }
  }
}
