// What the service answers when the node behind it misbehaves, over HTTP.
import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { get, post, type RunningService, runService, signPayment, wallet } from './running-service.ts'

const secret = 'http://10.1.2.3:3085 INTERNAL'
const sends =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(body)

const unavailable = { message: 'Upstream unavailable.' }
const faults: readonly [string, RequestListener, number, object][] = [
  ['cuts the connection', (request) => void request.socket.destroy(), 502, unavailable],
  ['answers HTML', sends(200, `<html>${secret}</html>`), 502, unavailable],
  ['answers half a JSON', sends(200, '{"data":{"bestChain":['), 502, unavailable],
  ['answers nothing', sends(200, ''), 502, unavailable],
  ['answers a bare string', sends(200, '"syntax error"'), 502, unavailable],
  ['answers data: null', sends(200, '{"data":null}'), 502, unavailable],
  ['answers errors beside data', sends(200, `{"data":{},"errors":[{"message":"${secret}"}]}`), 502, unavailable],
  ['answers 502', sends(502, secret), 502, unavailable],
  ['answers 429', sends(429, secret), 503, unavailable],
  ['answers 503', sends(503, secret), 503, unavailable],
]

describe('a node that', () => {
  let service: RunningService
  let paths: readonly string[]
  beforeAll(async () => {
    service = await runService('testnet', 20_000)
    const { stateHash } = service.chain.tip()
    paths = ['/blocks', `/blocks/${stateHash}`, `/accounts/${wallet(service.chain, 'alice').publicKey}`, '/summary']
  })
  afterEach(() => {
    service.fault = undefined
    service.chain.bootstrapping = false
  })
  afterAll(() => service.close())

  test.each(faults)('%s fails each GET with one status and a fixed text', async (_does, fault, status, body) => {
    service.fault = fault
    for (const path of paths) {
      const answer = await get(service.url + path)
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body })
      expect(answer.headers.get('cache-control')).toBe('public, max-age=1, stale-if-error=0')
      expect(answer.headers.get('retry-after')).toBe(status === 503 ? '5' : null)
    }
  })

  test('bootstraps fails each GET with 503, also for accounts, which it answers with null', async () => {
    service.chain.bootstrapping = true
    for (const path of paths) {
      const answer = await get(service.url + path)
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 503, body: unavailable })
    }
  })

  test.each(faults)('%s fails a broadcast with 400 that calls the outcome unknown', async (_does, fault) => {
    service.fault = fault
    const { chain, url } = service
    const answer = await post(
      `${url}/broadcast/transaction`,
      signPayment(chain, wallet(chain, 'judy'), wallet(chain, 'bob')),
    )
    expect(answer).toEqual({
      status: 400,
      body: {
        message: 'Error in sending transaction',
        error: expect.stringMatching(
          /^Query failed to run by returning code of \d{3}\. mutation .*\| \[.*\] The outcome is unknown: .* is safe\.$/,
        ),
      },
    })
    expect(JSON.stringify(answer.body)).not.toContain('10.1.2.3')
  })

  test('hangs fails each GET with 504, and a broadcast with 400 that calls the outcome unknown', async () => {
    const hanging = await runService('testnet', 60)
    hanging.fault = () => undefined
    const answers = await Promise.all(paths.map((path) => get(hanging.url + path)))
    const { chain, url } = hanging
    const signed = signPayment(chain, wallet(chain, 'judy'), wallet(chain, 'bob'))
    const broadcast = await post(`${url}/broadcast/transaction`, signed)
    await hanging.close()
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      paths.map(() => ({ status: 504, body: { message: 'Upstream timed out.' } })),
    )
    expect(broadcast).toEqual({
      status: 400,
      body: {
        message: 'Error in sending transaction',
        error: expect.stringMatching(/^Query failed to run by returning code of 504\. .* The outcome is unknown: /),
      },
    })
  })

  test('is gone fails each GET with 502', async () => {
    const { url, closeNode, close } = await runService()
    await closeNode()
    const answers = await Promise.all(paths.map((path) => get(url + path)))
    await close()
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      paths.map(() => ({ status: 502, body: unavailable })),
    )
  })
})

describe('a request that cannot mean anything', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await runService()
  })
  afterAll(() => service.close())

  test.each([
    ['/blocks?limit=0', 400],
    ['/blocks?limit=1&limit=2', 400],
    ['/blocks/%00', 404],
    ['/blocks/a%2Fb', 404],
    ['/%73ummary', 404],
    ['/summary%3Fx=1', 404],
    ['/blocks/"}){block{stateHash}}', 404],
    [`/accounts/${'B'.repeat(10_000)}`, 404],
    ['/accounts/B62qre3erTHfzQckNuibViWQGyyKwZseztqrjPZBv6SQF384Rg6ESAz', 404],
    ['/nowhere', 404],
    ['/blocks/a/b', 404],
  ])('%s gets %d without asking the node', async (path, status) => {
    const answer = await get(service.url + path)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ message: expect.any(String) })
    expect(service.received).toEqual([])
  })
})
