// Servers that answer with exact bytes, or break their connections in exact places, and questions to put to them.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'
import { createTransport, type HttpRequest } from '../../../../functions/runtime/upstreams/transport.ts'
import { untilTestEnds } from '../../../serving.ts'

/** Whatever an upstream can do to a connection that has brought a whole request. */
export type RawAnswer = (socket: Socket, request: string) => unknown

export interface RawServer {
  readonly port: number
  /** Of its GraphQL port, over plain HTTP. */
  readonly url: string
  /** Each connection so far. */
  readonly connections: readonly Socket[]
  /** Each whole request so far, as it came. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

interface RawOptions {
  /** Called as a connection comes, before its first request. */
  readonly onConnection?: (socket: Socket) => unknown
}

/** The first whole request in what a connection has brought; undefined where it is not whole yet. */
function firstRequest(received: string): string | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const length = Number(/^content-length: (\d+)/im.exec(received.slice(0, headEnd))?.[1] ?? 0)
  const end = headEnd + 4 + length
  return received.length < end ? undefined : received.slice(0, end)
}

export async function rawServer(answer: RawAnswer, { onConnection }: RawOptions = {}): Promise<RawServer> {
  const connections: Socket[] = []
  const requests: string[] = []
  const server = createServer((socket) => {
    connections.push(socket)
    // A client that gives up on an answer resets its connection.
    socket.on('error', () => undefined)
    onConnection?.(socket)
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
      const request = firstRequest(received)
      if (request === undefined) return
      received = received.slice(request.length)
      requests.push(request)
      answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/graphql`,
    connections,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of connections) socket.destroy()
      }),
  }
}

/** As small as with brotli's own default, which takes ten times as long. */
export const brotli = (bytes: Uint8Array): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

/** An answer's bytes, its length among the headers. */
export function httpAnswer(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  const bytes = Buffer.from(body)
  const lines = Object.entries({ 'content-length': String(bytes.byteLength), ...headers })
  const head = [`HTTP/1.1 ${status} Status`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes])
}

/** Closed when the test ends. */
export const serving = (...given: Parameters<typeof rawServer>): Promise<RawServer> =>
  rawServer(...given).then(untilTestEnds)

export const question = (url: string, changes: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"query":"query q {hash}"}',
  signal: AbortSignal.timeout(20_000),
  ...changes,
})

/** Asks a server that does just this. */
export const askOne = async (answer: RawAnswer, changes?: Partial<HttpRequest>) =>
  createTransport()(question((await serving(answer)).url, changes))

export const sends =
  (bytes: string | Buffer): RawAnswer =>
  (socket) =>
    socket.write(bytes)
