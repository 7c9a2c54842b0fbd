// Everything that an upstream can do wrong below GraphQL, byte by byte, and what the service calls it.
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { WireFault } from '../../../../shared/upstream/errors.ts'
import { brotli, httpAnswer, type RawAnswer, sends } from './raw-server.ts'

export interface TransportFault {
  readonly does: string
  readonly answer: RawAnswer
  readonly fault: WireFault
}

const json = '{"data":{"hash":"h"}}'
const gzipped = gzipSync(json)

const endsAfter =
  (bytes: string | Buffer): RawAnswer =>
  (socket) =>
    socket.end(bytes)

/** The bytes written before have left by then, so that the client reads them first. */
const resetsAfter =
  (bytes: string | Buffer): RawAnswer =>
  (socket: Socket) =>
    socket.write(bytes, () => socket.resetAndDestroy())

/** Of 9 MB each, when 8 MB are read at most: a thousand and a million times as long once they are inflated. */
const gzipBomb = gzipSync(Buffer.alloc(9 * 1024 * 1024))
const brotliBomb = brotli(Buffer.alloc(9 * 1024 * 1024))

const coded = (coding: string, body: string | Buffer = gzipped, headers: Readonly<Record<string, string>> = {}) =>
  httpAnswer(200, body, { 'content-encoding': coding, ...headers })

const head = (...lines: readonly string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')

const unreadable: readonly (readonly [string, RawAnswer])[] = [
  [
    'names six content codings and cuts the body',
    endsAfter(coded(Array(6).fill('gzip').join(', '), gzipped, { 'content-length': '999' })),
  ],
  [
    'names six content codings, a header each, and resets the body',
    resetsAfter(`${head(...Array(6).fill('content-encoding: br'), 'content-length: 999')}x`),
  ],
  ['names two content codings', sends(coded('gzip, br'))],
  ['names identity and another coding', sends(coded('identity, gzip'))],
  ['names a content coding that was not requested', sends(coded('zstd'))],
  ['sends plain text as gzip', sends(coded('gzip', json))],
  ['sends half a gzip as a whole body', sends(coded('gzip', gzipped.subarray(0, 20)))],
  [
    'sends a gzip with a wrong checksum',
    sends(coded('gzip', Buffer.concat([gzipped.subarray(0, -8), Buffer.alloc(8)]))),
  ],
  ['sends plain text as brotli', sends(coded('br', json))],
  ['sends a bomb in gzip', sends(coded('gzip', gzipBomb))],
  ['sends a bomb in brotli', sends(coded('br', brotliBomb))],
  ['redirects', sends(httpAnswer(307, '', { location: '/elsewhere' }))],
  ['redirects without a place', sends(httpAnswer(301, json))],
  ['answers 304', sends(httpAnswer(304, ''))],
  [
    'switches protocols',
    sends('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n\x81\x05hello'),
  ],
  [
    'switches protocols and resets',
    resetsAfter('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
  ],
  ['answers 101 without an upgrade', sends('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
  ['sends 20 KB of headers', sends(`${head(`x-long: ${'x'.repeat(20_000)}`, 'content-length: 2')}{}`)],
  ['sends a header without a name', sends(`${head(': x', 'content-length: 2')}{}`)],
  ['names two lengths', sends(`${head('content-length: 2', 'content-length: 3')}{}`)],
  ['names a length and chunks', sends(`${head('content-length: 2', 'transfer-encoding: chunked')}0\r\n\r\n`)],
  ['names a length that is not a number', sends(`${head('content-length: two')}{}`)],
  ['breaks the framing of its chunks', sends(`${head('transfer-encoding: chunked')}5\r\n{"dat\r\nzz\r\n`)],
  ['breaks the framing of its first chunk', sends(`${head('transfer-encoding: chunked')}x`)],
  ['speaks no HTTP', sends('220 ready\r\n')],
  ['speaks HTTP/2', sends('\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x80\x00\x04\x00\x01\x00\x00')],
  ['answers in TLS', sends(Buffer.from('15030300020246', 'hex'))],
]

const unreachable: readonly (readonly [string, RawAnswer])[] = [
  ['closes without a byte', (socket) => socket.end()],
  ['resets without a byte', (socket) => socket.resetAndDestroy()],
  ['closes within the status line', endsAfter('HTTP/1.1 20')],
  ['resets within the headers', resetsAfter('HTTP/1.1 200 OK\r\ncontent-')],
  ['closes behind a provisional answer', endsAfter('HTTP/1.1 100 Continue\r\n\r\n')],
  ['resets behind the headers', resetsAfter(head('content-length: 21'))],
  ['closes before the length that it named', endsAfter(head('content-length: 22') + json)],
  ['resets within the body', resetsAfter(head('content-length: 22') + json)],
  ['closes before its last chunk', endsAfter(`${head('transfer-encoding: chunked')}15\r\n${json}\r\n`)],
  ['resets within a chunk', resetsAfter(`${head('transfer-encoding: chunked')}99\r\n${json}`)],
  ['resets a body without a length', resetsAfter(head() + json)],
  ['cuts a compressed body', endsAfter(coded('gzip', gzipped.subarray(0, 20), { 'content-length': '99' }))],
  ['resets a compressed body', resetsAfter(coded('br', json, { 'content-length': '99' }))],
]

const named = (fault: WireFault, list: readonly (readonly [string, RawAnswer])[]): readonly TransportFault[] =>
  list.map(([does, answer]) => ({ does, answer, fault }))

/** Each of them ends a question at once. */
export const transportFaults: readonly TransportFault[] = [
  ...named('unreadable', unreadable),
  ...named('unreachable', unreachable),
]
