import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { APIGatewayProxyResultV2 } from 'aws-lambda'
import { cors } from '../../../shared/http/cors.ts'
import { exchange, recordingGateway, sendRaw } from './listening.ts'

/** An answer without the headers that Node adds: date and connection. */
async function seen(response: Response) {
  const added = ['date', 'connection', 'keep-alive']
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !added.includes(name)))
  return { status: response.status, headers, body: await response.text() }
}

const ownHeaders = { 'content-type': 'application/json', 'apigw-requestid': 'request-1' }

describe('the gateway answers a function’s result with', () => {
  async function answerTo(result: unknown) {
    // The types do not restrict the result of a function at run time.
    const { url, thrown } = await recordingGateway({ result: () => result as APIGatewayProxyResultV2 })
    const response = await fetch(`${url}/blocks/x`)
    return { ...(await seen(response)), cookies: response.headers.getSetCookie(), thrown }
  }
  const plain = { ...ownHeaders, 'content-type': 'text/plain; charset=utf-8' }
  const headers = { 'Content-Type': 'application/json', 'content-length': 99, 'x-number': 7, 'x-flag': true }
  const structured = { statusCode: 201, headers, body: '{"memo":"é"}' }
  const inBase64 = { statusCode: 200, body: Buffer.from('bytes').toString('base64'), isBase64Encoded: true }
  const unstructured = { headers: {}, message: 'hi' }
  const sentHeaders = { ...ownHeaders, 'x-number': '7', 'x-flag': 'true' }

  test.each<[string, unknown, number, object, string]>([
    ['its status, headers and body', structured, 201, sentHeaders, '{"memo":"é"}'],
    ['plain text where it has no content type', { statusCode: 404 }, 404, plain, ''],
    ['its decoded body where it is base64', inBase64, 200, plain, 'bytes'],
    ['the whole of it, as JSON, without a status code', unstructured, 200, ownHeaders, JSON.stringify(unstructured)],
    ['a text', 'Hello', 200, ownHeaders, 'Hello'],
    ['an array', [1, 2], 200, ownHeaders, '[1,2]'],
    ['null for no result', undefined, 200, ownHeaders, 'null'],
  ])('%s, and the length of the body', async (_, result, status, expectedHeaders, body) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const expected = { status, headers: { ...expectedHeaders, ...length }, body, cookies: [], thrown: [] }
    expect(await answerTo(result)).toEqual(expected)
  })

  test('one set-cookie header per cookie', async () => {
    const cookies = ['a=1; Secure', 'b=2']
    expect(await answerTo({ statusCode: 200, cookies })).toMatchObject({ cookies })
  })

  test.each([
    ['a status code that is text', { statusCode: '200' }],
    ['a status code out of range', { statusCode: 99 }],
    ['a body that is an object', { statusCode: 200, body: {} }],
    ['a header that cannot be sent', { statusCode: 200, headers: { 'x-split': 'a\r\nb: c' } }],
  ])('500 for %s', async (_, result) => {
    const body = '{"message":"Internal Server Error"}'
    expect(await answerTo(result)).toMatchObject({ status: 500, body, thrown: [expect.anything()] })
  })
})

