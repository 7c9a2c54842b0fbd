import { describe, expect, test } from '@jest/globals'
import { fixedTime, recordingGateway, sendRaw } from './listening.ts'

describe('the event of a request', () => {
  test('has every field of payload format 2.0 and no other', async () => {
    const { port, events } = await recordingGateway()
    await sendRaw(
      port,
      'GET /blocks/3Nabc?limit=02&x=a%20b HTTP/1.1',
      'Host: api.example.test:8443',
      'User-Agent: wallet/1.0',
      'X-Mixed-Case: Kept',
    )
    expect(events).toEqual([
      {
        version: '2.0',
        routeKey: 'GET /blocks/{state_hash}',
        rawPath: '/blocks/3Nabc',
        rawQueryString: 'limit=2',
        headers: {
          'content-length': '0',
          host: 'api.example.test:8443',
          'user-agent': 'wallet/1.0',
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-port': String(port),
          'x-forwarded-proto': 'http',
          'x-mixed-case': 'Kept',
        },
        queryStringParameters: { limit: '2' },
        pathParameters: { state_hash: '3Nabc' },
        requestContext: {
          accountId: '000000000000',
          apiId: 'local',
          domainName: 'api.example.test',
          domainPrefix: 'api',
          http: {
            method: 'GET',
            path: '/blocks/3Nabc',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'wallet/1.0',
          },
          requestId: 'request-1',
          routeKey: 'GET /blocks/{state_hash}',
          stage: '$default',
          time: '12/Mar/2020:19:03:58 +0000',
          timeEpoch: fixedTime,
        },
        isBase64Encoded: false,
      },
    ])
  })

  test('has no empty cookies, query, path parameters or body', async () => {
    const { port, events } = await recordingGateway({ path: '/summary' })
    await sendRaw(port, 'GET /summary HTTP/1.1', 'Host: h')
    expect(Object.keys(events[0] ?? {}).sort()).toEqual([
      'headers',
      'isBase64Encoded',
      'rawPath',
      'rawQueryString',
      'requestContext',
      'routeKey',
      'version',
    ])
    expect(events[0]?.rawQueryString).toBe('')
    expect(events[0]?.requestContext.http.userAgent).toBe('')
  })

  test('joins repeated headers by a comma, also those whose repeats Node drops', async () => {
    const { port, events } = await recordingGateway()
    await sendRaw(
      port,
      'GET /blocks/x HTTP/1.1',
      'Host: h',
      'X-Tag: one',
      'x-tag: two',
      'User-Agent: a',
      'user-agent: b',
    )
    expect(events[0]?.headers).toMatchObject({ 'x-tag': 'one,two', 'user-agent': 'a,b' })
  })

  test('keeps cookies in their own array, from all cookie headers, and out of the headers', async () => {
    const { port, events } = await recordingGateway()
    await sendRaw(port, 'GET /blocks/x HTTP/1.1', 'Host: h', 'Cookie: a=1; b=2,3', 'Cookie: c=4')
    expect(events[0]?.cookies).toEqual(['a=1', 'b=2,3', 'c=4'])
    expect(events[0]?.headers).not.toHaveProperty('cookie')
  })

  test('names the caller and the proxies before it', async () => {
    const { port, events } = await recordingGateway()
    await sendRaw(port, 'GET /blocks/x HTTP/1.1', 'Host: h', 'X-Forwarded-For: 203.0.113.7')
    expect(events[0]?.headers['x-forwarded-for']).toBe('203.0.113.7, 127.0.0.1')
    expect(events[0]?.requestContext.http.sourceIp).toBe('127.0.0.1')
  })

  test('has no headers that concern one connection only', async () => {
    const { port, events } = await recordingGateway()
    await sendRaw(port, 'GET /blocks/x HTTP/1.1', 'Host: h', 'Keep-Alive: timeout=5', 'TE: trailers')
    expect(Object.keys(events[0]?.headers ?? {}).sort()).toEqual([
      'content-length',
      'host',
      'x-forwarded-for',
      'x-forwarded-port',
      'x-forwarded-proto',
    ])
  })

  test('has a query in its one spelling, without unknown keys', async () => {
    const { port, events } = await recordingGateway()
    for (const query of ['limit=12&q=a%2Cb+c&flag&__proto__=p&y=%zz', 'limit=1', 'q']) {
      await sendRaw(port, `GET /blocks/x?${query} HTTP/1.1`, 'Host: h')
    }
    const queries = events.map(({ rawQueryString, queryStringParameters }) => [rawQueryString, queryStringParameters])
    expect(queries).toEqual([
      ['limit=10', { limit: '10' }],
      ['', undefined],
      ['', undefined],
    ])
  })

  test.each([
    ['/blocks/..', '..'],
    ['/blocks/a+b', 'a+b'],
    ['http://elsewhere.test/blocks/x', 'x'],
    ['http://elsewhere.test//blocks/x/', 'x'],
  ])('has the path of %s: nothing is resolved, and an origin is no part of it', async (target, parameter) => {
    const { port, events } = await recordingGateway()
    await sendRaw(port, `GET ${target}?q HTTP/1.1`, 'Host: h')
    const rawPath = `/blocks/${parameter}`
    expect(events[0]).toMatchObject({ pathParameters: { state_hash: parameter }, rawPath, rawQueryString: '' })
    expect(events[0]?.requestContext.http.path).toBe(rawPath)
  })

  test.each(['//blocks/x', '/blocks//x', '/blocks/x/', '///blocks///x//'])(
    'collapses the slashes of %s',
    async (path) => {
      const { port, events } = await recordingGateway()
      await sendRaw(port, `GET ${path} HTTP/1.1`, 'Host: h')
      expect(events[0]).toMatchObject({ rawPath: '/blocks/x', pathParameters: { state_hash: 'x' } })
    },
  )

  test('comes with a context whose time runs out', async () => {
    const { url, contexts } = await recordingGateway()
    await fetch(`${url}/blocks/x`)
    const [context] = contexts
    expect(context).toMatchObject({ awsRequestId: 'request-1', functionVersion: '$LATEST' })
    expect(context?.getRemainingTimeInMillis()).toBe(25_000)
  })
})
