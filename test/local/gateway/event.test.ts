import { describe, expect, test } from '@jest/globals'
import { fixedTime, recordingGateway, sendRaw } from './listening.ts'

/** The event and the context of one request, sent line by line and unchanged. */
async function received(target: string, ...headers: readonly string[]) {
  const { port, events, contexts } = await recordingGateway()
  await sendRaw(port, `GET ${target} HTTP/1.1`, ...headers)
  return { port, event: events[0], context: contexts[0] }
}

describe('the event of a request', () => {
  test('has every field of payload format 2.0 and no other, and comes with a context whose time runs out', async () => {
    const { port, event, context } = await received(
      '/blocks/3Nabc?limit=02&utm_term=a%20b',
      'User-Agent: wallet/1.0',
      'X-Mixed: Kept',
    )
    const [routeKey, path, userAgent] = ['GET /blocks/{state_hash}', '/blocks/3Nabc', 'wallet/1.0']
    expect(event).toEqual({
      version: '2.0',
      routeKey,
      rawPath: path,
      rawQueryString: 'limit=2',
      headers: {
        'content-length': '0',
        host: 'h',
        'user-agent': userAgent,
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': String(port),
        'x-forwarded-proto': 'http',
        'x-mixed': 'Kept',
      },
      queryStringParameters: { limit: '2' },
      pathParameters: { state_hash: '3Nabc' },
      requestContext: {
        ...{ accountId: '000000000000', apiId: 'local', domainName: 'h', domainPrefix: 'h' },
        http: { method: 'GET', path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent },
        ...{ requestId: 'request-1', routeKey, stage: '$default' },
        time: '12/Mar/2020:19:03:58 +0000',
        timeEpoch: fixedTime,
      },
      isBase64Encoded: false,
    })
    expect(context).toMatchObject({ awsRequestId: 'request-1', functionVersion: '$LATEST' })
    expect(context?.getRemainingTimeInMillis()).toBe(25_000)
  })

  test('has no empty cookies, query, path parameters, body or user agent, and its domain without a port', async () => {
    const { url, events } = await recordingGateway({ path: '/summary' })
    await fetch(`${url}/summary?limit=1`, { headers: { 'user-agent': '' } })
    expect(Object.keys(events[0] ?? {}).sort()).toEqual([
      ...['headers', 'isBase64Encoded', 'rawPath', 'rawQueryString', 'requestContext', 'routeKey', 'version'],
    ])
    const context = { domainName: '127.0.0.1', domainPrefix: '127', http: { userAgent: '' } }
    expect(events[0]).toMatchObject({ rawQueryString: '', requestContext: context })
  })

  test('joins repeated headers, has its cookies apart, names the proxies, and lacks headers of one connection', async () => {
    const { port, event } = await received(
      '/blocks/x',
      ...['X-Tag: one', 'x-tag: two', 'User-Agent: a', 'user-agent: b', 'Cookie: a=1; b=2,3', 'Cookie: c=4'],
      ...['X-Forwarded-For: 203.0.113.7', 'Keep-Alive: timeout=5', 'TE: trailers'],
    )
    expect({ cookies: event?.cookies, headers: event?.headers }).toEqual({
      cookies: ['a=1', 'b=2,3', 'c=4'],
      headers: {
        ...{ 'x-tag': 'one,two', 'user-agent': 'a,b', 'content-length': '0', host: 'h' },
        ...{
          'x-forwarded-for': '203.0.113.7, 127.0.0.1',
          'x-forwarded-port': String(port),
          'x-forwarded-proto': 'http',
        },
      },
    })
  })

  test.each([
    ['/blocks/..', '/blocks/..'],
    ['/blocks/a+b', '/blocks/a+b'],
    ['http://elsewhere.test///blocks///x//', '/blocks/x'],
  ])('has the path of %s as %s', async (target, rawPath) => {
    const pathParameters = { state_hash: rawPath.replace('/blocks/', '') }
    const { event } = await received(`${target}?_`)
    expect(event).toMatchObject({ rawPath, pathParameters, requestContext: { http: { path: rawPath } } })
  })
})

describe('the body of an event', () => {
  const text = '{"memo":"é"}'
  const sent = async (type: string, body: string | Uint8Array<ArrayBuffer> = text) => {
    const { url, events } = await recordingGateway({ method: 'POST' })
    await fetch(`${url}/blocks/x`, { method: 'POST', headers: { 'content-type': type }, body })
    return events[0]
  }

  test.each([
    ...['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/problem+json'],
    ...['application/javascript', 'application/xml', 'text/plain;charset=UTF-8', 'text/xml'],
  ])('is text for %s', async (type) => {
    const headers = { 'content-type': type, 'content-length': '13' }
    expect(await sent(type)).toMatchObject({ body: text, isBase64Encoded: false, headers })
  })

  test.each(['application/octet-stream', 'application/x-www-form-urlencoded', 'application/jsonp', 'textual/plain'])(
    'is base64 for %s',
    async (type) => {
      expect(await sent(type)).toMatchObject({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true })
    },
  )

  test('is base64 for bytes that are not UTF-8, whatever the content type', async () => {
    const latin1 = new Uint8Array(Buffer.from(text, 'latin1'))
    expect(await sent('application/json', latin1)).toMatchObject({
      body: Buffer.from(latin1).toString('base64'),
      isBase64Encoded: true,
    })
  })

  test('is base64 without a content type, and complete when it arrives in chunks', async () => {
    const { port, events } = await recordingGateway({ method: 'POST' })
    const chunks = ['Transfer-Encoding: chunked', '', '2\r\n{"', '4\r\na":1', '1\r\n}', '0']
    await sendRaw(port, 'POST /blocks/x HTTP/1.1', ...chunks)
    expect(events[0]).toMatchObject({ body: 'eyJhIjoxfQ==', isBase64Encoded: true, headers: { 'content-length': '7' } })
    expect(events[0]?.headers).not.toHaveProperty('transfer-encoding')
  })
})
