// Faults of HTTP: statuses, content codings and sizes.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { answers, type Fault, faultsOf, type Row, tooLong, type Upstream } from '../fault.ts'
import { secret } from '../judge/answer-form.ts'

const mayCountAsNone = { mayCountAsNone: true } as const

const rightly = (name: string, status: number, headers: object = {}): Row => [
  name,
  ({ text }) => answers(text, { status, headers }),
]
const says = (name: string, body: string, status = 200, headers: object = {}): Row => [
  name,
  () => answers(body, { status, headers }),
]

/** The service reads a right answer under any status. */
const statusRows: readonly Row[] = [
  ...[201, 206, 226, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 413, 414, 418, 421, 425, 429, 451],
  ...[500, 501, 502, 503, 504, 507, 511, 520, 529, 599],
].map((status) => rightly(`answers rightly with status ${status}`, status))

const elsewhereRows = [300, 301, 302, 303, 307, 308].map((status): Row => {
  const [name, sending] = rightly(`answers rightly, and points elsewhere with ${status}`, status, { location: '/' })
  return [name, sending, mayCountAsNone]
})

const emptyRows: readonly Row[] = [
  ...[204, 205, 304].map((status) => says(`answers ${status} and nothing`, '', status)),
  ...[400, 403, 404, 413, 429, 500, 502, 503, 504].map((status) =>
    says(`answers HTML with status ${status}`, `<html>${secret}</html>`, status),
  ),
  says('turns the question away with 408', '', 408),
  says('answers data: null with status 503', '{"data":null}', 503),
  ...[429, 503].map((status) =>
    says(`answers unknown errors with status ${status}`, `{"errors":[{"message":"${secret}"}]}`, status),
  ),
  says('answers 503 and asks to retry in an hour', '', 503, { 'retry-after': '3600' }),
  ['points to itself for ever', () => answers('', { status: 307, headers: { location: '' } }), mayCountAsNone],
  says('asks for a password', '', 401, { 'www-authenticate': 'Basic' }),
]

const coded = (coding: string) => ({ 'content-encoding': coding })
const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

const encodingRows: readonly Row[] = [
  rightly('names no content type', 200),
  rightly('calls JSON text/html', 200, { 'content-type': 'text/html' }),
  rightly('calls JSON an event stream', 200, { 'content-type': 'text/event-stream' }),
  rightly('calls UTF-8 latin-1', 200, { 'content-type': 'application/json; charset=latin1' }),
  ['sends gzip', ({ text }) => answers(gzipSync(text), { headers: coded('gzip'), text })],
  ['sends brotli', ({ text }) => answers(brotliCompressSync(text), { headers: coded('br'), text })],
  ['sends deflate', ({ text }) => answers(deflateSync(text), { headers: coded('deflate'), text }), mayCountAsNone],
  ['sends gzip without saying so', ({ text }) => answers(gzipSync(text), { text: '\x1f' })],
  rightly('names the identity coding', 200, coded('identity')),
  ['names an unknown coding', ({ text }) => answers(text, { headers: coded('x-rot13') }), mayCountAsNone],
  ['begins with a byte order mark', ({ text }) => answers(`\ufeff${text}`, { text }), mayCountAsNone],
  ['sends UTF-16', ({ text }) => answers(Buffer.from(text, 'utf16le'), { text: '\0' })],
  ['writes spaces and line breaks', ({ text }) => answers(`\r\n\t ${text}\n\n`)],
  ['escapes every letter', ({ text }) => answers(text.replace(/[A-Za-z](?=\w*":)/g, escaped))],
]

/** The service reads 8 MB at most. */
const nineMegabytes = 9_000_000

const sizeRows: readonly Row[] = [
  ['sends 9 MB of spaces first', ({ text }) => tooLong(`${' '.repeat(nineMegabytes)}${text}`)],
  ['sends an endless text', () => tooLong(`{"data":"${'x'.repeat(nineMegabytes)}`)],
  [
    'sends 9 MB that gzip to 9 KB',
    ({ text }) => tooLong(gzipSync(`${' '.repeat(nineMegabytes)}${text}`), coded('gzip')),
  ],
  says('nests 100,000 lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  says('nests 5,000 objects in data', `{"data":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`),
  says('lists 10,000 errors', JSON.stringify({ data: null, errors: Array(10_000).fill({ message: secret }) })),
  says('sends an error of 1 MB', JSON.stringify({ data: null, errors: [{ message: secret.repeat(30_000) }] })),
]

export const httpFaults = (upstream: Upstream): readonly Fault[] => [
  ...faultsOf('HTTP', upstream, [...statusRows, ...elsewhereRows, ...emptyRows]),
  ...faultsOf('encoding', upstream, encodingRows),
  ...faultsOf('size', upstream, sizeRows),
]
