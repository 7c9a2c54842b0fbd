// Faults of HTTP: statuses, bodies that are no answer, codings and sizes.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { answers, type Fault, type FaultKind, type Sending, type TrueExchange, type Upstream } from '../fault.ts'
import { secret } from '../judge/answer-form.ts'

type Row = readonly [name: string, sending: (exchange: TrueExchange) => Sending, mayCountAsNone?: true]

const withStatus =
  (status: number, headers: object = {}) =>
  ({ text }: TrueExchange) =>
    answers(text, { status, headers })
const says =
  (body: string, status = 200, headers: object = {}) =>
  () =>
    answers(body, { status, headers })

/** A right answer is read whatever its status. */
const statusRows: readonly Row[] = [
  ...[201, 206, 226, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 413, 414, 418, 421, 425, 429, 451].map(
    (status): Row => [`answers rightly with status ${status}`, withStatus(status)],
  ),
  ...[500, 501, 502, 503, 504, 507, 511, 520, 529, 599].map(
    (status): Row => [`answers rightly with status ${status}`, withStatus(status)],
  ),
  ...[300, 301, 302, 303, 307, 308].map(
    (status): Row => [
      `answers rightly, and points elsewhere with ${status}`,
      withStatus(status, { location: '/' }),
      true,
    ],
  ),
  ...[204, 205, 304].map((status): Row => [`answers ${status} and nothing`, says('', status)]),
  ...[400, 403, 404, 413, 429, 500, 502, 503, 504].map(
    (status): Row => [`answers HTML with status ${status}`, says(`<html>${secret}</html>`, status)],
  ),
  ['turns the question away with 408', says('', 408)],
  ['answers data: null with status 503', says('{"data":null}', 503)],
  ['answers unknown errors with status 503', says(`{"errors":[{"message":"${secret}"}]}`, 503)],
  ['answers 503 and asks to retry in an hour', says('', 503, { 'retry-after': '3600' })],
  ['points to itself for ever', () => answers('', { status: 307, headers: { location: '' } }), true],
  ['asks for a password', says('', 401, { 'www-authenticate': 'Basic' })],
]

const encodingRows: readonly Row[] = [
  ['names no content type', ({ text }) => answers(text)],
  ['calls JSON text/html', ({ text }) => answers(text, { headers: { 'content-type': 'text/html' } })],
  ['calls JSON an event stream', ({ text }) => answers(text, { headers: { 'content-type': 'text/event-stream' } })],
  [
    'calls UTF-8 latin-1',
    ({ text }) => answers(text, { headers: { 'content-type': 'application/json; charset=latin1' } }),
  ],
  ['sends gzip', ({ text }) => answers(gzipSync(text), { headers: { 'content-encoding': 'gzip' }, text })],
  ['sends brotli', ({ text }) => answers(brotliCompressSync(text), { headers: { 'content-encoding': 'br' }, text })],
  [
    'sends deflate',
    ({ text }) => answers(deflateSync(text), { headers: { 'content-encoding': 'deflate' }, text }),
    true,
  ],
  ['sends gzip without saying so', ({ text }) => answers(gzipSync(text), { text: '\x1f' })],
  ['names the identity coding', ({ text }) => answers(text, { headers: { 'content-encoding': 'identity' } })],
  ['names an unknown coding', ({ text }) => answers(text, { headers: { 'content-encoding': 'x-rot13' } }), true],
  ['begins with a byte order mark', ({ text }) => answers(`\ufeff${text}`, { text }), true],
  ['sends UTF-16', ({ text }) => answers(Buffer.from(text, 'utf16le'), { text: '\0' })],
  ['writes spaces and line breaks', ({ text }) => answers(`\r\n\t ${text}\n\n`)],
  ['escapes every letter', ({ text }) => answers(text.replace(/[A-Za-z](?=\w*":)/g, escaped))],
]

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

const eightMegabytes = 8 * 1024 * 1024

const sizeRows: readonly Row[] = [
  [
    'sends 9 MB of spaces first',
    ({ text }) => answers(`${' '.repeat(eightMegabytes + 1_000_000)}${text}`, { text: '' }),
  ],
  ['sends an endless text', () => answers(`{"data":"${'x'.repeat(eightMegabytes + 1)}`, { text: '' })],
  [
    'sends 9 MB that gzip to 9 KB',
    ({ text }) =>
      answers(gzipSync(`${' '.repeat(9_000_000)}${text}`), { headers: { 'content-encoding': 'gzip' }, text: '' }),
  ],
  ['nests 100,000 lists', says(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ['nests 5,000 objects in data', says(`{"data":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`)],
  ['lists 10,000 errors', says(JSON.stringify({ data: null, errors: Array(10_000).fill({ message: secret }) }))],
  ['sends an error of 1 MB', says(JSON.stringify({ data: null, errors: [{ message: secret.repeat(30_000) }] }))],
]

const faultsOf = (upstream: Upstream, kind: FaultKind, rows: readonly Row[]): readonly Fault[] =>
  rows.map(([name, sending, mayCountAsNone]) => ({
    name: `${upstream} ${name}`,
    kind,
    upstream,
    hits: () => true,
    sending,
    ...(mayCountAsNone && { mayCountAsNone }),
  }))

export const httpFaults = (upstream: Upstream): readonly Fault[] => [
  ...faultsOf(upstream, 'HTTP', statusRows),
  ...faultsOf(upstream, 'encoding', encodingRows),
  ...faultsOf(upstream, 'size', sizeRows),
]
