import { describe, expect, test } from '@jest/globals'
import { cors } from '../../../shared/agreements/cors.ts'
import { recordingGateway } from './listening.ts'

const origin = { origin: 'https://wallet.example' }
const asking = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }

const crossOriginHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')))

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': cors.exposeHeaders.join(','),
}

describe('cross-origin requests', () => {
  test.each([
    ['a success', '/blocks/x', 200],
    ['an unknown route', '/nowhere', 404],
    ['a malformed path', '/blocks/%zz', 404],
    ['an option without a meaning', '/blocks/x?limit=0', 400],
    ['a crash', '/blocks/crash', 500],
  ])('get the CORS headers on %s', async (_name, path, status) => {
    const { url } = await recordingGateway({}, () => {
      if (status === 500) throw new Error('crash')
      return { statusCode: 200, body: '' }
    })
    const response = await fetch(url + path, { headers: origin })
    expect(response.status).toBe(status)
    expect(crossOriginHeaders(response)).toEqual(corsHeaders)
  })

  test('get none without an origin', async () => {
    const { url } = await recordingGateway()
    for (const path of ['/blocks/x', '/nowhere']) {
      expect(crossOriginHeaders(await fetch(url + path))).toEqual({})
    }
  })

  test.each([
    [origin, corsHeaders],
    [{}, {}],
  ])('never get those of the function: caller sends %j', async (headers, expected) => {
    const own = { 'Access-Control-Allow-Origin': 'https://own.example', 'access-control-allow-credentials': 'true' }
    const { url } = await recordingGateway({}, () => ({ statusCode: 200, headers: own }))
    expect(crossOriginHeaders(await fetch(`${url}/blocks/x`, { headers }))).toEqual(expected)
  })
})

describe('a preflight', () => {
  test.each(['/blocks/x', '/nowhere'])('is answered for %s without asking a function', async (path) => {
    const { url, events } = await recordingGateway()
    const response = await fetch(url + path, { method: 'OPTIONS', headers: { ...origin, ...asking } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    expect(response.headers.has('content-length')).toBe(false)
    expect(crossOriginHeaders(response)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,POST,OPTIONS',
      'access-control-allow-headers': 'content-type,if-none-match',
      'access-control-max-age': String(cors.maxAgeSeconds),
    })
    expect(events).toEqual([])
  })

  test.each([origin, asking])('is not a request with %j alone', async (headers) => {
    const { url } = await recordingGateway()
    expect((await fetch(`${url}/blocks/x`, { method: 'OPTIONS', headers })).status).toBe(404)
  })
})
