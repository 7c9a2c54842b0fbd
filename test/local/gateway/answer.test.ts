import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { APIGatewayProxyResultV2 } from 'aws-lambda'
import { exchange, postingGateway, recordingGateway, sendRaw } from './listening.ts'

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
    const { url, thrown } = await recordingGateway({}, () => result as APIGatewayProxyResultV2)
    return { ...(await seen(await fetch(`${url}/blocks/x`))), thrown }
  }
  const plain = { ...ownHeaders, 'content-type': 'text/plain; charset=utf-8' }
  const headers = { 'Content-Type': 'application/json', 'content-length': 99, 'x-number': 7, 'x-flag': true }
  const sentHeaders = { 'content-length': '13', 'x-number': '7', 'x-flag': 'true' }

  test.each<[string, unknown, number, object, string]>([
    [
      'its status, headers and body, but the length that the gateway counts',
      { statusCode: 201, headers, body: '{"memo":"é"}' },
      201,
      { ...ownHeaders, ...sentHeaders },
      '{"memo":"é"}',
    ],
    ['plain text without a content type', { statusCode: 404 }, 404, { ...plain, 'content-length': '0' }, ''],
    [
      'its decoded body where it is base64',
      { statusCode: 200, body: Buffer.from('bytes').toString('base64'), isBase64Encoded: true },
      200,
      { ...plain, 'content-length': '5' },
      'bytes',
    ],
    [
      'the whole of it, as JSON, without a status code',
      { headers: {}, message: 'hi' },
      200,
      { ...ownHeaders, 'content-length': '29' },
      '{"headers":{},"message":"hi"}',
    ],
    ['a text', 'Hello', 200, { ...ownHeaders, 'content-length': '5' }, 'Hello'],
    ['an array', [1, 2], 200, { ...ownHeaders, 'content-length': '5' }, '[1,2]'],
    ['null for no result', undefined, 200, { ...ownHeaders, 'content-length': '4' }, 'null'],
  ])('%s', async (_, result, status, expectedHeaders, body) => {
    expect(await answerTo(result)).toEqual({ status, headers: expectedHeaders, body, thrown: [] })
  })

  test('one set-cookie header per cookie', async () => {
    const { url } = await recordingGateway({}, () => ({ statusCode: 200, cookies: ['a=1; Secure', 'b=2'] }))
    const response = await fetch(`${url}/blocks/x`)
    expect(response.headers.getSetCookie()).toEqual(['a=1; Secure', 'b=2'])
  })

  test.each([
    ['a status code that is text', { statusCode: '200' }],
    ['a status code out of range', { statusCode: 99 }],
    ['a body that is an object', { statusCode: 200, body: {} }],
    ['a header that cannot be sent', { statusCode: 200, headers: { 'x-split': 'a\r\nb: c' } }],
  ])('500 for %s', async (_, result) => {
    const answer = await answerTo(result)
    expect(answer).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' })
    expect(answer.thrown).toHaveLength(1)
  })
})

describe('the gateway answers without a function', () => {
  const own = (status: number, message: string, headers = {}) => {
    const body = JSON.stringify({ message })
    return { status, headers: { ...ownHeaders, ...headers, 'content-length': String(body.length) }, body }
  }
  const uncached = { 'cache-control': 'no-store' }

  // The routes themselves are tested in test/shared/admission.
  test.each([
    ['GET', '/nowhere'],
    ['PUT', '/blocks/x'],
    ['OPTIONS', '/blocks/x'],
    ['GET', '/blocks/a%2Fb'],
  ])('404 to %s %s, which no route serves', async (method, path) => {
    const { url, events } = await recordingGateway()
    expect(await seen(await fetch(url + path, { method }))).toEqual(own(404, 'Not Found', uncached))
    expect(events).toEqual([])
  })

  test('404 to malformed percent-encoding', async () => {
    const { port, events } = await recordingGateway()
    const answer = await sendRaw(port, 'GET /blocks/%zz HTTP/1.1')
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\n\{"message":"Not Found"\}$/s)
    expect(events).toEqual([])
  })

  test('400 to an option without a meaning, in the words of its route', async () => {
    const { url, events } = await recordingGateway()
    for (const query of ['limit=0', 'limit=1&limit=2']) {
      const answer = await seen(await fetch(`${url}/blocks/x?${query}`))
      expect(answer).toEqual(own(400, 'limit must be a count', uncached))
    }
    expect(events).toEqual([])
  })

  test('500 when a handler throws, and reports the error to the operator only', async () => {
    const failure = new Error('secret upstream address')
    const { url, thrown } = await recordingGateway({}, () => {
      throw failure
    })
    expect(await seen(await fetch(`${url}/blocks/x`))).toEqual(own(500, 'Internal Server Error'))
    expect(thrown).toEqual([failure])
  })

  test('nothing to a caller who hangs up in the middle of a body, which is not an error', async () => {
    const { port, thrown } = await postingGateway()
    const socket = connect(port, '127.0.0.1')
    socket.end('POST /blocks/x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf')
    await once(socket.resume(), 'close')
    expect(thrown).toEqual([])
  })

  test.each([
    ['with too long an announced length, without reading it', undefined, [`Content-Length: ${10 * 1024 * 1024 + 1}`]],
    ['that becomes too long, before its end', 1000, ['Transfer-Encoding: chunked', '', '3e9', 'x'.repeat(1001)]],
  ])('413 to a body %s', async (_, maxBodyBytes, lines) => {
    const { port, events } = await postingGateway(maxBodyBytes)
    const answer = await sendRaw(port, 'POST /blocks/x HTTP/1.1', ...lines)
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\{"message":"Request Entity Too Large"\}$/s)
    expect(events).toEqual([])
  })

  test.each([
    ['announced', `Content-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`],
    ['chunked', `Transfer-Encoding: chunked\r\n\r\n30d40\r\n${'x'.repeat(200_000)}\r\n0\r\n\r\n`],
  ])('413 to a long body, %s, without harm to the next request on the connection', async (_, rest) => {
    const { port, events } = await postingGateway(1000)
    const next = 'POST /blocks/next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
    const answers = await exchange(port, `POST /blocks/x HTTP/1.1\r\nHost: h\r\n${rest}${next}`)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    expect(events.map(({ rawPath }) => rawPath)).toEqual(['/blocks/next'])
  })

  test('413 to a body one byte over the limit, but not to one at the limit', async () => {
    const { url, events } = await postingGateway(1000)
    const post = (length: number) => fetch(`${url}/blocks/x`, { method: 'POST', body: 'x'.repeat(length) })
    expect(await seen(await post(1001))).toEqual(own(413, 'Request Entity Too Large'))
    expect((await post(1000)).status).toBe(200)
    expect(events.map(({ headers }) => headers['content-length'])).toEqual(['1000'])
  })
})
