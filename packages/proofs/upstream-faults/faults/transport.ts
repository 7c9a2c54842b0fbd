// Faults below HTTP: in the connection and in the bytes on it.
import { gzipSync } from 'node:zlib'
import { cut, type Delivered, type Fault, faultsOf, type Row, type Sending, type Upstream } from '../fault.ts'

type Response = Parameters<Sending['send']>[0]

const onSocket = (name: string, act: (response: Response, text: string) => unknown, delivered = cut): Row => [
  name,
  ({ text }) => ({ delivered, send: (response) => void act(response, text) }),
]

/** Bytes past the HTTP server, after which the connection ends. */
function sendBytes({ socket }: Response, bytes: string | Uint8Array): void {
  socket?.write(bytes, () => socket.end())
}

const head = (...lines: readonly string[]): string =>
  ['HTTP/1.1 200 OK', 'content-type: application/json', 'connection: close', ...lines, '', ''].join('\r\n')

/** An answer that a client cannot use. */
const broken = (name: string, make: (body: string) => string | Uint8Array): Row =>
  onSocket(name, (response, text) => sendBytes(response, make(text)))

/** The body behind a head with these lines, which make it unusable. */
const headed = (name: string, ...lines: readonly string[]): Row => broken(name, (body) => head(...lines) + body)

/** An unusual answer that a client can use. */
const whole = (name: string, make: (body: string) => string): Row => [
  name,
  ({ text }) => ({
    delivered: { state: 'answer', status: 200, text },
    send: (response) => sendBytes(response, make(text)),
  }),
]

const chunked = 'transfer-encoding: chunked'
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const sixCodings = 'content-encoding: gzip, gzip, gzip, gzip, gzip, gzip'
const timeOut: Delivered = { state: 'time-out' }

const rows: readonly Row[] = [
  onSocket('closes the connection without a word', ({ socket }) => socket?.destroy()),
  onSocket('resets the connection', ({ socket }) => socket?.resetAndDestroy()),
  onSocket('resets in the middle of the body', (response, text) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(text) })
    response.write(text.slice(0, text.length / 2), () => response.socket?.resetAndDestroy())
  }),
  broken('ends in the middle of the head', () => 'HTTP/1.1 200 OK\r\ncontent-ty'),
  broken('ends in the middle of the body', (body) => head(`content-length: ${body.length}`) + body.slice(0, 20)),
  headed('promises more bytes than come', 'content-length: 9999999'),
  broken('ends in the middle of a chunk', (body) => `${head(chunked)}fffff\r\n${body}`),
  broken('sends no last chunk', (body) => head(chunked) + chunk(body)),
  broken('sends a chunk size that is not a number', (body) => `${head(chunked)}zz\r\n${body}`),
  broken('does not speak HTTP', () => 'SSH-2.0-OpenSSH_9.6\r\n'),
  broken('speaks HTTP 9.9', (body) => `HTTP/9.9 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
  broken('sends a status of five digits', (body) => `HTTP/1.1 20000 OK\r\n\r\n${body}`),
  headed('sends two different lengths', 'content-length: 5', 'content-length: 6'),
  headed('sends a negative length', 'content-length: -1'),
  headed('sends a null byte in a header', 'x-a: \0'),
  headed('sends a header of 200 KB', `x-a: ${'a'.repeat(200_000)}`),
  headed('names six codings and cuts the body', sixCodings, 'content-length: 9999'),
  headed('names six codings', sixCodings),
  broken('cuts a gzip body', (body) =>
    Buffer.concat([Buffer.from(head('content-encoding: gzip')), gzipSync(body).subarray(0, 30)]),
  ),
  headed('calls plain text gzip', 'content-encoding: gzip'),
  headed('calls plain text brotli', 'content-encoding: br'),
  headed('calls plain text deflate', 'content-encoding: deflate'),
  broken(
    'announces 101',
    () => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  ),
  whole('sends an informational 103 first', (body) => `HTTP/1.1 103 Early Hints\r\n\r\n${head()}${body}`),
  whole('sends no length and ends', (body) => head() + body),
  whole(
    'sends chunks of one byte with trailers',
    (body) => `${head(chunked)}${chunk(body.slice(0, 1))}${chunk(body.slice(1))}0\r\nx-sum: 1\r\n\r\n`,
  ),
  [
    'is never reached',
    () => ({ delivered: cut, send: ({ socket }) => void socket?.resetAndDestroy() }),
    { isQuestionLost: true },
  ],
  onSocket('hangs', () => undefined, timeOut),
  onSocket(
    'hangs in the middle of the body',
    (response, text) => response.writeHead(200).write(text.slice(0, text.length / 2)),
    timeOut,
  ),
]

export const transportFaults = (upstream: Upstream): readonly Fault[] => faultsOf('transport', upstream, rows)
