import { describe, expect, test } from '@jest/globals'
import type { APIGatewayProxyResultV2 } from 'aws-lambda'
import { exchange, recordingGateway, sendRaw } from './listening.ts'

/** An answer without the headers that Node adds: date and connection. */
async function seen(response: Response) {
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    ...headers
  } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

async function answerTo(result: unknown) {
  // The types do not restrict what a function returns at run time.
  const { url, thrown } = await recordingGateway({}, () => result as APIGatewayProxyResultV2)
  return { ...(await seen(await fetch(`${url}/blocks/x`))), thrown }
}

const ownHeaders = { 'content-type': 'application/json', 'apigw-requestid': 'request-1' }

describe('a result becomes an answer', () => {
  test('with its status, headers and body', async () => {
    const headers = { 'Content-Type': 'application/json', 'cache-control': 'no-store', 'x-number': 7, 'x-flag': true }
    expect(await answerTo({ statusCode: 201, headers, body: '{"memo":"é"}' })).toEqual({
      status: 201,
      headers: {
        ...ownHeaders,
        'cache-control': 'no-store',
        'content-length': '13',
        'x-flag': 'true',
        'x-number': '7',
      },
      body: '{"memo":"é"}',
      thrown: [],
    })
  })

  test('as plain text without a content type, and empty without a body', async () => {
    expect(await answerTo({ statusCode: 404 })).toEqual({
      status: 404,
      headers: { ...ownHeaders, 'content-type': 'text/plain; charset=utf-8', 'content-length': '0' },
      body: '',
      thrown: [],
    })
  })

  test('with its body decoded when it is base64', async () => {
    const result = { statusCode: 200, body: Buffer.from('bytes').toString('base64'), isBase64Encoded: true }
    expect(await answerTo(result)).toMatchObject({ body: 'bytes' })
  })

  test('with one set-cookie header per cookie', async () => {
    const { url } = await recordingGateway({}, () => ({ statusCode: 200, cookies: ['a=1; Secure', 'b=2'] }))
    const response = await fetch(`${url}/blocks/x`)
    expect(response.headers.getSetCookie()).toEqual(['a=1; Secure', 'b=2'])
  })

  test.each([
    ['an object without a status code', { headers: {}, message: 'hi' }, '{"headers":{},"message":"hi"}'],
    ['text', 'Hello', 'Hello'],
    ['an array', [1, 2], '[1,2]'],
    ['nothing', undefined, 'null'],
  ])('inferred from %s: 200 and JSON, with the whole result as the body', async (_name, result, body) => {
    expect(await answerTo(result)).toEqual({
      status: 200,
      headers: { ...ownHeaders, 'content-length': String(body.length) },
      body,
      thrown: [],
    })
  })

  test.each([
    ['a status code that is text', { statusCode: '200' }],
    ['a status code out of range', { statusCode: 99 }],
    ['a body that is an object', { statusCode: 200, body: {} }],
    ['a header that cannot be sent', { statusCode: 200, headers: { 'x-split': 'a\r\nb: c' } }],
  ])('500 for %s', async (_name, result) => {
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

  test.each([
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/blocks'],
    ['GET', '/blocks/'],
    ['GET', '/blocks/x/y'],
    ['GET', '/BLOCKS/x'],
    ['POST', '/blocks/x'],
    ['PUT', '/blocks/x'],
    ['DELETE', '/blocks/x'],
    ['OPTIONS', '/blocks/x'],
    ['GET', '/blocks/%78'],
    ['GET', '/bl%6Fcks/x'],
    ['GET', '/blocks/a%2Fb'],
    ['GET', '/blocks/x%3Fa'],
  ])('404 to %s %s, which no route serves', async (method, path) => {
    const { url, events } = await recordingGateway()
    expect(await seen(await fetch(url + path, { method }))).toEqual(own(404, 'Not Found', uncached))
    expect(events).toEqual([])
  })

  test('404 to HEAD where only GET has a route', async () => {
    const { url, events } = await recordingGateway()
    const response = await fetch(`${url}/blocks/x`, { method: 'HEAD' })
    expect(response.status).toBe(404)
    expect(events).toEqual([])
  })

  test.each(['/blocks/%', '/blocks/%zz', '/blocks/%FF', '/nowhere/%'])(
    '404 to the malformed percent-encoding of %s',
    async (path) => {
      const { port, events } = await recordingGateway()
      const answer = await sendRaw(port, `GET ${path} HTTP/1.1`, 'Host: h')
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expect(answer).toMatch(/\r\n\r\n\{"message":"Not Found"\}$/)
      expect(events).toEqual([])
    },
  )

  test('400 to an option without a meaning, in the words of its route', async () => {
    const { url, events } = await recordingGateway()
    const expected = own(400, 'limit is no count', uncached)
    expect(await seen(await fetch(`${url}/blocks/x?limit=0`))).toEqual(expected)
    expect(await seen(await fetch(`${url}/blocks/x?limit=1&limit=2`))).toEqual(expected)
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

  test('413 to a body whose announced length is too long, without reading it', async () => {
    const { port, events } = await recordingGateway({ methods: ['POST'] })
    const answer = await sendRaw(port, 'POST /blocks/x HTTP/1.1', 'Host: h', `Content-Length: ${10 * 1024 * 1024 + 1}`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\{"message":"Request Entity Too Large"\}$/s)
    expect(events).toEqual([])
  })

  test('413 to a body that becomes too long, before its end has arrived', async () => {
    const { port, events } = await recordingGateway({ methods: ['POST'] }, undefined, 1000)
    const unfinished = ['3e9', 'x'.repeat(1001)]
    const answer = await sendRaw(
      port,
      'POST /blocks/x HTTP/1.1',
      'Host: h',
      'Transfer-Encoding: chunked',
      '',
      ...unfinished,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\{"message":"Request Entity Too Large"\}$/s)
    expect(events).toEqual([])
  })

  test.each([
    ['announced', `Content-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`],
    ['chunked', `Transfer-Encoding: chunked\r\n\r\n30d40\r\n${'x'.repeat(200_000)}\r\n0\r\n\r\n`],
  ])('413 to a long body, %s, without harm to the next request on the connection', async (_name, rest) => {
    const { port, events } = await recordingGateway({ methods: ['POST'] }, undefined, 1000)
    const next = 'POST /blocks/next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
    const answers = await exchange(port, `POST /blocks/x HTTP/1.1\r\nHost: h\r\n${rest}${next}`)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    expect(events.map(({ rawPath }) => rawPath)).toEqual(['/blocks/next'])
  })

  test('413 to a body one byte over the limit, but not to one at the limit', async () => {
    const { url, events } = await recordingGateway({ methods: ['POST'] }, undefined, 1000)
    const post = (length: number) => fetch(`${url}/blocks/x`, { method: 'POST', body: 'x'.repeat(length) })
    expect(await seen(await post(1001))).toEqual(own(413, 'Request Entity Too Large'))
    expect((await post(1000)).status).toBe(200)
    expect(events.map(({ headers }) => headers['content-length'])).toEqual(['1000'])
  })
})
