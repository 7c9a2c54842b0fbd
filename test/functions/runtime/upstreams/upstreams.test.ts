import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { retryAfterMsOf } from '../../../../functions/runtime/upstreams/graphql-client.ts'
import { portsOver, queryOver } from '../../../../functions/runtime/upstreams/upstreams.ts'
import { createChain } from '../../../../shared/chain/chain.ts'
import type { CallRecord } from '../../../../shared/chain/port.ts'
import type { WireError } from '../../../../shared/upstream/errors.ts'
import { indexerQuery } from '../../../../shared/upstream/indexer-query.ts'
import { nodeTipQuery } from '../../../../shared/upstream/node-query.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import type { CallLimits } from '../../../../shared/upstream/query.ts'
import { shape, text as textField } from '../../../../shared/upstream/wire.ts'
import { serve } from '../../../serving.ts'
import { silentObserver } from '../../../shared/chain/silent-observer.ts'

const question = operation('node', 'query', 'question', '$a: String!', shape({ hash: textField }))
/** The address of an upstream that does this until its test ends. */
const upstream = async (listener: RequestListener): Promise<string> => `${(await serve(listener)).url}/graphql`

/** The port to a node that does this. */
const portTo = async (listener: RequestListener) =>
  queryOver({ node: { url: await upstream(listener), headers: {}, timeoutMs: 5000 }, indexers: [] })

const ask = (url: string, headers = {}, timeoutMs = 5000) =>
  queryOver({ node: { url, headers, timeoutMs }, indexers: [] })(question, { a: 'x' })

/** Asks an upstream that sends just this. */
const askFor = async (body: string | Buffer, { status = 200, type }: { status?: number; type?: string } = {}) =>
  ask(
    await upstream((_request, response) => response.writeHead(status, type ? { 'content-type': type } : {}).end(body)),
  )

describe('the port over HTTP', () => {
  test('posts document and variables, no operation name, as exactly application/json, with the headers set', async () => {
    const received: { request: IncomingMessage; body: string }[] = []
    const url = await upstream(async (request, response) => {
      received.push({ request, body: await text(request) })
      response.end('{"data":{"hash":"h"}}')
    })
    expect(await ask(url, { 'x-api-key': 'k' })).toEqual({ status: 200, data: { hash: 'h' }, errors: [] })
    const [{ request, body } = { request: undefined, body: '' }] = received
    expect(JSON.parse(body)).toEqual({ query: 'query question($a: String!) {hash}', variables: { a: 'x' } })
    expect([request?.method, request?.url, request?.headers['content-type'], request?.headers['x-api-key']]).toEqual([
      'POST',
      '/graphql',
      'application/json',
      'k',
    ])
    expect(received).toHaveLength(1)
  })

  const good = '{"data":{"hash":"h"}}'
  const read = { status: 200, data: { hash: 'h' }, errors: [] }
  const rejected = {
    message: 'Transaction rejected',
    extensions: [{ message: 'InvalidNonce' }, { message: 'Expired' }],
  }
  test.each([
    ['of content type text/html', good, { type: 'text/html; charset=utf-8' }, read],
    ['of content type application/graphql-response+json', good, { type: 'application/graphql-response+json' }, read],
    [
      'of status 400',
      '{"errors":[{"message":"no"},{}],"data":null}',
      { status: 400 },
      { status: 400, data: null, errors: ['no', 'an error without a message'] },
    ],
    [
      'of status 503 with data, its long integers exact',
      '{"data":{"hash":83482371134848360}}',
      { status: 503 },
      { status: 503, data: { hash: 83482371134848360n }, errors: [] },
    ],
    [
      'of a Rust node, whose reasons stand under extensions',
      JSON.stringify({ data: null, errors: [rejected] }),
      {},
      { status: 200, data: null, errors: ['Transaction rejected: InvalidNonce', 'Transaction rejected: Expired'] },
    ],
    ['whose errors are null, an empty list', '{"data":{"hash":"h"},"errors":null}', {}, read],
    [
      'with exact long integers',
      '{"data":{"hash":83482371134848360}}',
      {},
      { ...read, data: { hash: 83482371134848360n } },
    ],
  ])('reads an answer %s', async (_what, body, answer, reply) => {
    expect(await askFor(body, answer)).toEqual(reply)
  })

  test.each([
    '"Syntax error"',
    '',
    '{"data":{"hash":',
    '[{"data":{"hash":"h"}}]',
    'null',
    '{"hash":"h"}',
    '{"data":"h"}',
    '{"data":{"hash":"h"},"errors":"no"}',
  ])('gives a reply with the status but without data, not an error, for the body %s', async (body) => {
    for (const status of [200, 502]) {
      expect(await askFor(body, { status })).toEqual({ status, data: undefined, errors: [] })
    }
  })

  test('ends one of several simultaneous questions to one upstream, and answers the others', async () => {
    const query = await portTo(async (request, response) => {
      const { variables } = JSON.parse(await text(request))
      response.end(JSON.stringify({ data: { hash: variables.a } }))
    })
    const abandoned = new AbortController()
    const asking = [
      query(question, { a: 'x' }),
      query(question, { a: 'y' }, { signal: abandoned.signal }),
      query(question, { a: 'z' }),
    ].map((asked) =>
      asked.then(
        ({ data }) => data,
        ({ fault }: WireError) => fault,
      ),
    )
    abandoned.abort()
    expect(await Promise.all(asking)).toEqual([{ hash: 'x' }, 'timeout', { hash: 'z' }])
  })

  test('gives up on an upstream that does not answer in time, earlier when the caller has less time left', async () => {
    const url = await upstream(() => undefined)
    const port = queryOver({ node: { url, headers: {}, timeoutMs: 60_000 }, indexers: [] })
    const tooLate = { name: 'WireError', fault: 'timeout' }
    await expect(ask(url, {}, 30)).rejects.toMatchObject(tooLate)
    await expect(port(question, { a: 'x' }, { limitMs: 20.5 })).rejects.toMatchObject(tooLate)
  })

  test('ends a call and its connection when its answer has become useless', async () => {
    const enough = new AbortController()
    let closed: Promise<unknown> | undefined
    const url = await upstream((request) => {
      closed = once(request.socket, 'close')
      enough.abort()
    })
    const [node] = portsOver({ node: { url, headers: {}, timeoutMs: 60_000 }, indexers: [] }).nodes
    expect(node).toEqual({ name: 'node', query: expect.any(Function), sharedAddress: true })
    const asking = node?.query(question, { a: 'x' }, { signal: enough.signal })
    await expect(asking).rejects.toMatchObject({ name: 'WireError', fault: 'timeout', isUnsent: false })
    await closed
  })

  test('gives a patient question the longer time-out', async () => {
    const url = await upstream((_request, response) => void setTimeout(() => response.end('{"data":{"hash":"h"}}'), 60))
    const indexer = { url, headers: {}, timeoutMs: 20, slowTimeoutMs: 5000 }
    const port = queryOver({ node: indexer, indexers: [indexer] })
    const walk = indexerQuery('walk', '', shape({ hash: textField }), { isPatient: true })
    expect(await port(walk, {})).toMatchObject({ data: { hash: 'h' } })
    await expect(port({ ...walk, isPatient: false }, {})).rejects.toMatchObject({ fault: 'timeout' })
  })
})

