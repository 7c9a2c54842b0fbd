import { once } from 'node:events'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { describe as describeError } from '../../../../functions/runtime/upstreams/connections.ts'
import { createTransport } from '../../../../functions/runtime/upstreams/transport.ts'
import { attemptMsWithin } from '../../../../shared/deployment/settings.ts'
import { httpAnswer, question, type RawAnswer, rawServer, sends, serving } from './raw-server.ts'
import { transportFaults } from './transport-faults.ts'

const json = '{"data":{"hash":"h"}}'

/** The reason with which `AbortSignal.timeout` ends a question. */
const timeIsOver = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')

describe('an upstream', () => {
  test.each(transportFaults)('that $does is $fault after one request', async ({ answer, fault }) => {
    const { url, requests } = await serving(answer)
    await expect(createTransport()(question(url))).rejects.toMatchObject({ name: 'WireError', fault, isUnsent: false })
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['https://user:word@node.example/v1/graphql?key=secret', 'https://node.example/v1/graphql'],
    ['/graphql/', '%s/graphql/'],
    ['ftp://node.example/', undefined],
    ['http://:', undefined],
  ])('that redirects to %s is asked once, and the error names origin and path %s', async (location, place) => {
    const server = await serving(sends(httpAnswer(301, '', { location })))
    const target = place?.replace('%s', new URL(server.url).origin)
    await expect(createTransport()(question(server.url))).rejects.toMatchObject({
      fault: 'unreadable',
      message: target === undefined ? 'HTTP 301' : `HTTP 301 to ${target}`,
      status: 301,
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each<[string, RawAnswer]>([
    ['says nothing', () => undefined],
    ['stops within the headers', sends('HTTP/1.1 200 OK\r\ncontent-')],
    ['stops within the body', sends('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')],
    [
      'stops within gzip',
      sends(httpAnswer(200, gzipSync(json).subarray(0, 20), { 'content-encoding': 'gzip', 'content-length': '99' })),
    ],
  ])('that %s times out when the signal comes, and its connection is closed', async (_does, answer) => {
    const late = new AbortController()
    const { url, connections, requests } = await serving((socket, request) => {
      answer(socket, request)
      // The answer's first part has arrived by then.
      setImmediate(() => setImmediate(() => late.abort(timeIsOver())))
    })
    const asking = createTransport()(question(url, { signal: late.signal }))
    await expect(asking).rejects.toMatchObject({ fault: 'timeout', isUnsent: false })
    for (const socket of connections) if (!socket.destroyed) await once(socket, 'close')
    expect(requests).toHaveLength(1)
  })

  test('receives no request once the signal has come', async () => {
    const { url, requests } = await serving(sends(httpAnswer(200, json)))
    await expect(createTransport()(question(url, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      fault: 'timeout',
      isUnsent: true,
    })
    expect(requests).toEqual([])
  })

  test('without a server is unreachable', async () => {
    const { url, close } = await rawServer(() => undefined)
    await close()
    await expect(createTransport()(question(url))).rejects.toMatchObject({
      fault: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
      isUnsent: true,
    })
  })

  test.each(['nowhere', 'ftp://127.0.0.1/', 'http://127.0.0.1:99999/'])(
    'at the address %s is unreachable',
    async (url) => {
      await expect(createTransport()(question(url))).rejects.toMatchObject({ fault: 'unreachable' })
    },
  )

  test.each([
    ['x-key', 'a\nsecret'],
    ['x-key', 'secret\u{20ac}'],
    ['x key', 'secret'],
  ])(
    'is unreachable with a header that HTTP cannot carry (%j: %j), and the error does not quote it',
    async (name, value) => {
      const { url, requests } = await serving(sends(httpAnswer(200, json)))
      await expect(createTransport()(question(url, { headers: { [name]: value } }))).rejects.toMatchObject({
        fault: 'unreachable',
        message: expect.not.stringContaining('secret'),
      })
      expect(requests).toEqual([])
    },
  )

  test('that scrambles its bytes causes an answer or a fault', async () => {
    let bytes = Buffer.alloc(0)
    const { url } = await serving((socket) => socket.end(bytes))
    const gzipped = httpAnswer(200, gzipSync(json), { 'content-encoding': 'gzip' })
    const chunked = Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n')
    const change = fc.tuple(fc.nat(200), fc.nat(3), fc.uint8Array({ maxLength: 4 }))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(httpAnswer(200, json), gzipped, chunked),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (answer, changes) => {
          bytes = changes.reduce(
            (last, [at, cut, added]) => Buffer.concat([last.subarray(0, at), added, last.subarray(at + cut)]),
            answer,
          )
          const outcome = await createTransport()(question(url)).catch((error: unknown) => error)
          expect(outcome).toEqual(
            outcome instanceof Error
              ? expect.objectContaining({ name: 'WireError', fault: expect.stringMatching(/^un(reachable|readable)$/) })
              : { status: expect.any(Number), headers: expect.any(Object), text: expect.any(String) },
          )
        },
      ),
      { seed: 1, numRuns: 300 },
    )
  })
})

test('a connection that fails at several addresses is described by each', () => {
  const failed = (code: string, address: string) => Object.assign(new Error(`connect ${code} ${address}`), { code })
  const error = new AggregateError([failed('ETIMEDOUT', '192.0.2.1:443'), failed('ENETUNREACH', '2001:db8::1:443')])
  expect(describeError(error)).toBe('connect ETIMEDOUT 192.0.2.1:443, connect ENETUNREACH 2001:db8::1:443')
})

test.each([
  [150, 50],
  [6000, 2000],
  [8000, 2500],
  [60_000, 2500],
])('of a time-out of %i ms an address has %i for its connection', (timeoutMs, attemptMs) => {
  expect(attemptMsWithin(timeoutMs)).toBe(attemptMs)
})

describe('an upstream behind TLS', () => {
  const overTls = ({ port }: { readonly port: number }) => question(`https://127.0.0.1:${port}/graphql`)

  test.each<[string, (socket: Socket) => unknown]>([
    ['speaks plain HTTP', (socket) => socket.write(httpAnswer(200, json))],
    ['resets its connection', (socket) => socket.resetAndDestroy()],
    ['breaks the handshake', (socket) => socket.write(Buffer.from('160303000402000000', 'hex'))],
  ])('that %s is unreachable', async (_does, onHello) => {
    const server = await serving(() => undefined, {
      onConnection: (socket) => socket.once('data', () => onHello(socket)),
    })
    await expect(createTransport()(overTls(server))).rejects.toMatchObject({ fault: 'unreachable', isUnsent: true })
  })

  test('that never ends the handshake has received nothing when the time is over', async () => {
    const late = new AbortController()
    const server = await serving(() => undefined, {
      onConnection: (socket) => socket.once('data', () => late.abort(timeIsOver())),
    })
    const asking = createTransport()({ ...overTls(server), signal: late.signal })
    await expect(asking).rejects.toMatchObject({
      fault: 'timeout',
      message: expect.stringMatching(`: no connection with 127\\.0\\.0\\.1:${server.port}$`),
      isUnsent: true,
    })
  })
})