describe('the gateway answers without a function', () => {
  const own = (status: number, message: string, headers = {}) => {
    const body = JSON.stringify({ message })
    return { status, headers: { ...ownHeaders, ...headers, 'content-length': String(body.length) }, body }
  }

  // test/shared/admission has the routes and their options.
  test.each([
    ['GET', '/nowhere', 404, 'Not Found'],
    ['OPTIONS', '/blocks/x', 404, 'Not Found'],
    ['GET', '/blocks/%zz', 404, 'Not Found'],
    ['GET', '/blocks/x?limit=0', 400, 'limit must be a whole number, 1 or more, given once'],
  ])('%s %s', async (method, path, status, message) => {
    const { url, events } = await recordingGateway()
    expect(await seen(await fetch(url + path, { method }))).toEqual(
      own(status, message, { 'cache-control': 'no-store' }),
    )
    expect(events).toEqual([])
  })

  test('500 when a handler throws, and reports the error to the operator only', async () => {
    const failure = new Error('secret upstream address')
    const { url, thrown } = await recordingGateway({ result: () => Promise.reject(failure) })
    expect(await seen(await fetch(`${url}/blocks/x`))).toEqual(own(500, 'Internal Server Error'))
    expect(thrown).toEqual([failure])
  })

  test('nothing to a caller who hangs up in the middle of a body, which is not an error', async () => {
    const { port, thrown } = await recordingGateway({ method: 'POST' })
    const socket = connect(port, '127.0.0.1')
    socket.end('POST /blocks/x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf')
    await once(socket.resume(), 'close')
    expect(thrown).toEqual([])
  })

  test('413 to a body with too long an announced length, without reading it', async () => {
    const { port, events } = await recordingGateway({ method: 'POST' })
    const answer = await sendRaw(port, 'POST /blocks/x HTTP/1.1', `Content-Length: ${10 * 1024 * 1024 + 1}`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\{"message":"Request Entity Too Large"\}$/s)
    expect(events).toEqual([])
  })

  test.each([
    ['one byte over the limit', `Content-Length: 1001\r\n\r\n${'x'.repeat(1001)}`],
    ['announced', `Content-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`],
    ['chunked', `Transfer-Encoding: chunked\r\n\r\n30d40\r\n${'x'.repeat(200_000)}\r\n0\r\n\r\n`],
  ])('413 to a long body, %s, without harm to the next request, whose body is at the limit', async (_, rest) => {
    const { port, events } = await recordingGateway({ method: 'POST', maxBodyBytes: 1000 })
    const head = 'POST /blocks/next HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n'
    const answers = await exchange(port, `POST /blocks/x HTTP/1.1\r\nHost: h\r\n${rest}${head}${'x'.repeat(1000)}`)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    expect(events.map(({ rawPath, headers }) => [rawPath, headers['content-length']])).toEqual([
      ['/blocks/next', '1000'],
    ])
  })
})

describe('the gateway gives a caller with an origin', () => {
  const origin = { origin: 'https://wallet.example' }
  const allowed = { 'access-control-allow-origin': '*' }
  const corsHeaders = { ...allowed, 'access-control-expose-headers': cors.exposeHeaders.join(',') }
  const crossOriginHeaders = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')))

  test.each([
    ['a success', '/blocks/x', 200],
    ['an unknown route', '/nowhere', 404],
    ['an option without a meaning', '/blocks/x?limit=0', 400],
    ['a crash', '/blocks/crash', 500],
  ])('its own CORS headers with %s, in place of the function’s', async (_, path, status) => {
    const headers = { 'Access-Control-Allow-Origin': 'https://own.example', 'access-control-allow-credentials': 'true' }
    const result = async () => (status === 500 ? Promise.reject(new Error('crash')) : { statusCode: 200, headers })
    const { url } = await recordingGateway({ result })
    const response = await fetch(url + path, { headers: origin })
    expect([response.status, crossOriginHeaders(response)]).toEqual([status, corsHeaders])
    expect(crossOriginHeaders(await fetch(url + path))).toEqual({})
  })

  test.each([
    ['/blocks/x', 'baggage,traceparent,x-own'],
    ['/nowhere', 'authorization'],
  ])('the permission for %s that it asks for, %s, without a function', async (path, asked) => {
    const { url, events } = await recordingGateway()
    const asking = { 'access-control-request-method': 'POST', 'access-control-request-headers': asked }
    const response = await fetch(url + path, { method: 'OPTIONS', headers: { ...origin, ...asking } })
    expect([response.status, await response.text(), response.headers.has('content-length')]).toEqual([204, '', false])
    expect(crossOriginHeaders(response)).toMatchObject({
      ...allowed,
      'access-control-allow-methods': 'GET,HEAD,POST,OPTIONS',
      'access-control-allow-headers': asked,
      'access-control-max-age': String(cors.maxAgeSeconds),
    })
    expect(events).toEqual([])
  })
})
