import { describe, expect, test } from '@jest/globals'
import { cors } from '../../../shared/http/cors.ts'
import { recordingGateway } from './listening.ts'

const origin = { origin: 'https://wallet.example' }
const asking = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }

const crossOriginHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')))

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': cors.exposeHeaders.join(','),
}

describe('the gateway', () => {
  test.each([
    ['a success', '/blocks/x', 200],
    ['an unknown route', '/nowhere', 404],
    ['an option without a meaning', '/blocks/x?limit=0', 400],
    ['a crash', '/blocks/crash', 500],
  ])('adds the CORS headers to %s where the caller has an origin', async (_, path, status) => {
    const { url } = await recordingGateway({}, () => {
      if (status === 500) throw new Error('crash')
      return { statusCode: 200, body: '' }
    })
    const response = await fetch(url + path, { headers: origin })
    expect([response.status, crossOriginHeaders(response)]).toEqual([status, corsHeaders])
    expect(crossOriginHeaders(await fetch(url + path))).toEqual({})
  })

  test.each([
    [origin, corsHeaders],
    [{}, {}],
  ])('drops the CORS headers of a function, where the caller sends %j', async (headers, expected) => {
    const own = { 'Access-Control-Allow-Origin': 'https://own.example', 'access-control-allow-credentials': 'true' }
    const { url } = await recordingGateway({}, () => ({ statusCode: 200, headers: own }))
    expect(crossOriginHeaders(await fetch(`${url}/blocks/x`, { headers }))).toEqual(expected)
  })

  test.each(['/blocks/x', '/nowhere'])('answers a preflight for %s without a function', async (path) => {
    const { url, events } = await recordingGateway()
    const response = await fetch(url + path, { method: 'OPTIONS', headers: { ...origin, ...asking } })
    expect([response.status, await response.text(), response.headers.has('content-length')]).toEqual([204, '', false])
    expect(crossOriginHeaders(response)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,POST,OPTIONS',
      'access-control-allow-headers': 'content-type,if-none-match',
      'access-control-max-age': String(cors.maxAgeSeconds),
    })
    expect(events).toEqual([])
  })

  test.each([origin, asking])('takes no request with %j alone for a preflight', async (headers) => {
    const { url } = await recordingGateway()
    expect((await fetch(`${url}/blocks/x`, { method: 'OPTIONS', headers })).status).toBe(404)
  })
})
