// The bytes and texts that a gateway hands over as the body of a broadcast.
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { loadXmlParser } from '../../../functions/runtime/load-xml-parser.ts'
import { readingBody } from '../../../functions/runtime/request-body.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import validateDelegation from '../../../functions/runtime/validators/broadcast-delegation.js'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import { broadcastDelegation } from '../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { chainOf, contextOf, whole } from '../../shared/endpoints/asking.ts'
import { lambdaContext } from '../event.ts'
import { xmlDocument } from '../xml-document.ts'
import { post, signed } from './signed-payment.ts'

const { amount: _amount, ...terms } = signed.payload
const json = JSON.stringify(signed)
const xml = xmlDocument({ ...signed, payload: terms })
const asXml = { headers: { 'content-type': 'application/xml; charset=iso-8859-1' } }
const invalidSignature = "Couldn't send user command: Error creating user command: {} Error: Invalid_signature"

/** Status and text of the answer by a node that refuses every signature, what it was sent, and what headers tell machines. */
async function answerTo(body: string | Buffer, more: object = {}) {
  const memos: unknown[] = []
  const chain = chainOf(
    contextOf(async ({ name }, { memo }) => {
      if (name === 'networkName') return whole({ data: { networkID: 'mina:testnet' } })
      if (name === 'signatureKind') return whole({ data: { bestChain: null, signatureKind: 'testnet' } })
      memos.push(memo)
      return whole({ data: null, errors: [invalidSignature] })
    }),
  )
  const ports = { chain, log: () => undefined }
  const handler =
    'headers' in more
      ? serve(broadcastDelegation, { ...ports, readBody: readingBody(loadXmlParser), schema: validateDelegation })
      : serve(broadcastTransaction, { ...ports, readBody: readingBody(), schema: validateTransaction })
  const encoded = Buffer.isBuffer(body) ? { body: body.toString('base64'), isBase64Encoded: true } : { body }
  const {
    body: text = '',
    headers = {},
    statusCode,
  } = await handler(post(encoded.body, { ...encoded, ...more }), lambdaContext())
  const { error }: { error: string } = JSON.parse(text)
  const code = headers['x-broadcast-code']
  return {
    status: statusCode,
    error: error.replace(/^Query failed .*? \| \[.*?\] /, ''),
    memos,
    code,
    retriable: headers['x-broadcast-retriable'],
  }
}