test('an address that redirects is asked once, although several nodes may share it, and the log says whereto', async () => {
  const requests: string[] = []
  const url = await upstream(async (request, response) => {
    requests.push(await text(request))
    response.writeHead(308, { location: 'https://node.example/graphql?key=secret' }).end()
  })
  const chain = createChain(portsOver({ node: { url, headers: {}, timeoutMs: 5000 }, indexers: [] }))
  const called: CallRecord[] = []
  const asking = { withinMs: 5000, observer: { ...silentObserver, called: (call: CallRecord) => called.push(call) } }
  const reason = 'HTTP 308 to https://node.example/graphql'
  await expect(chain.view(asking).request(nodeTipQuery, {})).rejects.toMatchObject({
    fault: 'unreadable',
    message: reason,
  })
  expect(called).toEqual([{ operation: 'nodeTip', durationMs: expect.any(Number), outcome: 'unreadable', reason }])
  expect(requests).toHaveLength(1)
})

test.each([
  [429, '7', 7000],
  [503, '3600', 60_000],
  [503, 'Thu, 01 Jan 2026 00:00:09 GMT', 9000],
  [503, 'Thu, 01 Jan 2025 00:00:00 GMT', undefined],
  [503, '0', undefined],
  [503, 'soon', undefined],
  [503, null, undefined],
  [500, '7', undefined],
])('an answer %i with retry-after %j means no capacity for %j ms', (status, retryAfter, expectedMs) => {
  expect(retryAfterMsOf(status, retryAfter, Date.UTC(2026, 0, 1))).toBe(expectedMs)
})

