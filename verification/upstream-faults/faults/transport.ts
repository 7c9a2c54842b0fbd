// Faults below HTTP: what becomes of the connection and of the bytes on it.
import { gzipSync } from 'node:zlib'
import { cut, type Fault, type Sending, sendsBytes, type TrueExchange, type Upstream } from '../fault.ts'

const head = (lines: readonly string[] = []): string =>
  ['HTTP/1.1 200 OK', 'content-type: application/json', 'connection: close', ...lines, '', ''].join('\r\n')

const bytes =
  (make: (body: string) => string | Uint8Array, delivered?: 'whole') =>
  ({ text }: TrueExchange): Sending =>
    sendsBytes(make(text), delivered === undefined ? cut : { state: 'answer', status: 200, text })

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const whole = 'whole'

const onSocket =
  (act: (response: Parameters<Sending['send']>[0], text: string) => unknown) =>
  ({ text }: TrueExchange): Sending => ({ delivered: cut, send: (response) => void act(response, text) })

/** What comes to the service is `cut` unless a row says that the answer is `whole`. */
const rows: readonly (readonly [name: string, sending: (exchange: TrueExchange) => Sending])[] = [
  ['closes the connection without a word', onSocket((response) => response.socket?.destroy())],
  ['resets the connection', onSocket((response) => response.socket?.resetAndDestroy())],
  [
    'resets in the middle of the body',
    onSocket((response, text) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) })
      response.write(text.slice(0, text.length / 2), () => response.socket?.resetAndDestroy())
    }),
  ],
  ['ends in the middle of the head', bytes(() => 'HTTP/1.1 200 OK\r\ncontent-ty')],
  [
    'ends in the middle of the body',
    bytes((body) => `${head([`content-length: ${body.length}`])}${body.slice(0, 20)}`),
  ],
  ['promises more bytes than come', bytes((body) => `${head(['content-length: 9999999'])}${body}`)],
  ['ends in the middle of a chunk', bytes((body) => `${head(['transfer-encoding: chunked'])}fffff\r\n${body}`)],
  ['sends no last chunk', bytes((body) => `${head(['transfer-encoding: chunked'])}${chunk(body)}`)],
  ['sends a chunk size that is no number', bytes((body) => `${head(['transfer-encoding: chunked'])}zz\r\n${body}`)],
  ['speaks no HTTP', bytes(() => 'SSH-2.0-OpenSSH_9.6\r\n')],
  ['speaks HTTP of another age', bytes((body) => `HTTP/9.9 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)],
  ['sends a status of five digits', bytes((body) => `HTTP/1.1 20000 OK\r\n\r\n${body}`)],
  ['sends two different lengths', bytes((body) => `${head(['content-length: 5', 'content-length: 6'])}${body}`)],
  ['sends a negative length', bytes((body) => `${head(['content-length: -1'])}${body}`)],
  ['sends a null byte in a header', bytes((body) => `${head(['x-a: \0'])}${body}`)],
  ['sends a header of 200 KB', bytes((body) => `${head([`x-a: ${'a'.repeat(200_000)}`])}${body}`)],
  [
    'names six codings and cuts the body',
    bytes((body) => `${head(['content-encoding: gzip, gzip, gzip, gzip, gzip, gzip', 'content-length: 9999'])}${body}`),
  ],
  ['names six codings', bytes((body) => `${head(['content-encoding: gzip, gzip, gzip, gzip, gzip, gzip'])}${body}`)],
  [
    'cuts a gzip body',
    bytes((body) => Buffer.concat([Buffer.from(head(['content-encoding: gzip'])), gzipSync(body).subarray(0, 30)])),
  ],
  ['calls plain text gzip', bytes((body) => `${head(['content-encoding: gzip'])}${body}`)],
  ['calls plain text brotli', bytes((body) => `${head(['content-encoding: br'])}${body}`)],
  ['calls plain text deflate', bytes((body) => `${head(['content-encoding: deflate'])}${body}`)],
  [
    'announces 101',
    bytes(() => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['sends an informational 103 first', bytes((body) => `HTTP/1.1 103 Early Hints\r\n\r\n${head()}${body}`, whole)],
  ['sends no length and ends', bytes((body) => `${head()}${body}`, whole)],
  [
    'sends chunks of one byte with trailers',
    bytes(
      (body) =>
        `${head(['transfer-encoding: chunked'])}${chunk(body.slice(0, 1))}${chunk(body.slice(1))}0\r\nx-sum: 1\r\n\r\n`,
      whole,
    ),
  ],
]

export const transportFaults = (upstream: Upstream): readonly Fault[] => [
  ...rows.map(
    ([name, sending]): Fault => ({
      name: `${upstream} ${name}`,
      kind: 'transport',
      upstream,
      hits: () => true,
      sending,
    }),
  ),
  {
    name: `${upstream} is never reached`,
    kind: 'transport',
    upstream,
    hits: () => true,
    isQuestionLost: true,
    sending: onSocket((response) => response.socket?.resetAndDestroy()),
  },
  {
    name: `${upstream} hangs`,
    kind: 'transport',
    upstream,
    hits: () => true,
    sending: () => ({ delivered: { state: 'time-out' }, send: () => undefined }),
  },
  {
    name: `${upstream} hangs in the middle of the body`,
    kind: 'transport',
    upstream,
    hits: () => true,
    sending: ({ text }) => ({
      delivered: { state: 'time-out' },
      send: (response) => void response.writeHead(200).write(text.slice(0, text.length / 2)),
    }),
  },
]