const refusal = (error: string) => ({ status: 400, error, memos: [], code: 'invalid-request', retriable: 'false' })
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe.each([
  ['JSON', json, {}],
  ['XML', xml, asXml],
])('a body of %s is read', (_format, text, more) => {
  test.each<[string, string | Buffer]>([
    ['as text', text],
    ['as bytes', Buffer.from(text)],
    ['as text with a byte order mark', `\uFEFF${text}`],
    ['as bytes with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['in UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['in UTF-16 with the other byte order', bigEndian(`\uFEFF${text}`)],
    ['in UTF-16 without a mark', Buffer.from(text, 'utf16le')],
    ['in UTF-16 with the other byte order and without a mark', bigEndian(text)],
    ['compressed by gzip', gzipSync(text)],
    ['in UTF-16, compressed by gzip', gzipSync(Buffer.from(text, 'utf16le'))],
  ])('%s', async (_what, body) => {
    expect(await answerTo(body, more)).toMatchObject({ code: 'invalid-signature', memos: ['ä'] })
  })

  test.each<[string, Buffer, string]>([
    [
      'in Latin-1',
      Buffer.from(text, 'latin1'),
      `body is not UTF-8: byte 0xe4 at position ${text.indexOf('ä')}; send UTF-8, uncompressed or as gzip`,
    ],
    [
      'that stops inside a character',
      Buffer.from(`${text}€`).subarray(0, -1),
      `body is not UTF-8: byte 0xe2 at position ${Buffer.byteLength(text)}; send UTF-8, uncompressed or as gzip`,
    ],
    [
      'in UTF-16 with half a pair',
      Buffer.from(`\uFEFF${text}\uD800 `, 'utf16le'),
      `body is not UTF-16, as it begins: the bytes from position ${2 * text.length + 2} stand for no character`,
    ],
    [
      'in UTF-16 with half a unit',
      Buffer.concat([bigEndian(text), Buffer.from(' ')]),
      `body is not UTF-16, as it begins: the bytes from position ${2 * text.length} stand for no character`,
    ],
    ['that gzip cannot unpack', gzipSync(text).subarray(0, -9), 'body begins as gzip does and cannot be unpacked'],
    ['that gzip makes small', gzipSync(text + ' '.repeat(16 * 1024)), 'body must have at most 16384 bytes unpacked'],
  ])('but not %s', async (_what, body, error) => {
    expect(await answerTo(body, more)).toEqual(refusal(error))
  })

  test('but not as text in which its compressed bytes are replaced', async () => {
    const answer = await answerTo(gzipSync(text).toString('utf8'), more)
    expect(answer).toEqual(
      refusal(expect.stringContaining('it holds U+FFFD, which stands for bytes') as unknown as string),
    )
  })

  test('with U+FFFD in its memo, and a signature that is then wrong is not wrong for ever', async () => {
    const answer = await answerTo(text.replace('ä', '\uFFFD'), more)
    expect(answer).toEqual({
      status: 400,
      error:
        'The network of this node is mina:testnet. Commands for it are signed for testnet. The memo holds U+FFFD, which stands for bytes that were not UTF-8: ' +
        'if it was not signed, send the same signed command in UTF-8.',
      memos: ['\uFFFD'],
      code: 'memo-damaged',
      retriable: 'true',
    })
  })
})

test('XML without its content type is told which one to send', async () => {
  expect(await answerTo(xml, { headers: {} })).toEqual(
    refusal('body is XML: send it with the content type application/xml'),
  )
})

const doubleQuotes = 'keys and strings must be double-quoted'

test.each<[string, string, string]>([
  ['a trailing comma in an object', '{"a":"1",}', 'a trailing comma at position 8'],
  ['a trailing comma in a list', '[1 , ]', 'a trailing comma at position 3'],
  ['two commas', '[1,,2]', ', at position 3, where a value is expected'],
  ['no comma', '{"a":"1" "b":2}', '" at position 9, where a comma or a closing bracket is expected'],
  ['no colon', '{"a" "1"}', '" at position 5, where a colon is expected'],
  ['no value', '{"a":}', '} at position 5, where a value is expected'],
  ['the wrong bracket', '{"a":[1}]', '} at position 7, where a comma or a closing bracket is expected'],
  ['a number as key', '{1:2}', '1 at position 1, where a key or } is expected'],
  ['a leading zero', '{"a":01}', '1 at position 6, where a comma or a closing bracket is expected'],
  ['a NUL at the end', '{"a":"1"}\0', 'a NUL character at position 9'],
  ['a NUL in a string', '{"a":"\0"}', 'a NUL character inside a string at position 6: it must be escaped'],
  [
    'a line feed in a string',
    '{"a":"\n"}',
    'the control character U+000A inside a string at position 6: it must be escaped',
  ],
  ['an unknown escape', '{"a":"\\x41"}', 'an unknown escape at position 6'],
  ['a second document', '{"a":"1"}\n{"a":"1"}', 'a second document begins at position 10'],
  ['a bracket too many', '{"a":"1"}}', '} at position 9, where the document has already ended'],
  ['a word behind it', '{"a":"1"};', '; at position 9, where the document has already ended'],
  ['NaN', '{"a":NaN}', 'NaN at position 5, which is not a JSON value'],
  ['-Infinity', '{"a":-Infinity}', '-Infinity at position 5, which is not a JSON value'],
  ['undefined', '{"a":undefined}', 'undefined at position 5, which is not a JSON value'],
  ['Python’s None', '{"a": None}', 'None at position 6, which is not a JSON value'],
  ['single quotes', "{'a':'1'}", `a single quote at position 1: ${doubleQuotes}`],
  ['quotes of a word processor', '{“a”:1}', `the quote “ at position 1: ${doubleQuotes}`],
  ['a key without quotes', '{"a":1, memo: ""}', `a word without quotes at position 8: ${doubleQuotes}`],
  ['a comment', '{"a":1 // one\n}', 'a comment at position 7'],
  ['a no-break space', '{\u00A0"a":1}', 'U+00A0 at position 1, where a key or } is expected'],
  ['a byte order mark in its middle', '{}\uFEFF', 'U+FEFF at position 2, where the document has already ended'],
  ['a form', 'publicKey=B62&signature%5Bfield%5D=1', 'it is a form, or percent-encoded'],
  ['a percent-encoded text', '%7B%22a%22%3A1%7D', 'it is a form, or percent-encoded'],
  ['a multipart form', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--', 'it is a multipart form'],
  ['XML', '<d><a>1</a></d>', 'it is XML'],
  ...[
    '{',
    '{"a"',
    '{"a":',
    '{"a":"1',
    '{"a":"1",',
    '{"a":"\\"',
    '{"a":"\\u00',
    '{"a":-',
    '{"a":1.',
    '{"a":1e+',
    '{"a":tr',
    '[{"a":"1"}',
    '{"a":"}"',
    '['.repeat(8000),
  ].map((text): [string, string, string] => [`the text ${text.slice(0, 20)}`, text, 'it ends too early']),
])('a body with %s is refused with the place and what stands there', async (_what, body, problem) => {
  expect(await answerTo(body)).toEqual(refusal(`body is not JSON: ${problem}`))
})