describe('a connection that broke while the instance was frozen', () => {
  /** Answers what wakes it up, and breaks each of those connections with the next question. */
  async function breaking(document: 'query' | 'mutation', limits: CallLimits = {}) {
    const slept = new Set<object>()
    const received: string[] = []
    const query = await portTo(async (request, response) => {
      const { query: document } = JSON.parse(await text(request))
      received.push(document)
      if (slept.has(request.socket)) request.socket.resetAndDestroy()
      else response.end('{"data":{"hash":"h"}}')
      slept.add(request.socket)
    })
    await Promise.all([query(question, {}), query(question, {})])
    const reply = query(operation('node', document, 'x', '', shape({ hash: textField })), {}, limits)
    const outcome = await reply.catch(({ fault }: WireError) => fault)
    return { outcome, sent: received.filter((sent) => sent.includes(' x')).length }
  }

  test.each([
    ['costs a query one more try, on a new one', 'query', {}, { status: 200, data: { hash: 'h' }, errors: [] }, 2],
    ['is reported for a mutation, which may have been taken', 'mutation', {}, 'unreachable', 1],
    ['is reported for a query that is a repeat already', 'query', { isRepeat: true }, 'unreachable', 1],
  ] as const)('%s', async (_what, document, limits, outcome, sent) => {
    expect(await breaking(document, limits)).toEqual({ outcome, sent })
  })
})

test.each<[string, string, RequestListener, number]>([
  ['whose connection breaks each time is repeated once', 'unreachable', ({ socket }) => socket.destroy(), 2],
  [
    'whose answer cannot be read is not sent again',
    'unreadable',
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip, br' }).end('x'),
    1,
  ],
])('a query %s', async (_what, fault, listener, requests) => {
  let received = 0
  const query = await portTo((request, response) => {
    received += 1
    listener(request, response)
  })
  await expect(query(question, {})).rejects.toMatchObject({ name: 'WireError', fault })
  expect(received).toBe(requests)
})

test.each([
  ['query', 1999, 1],
  ['query', 3999, 1],
  ['mutation', 1999, 1],
  ['mutation', 2000, 2],
] as const)('a %s after %i idle milliseconds makes %i connections', async (kind, idleMs, count) => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0)
  const connections = new Set<object>()
  const query = await portTo((request, response) => {
    connections.add(request.socket)
    response.end('{"data":{"hash":"h"}}')
  })
  await query(question, {})
  clock.mockReturnValue(idleMs)
  await query(operation('node', kind, 'x', '', shape({ hash: textField })), {})
  clock.mockRestore()
  expect(connections.size).toBe(count)
})

describe('a call with a key', () => {
  let now = 0
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockImplementation(() => now)
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  /** The port to a node that takes one key and five seconds for a refusal, and what it was given. */
  async function asking(taken: string, refusal: number, keys: string[]) {
    const { url } = await serve(
      (_request, response) => void response.end(JSON.stringify({ SecretString: keys.shift() })),
    )
    const received: unknown[] = []
    const { url: node } = await serve((request, response) => {
      const key = request.headers['x-api-key']
      received.push(key)
      if (key === taken) response.end('{"data":{"hash":"h"}}')
      else {
        now += 5000
        response.writeHead(refusal).end('no')
      }
    })
    const credential = { header: 'x-api-key', secret: 's' }
    const upstreams = { node: { url: node, headers: {}, credential, timeoutMs: 5000 }, indexers: [] }
    const settings = { ...upstreams, extension: { url, token: 't' } }
    return { query: queryOver(settings), received }
  }

  const good = { status: 200, data: { hash: 'h' }, errors: [] }
  const refused = (status: number) => ({ status, data: undefined, errors: [] })
  test.each([
    ['carries it in its header', 'right', 401, ['right'], good, ['right']],
    [
      'that is refused with 401 is sent once more with the key that replaced it',
      'new',
      401,
      ['old', 'new'],
      good,
      ['old', 'new'],
    ],
    [
      'that is refused with 403 is sent once more with the key that replaced it',
      'new',
      403,
      ['old', 'new'],
      good,
      ['old', 'new'],
    ],
    [
      'that is refused although the key is right is not sent again',
      'another',
      403,
      ['right', 'right'],
      refused(403),
      ['right'],
    ],
    ['that fails otherwise is not sent again', 'new', 500, ['old', 'new'], refused(500), ['old']],
  ])('%s', async (_what, taken, refusal, keys, reply, sentKeys) => {
    const { query, received } = await asking(taken, refusal, keys)
    expect(await query(question, {})).toEqual(reply)
    expect(received).toEqual(sentKeys)
  })

  test('that is a mutation is never sent again, but the next call has the new key', async () => {
    const { query, received } = await asking('new', 401, ['old', 'new'])
    const mutation = operation('node', 'mutation', 'send', '', shape({ hash: textField }))
    expect(await query(mutation, {})).toEqual(refused(401))
    await query(question, {})
    expect(received).toEqual(['old', 'new'])
  })
})
