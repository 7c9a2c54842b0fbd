import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { portsOver, queryOver } from '../../../../functions/runtime/upstreams/upstreams.ts'
import type { WireError } from '../../../../shared/upstream/errors.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import type { CallLimits } from '../../../../shared/upstream/query.ts'
import { shape, text as textField } from '../../../../shared/upstream/wire.ts'
import { serve } from '../../../local/serving.ts'

const question = operation('node', 'query', 'question', '$a: String!', shape({ hash: textField }))
/** The address of an upstream that does this until its test ends. */
const upstream = async (listener: RequestListener): Promise<string> => `${(await serve(listener)).url}/graphql`

/** The port to a node that does this. */
const portTo = async (listener: RequestListener) =>
  queryOver({ node: { url: await upstream(listener), headers: {}, timeoutMs: 5000 } })

const ask = (url: string, headers = {}, timeoutMs = 5000) =>
  queryOver({ node: { url, headers, timeoutMs } })(question, { a: 'x' })

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

  test.each([undefined, 'text/plain', 'text/html; charset=utf-8', 'application/graphql-response+json'])(
    'reads a GraphQL answer of content type %s',
    async (type) => {
      expect(await askFor('{"data":{"hash":"h"}}', type === undefined ? {} : { type })).toEqual({
        status: 200,
        data: { hash: 'h' },
        errors: [],
      })
    },
  )

  test.each([200, 400, 503])('reads a GraphQL answer of status %d', async (status) => {
    expect(await askFor('{"errors":[{"message":"no"},{}],"data":null}', { status })).toEqual({
      status,
      data: null,
      errors: ['no', 'an error without a message'],
    })
  })

  test('reads the reasons of a Rust node, which stand under extensions', async () => {
    const errors = [
      { message: 'Transaction rejected', extensions: [{ message: 'InvalidNonce' }, { message: 'Expired' }] },
    ]
    expect(await askFor(JSON.stringify({ data: null, errors }))).toEqual({
      status: 200,
      data: null,
      errors: ['Transaction rejected: InvalidNonce', 'Transaction rejected: Expired'],
    })
  })

  test('takes errors: null for an empty list', async () => {
    expect(await askFor('{"data":{"hash":"h"},"errors":null}')).toEqual({
      status: 200,
      data: { hash: 'h' },
      errors: [],
    })
  })

  test('keeps long integers exact', async () => {
    expect(await askFor('{"data":{"total":83482371134848360}}')).toEqual({
      status: 200,
      data: { total: 83482371134848360n },
      errors: [],
    })
  })

  test.each([
    ['a bare JSON string', '"Syntax error"', 200],
    ['HTML', '<html>502</html>', 502],
    ['nothing', '', 200],
    ['half a JSON', '{"data":{"hash":', 200],
    ['a list', '[{"data":{"hash":"h"}}]', 200],
    ['a number', '5', 200],
    ['null', 'null', 200],
    ['an object of another kind', '{"hash":"h"}', 200],
    ['data that is text', '{"data":"h"}', 200],
    ['broken UTF-8 beside JSON', '\u{fffd}{', 503],
  ])('%s is a reply without data, not an error', async (_what, body, status) => {
    expect(await askFor(body, { status })).toEqual({ status, data: undefined, errors: [] })
  })

  test('gives up on an upstream that does not answer in time', async () => {
    const url = await upstream(() => undefined)
    await expect(ask(url, {}, 30)).rejects.toMatchObject({ name: 'WireError', fault: 'timeout' })
  })

  test('gives up earlier when the caller has less time left', async () => {
    const url = await upstream(() => undefined)
    const port = queryOver({ node: { url, headers: {}, timeoutMs: 60_000 } })
    await expect(port(question, { a: 'x' }, { limitMs: 20.5 })).rejects.toMatchObject({
      name: 'WireError',
      fault: 'timeout',
    })
  })

  test('ends a call and its connection when its answer has become useless', async () => {
    const enough = new AbortController()
    let closed: Promise<unknown> | undefined
    const url = await upstream((request) => {
      closed = once(request.socket, 'close')
      enough.abort()
    })
    const { nodes } = portsOver({ node: { url, headers: {}, timeoutMs: 60_000 } })
    expect(nodes).toEqual([{ name: 'node', query: expect.any(Function), sharedAddress: true }])
    const asking = nodes[0]?.query(question, { a: 'x' }, { signal: enough.signal })
    await expect(asking).rejects.toMatchObject({ name: 'WireError', fault: 'timeout', isUnsent: false })
    await closed
  })

  test('gives a patient question the longer time-out', async () => {
    const url = await upstream((_request, response) => void setTimeout(() => response.end('{"data":{"hash":"h"}}'), 60))
    const indexer = { url, headers: {}, timeoutMs: 20, slowTimeoutMs: 5000 }
    const port = queryOver({ node: indexer, indexer })
    const walk = operation('indexer', 'query', 'walk', '', shape({ hash: textField }), { isPatient: true })
    expect(await port(walk, {})).toMatchObject({ data: { hash: 'h' } })
    await expect(port({ ...walk, isPatient: false }, {})).rejects.toMatchObject({ fault: 'timeout' })
  })

  test('refuses a question to an indexer that is not set', async () => {
    const walk = operation('indexer', 'query', 'walk', '', shape({ hash: textField }))
    const node = { url: 'http://127.0.0.1:1/', headers: {}, timeoutMs: 10 }
    await expect(queryOver({ node })(walk, {})).rejects.toThrow('walk: no indexer is configured')
  })
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

  test('costs a query one more try, on a new one', async () => {
    expect(await breaking('query')).toEqual({ outcome: { status: 200, data: { hash: 'h' }, errors: [] }, sent: 2 })
  })

  test('is reported for a mutation, which may have been taken', async () => {
    expect(await breaking('mutation')).toEqual({ outcome: 'unreachable', sent: 1 })
  })

  test('is reported for a query that is a repeat already', async () => {
    expect(await breaking('query', { isRepeat: true })).toEqual({ outcome: 'unreachable', sent: 1 })
  })
})

test('a query is repeated once at most', async () => {
  let received = 0
  const query = await portTo((request) => {
    received += 1
    request.socket.destroy()
  })
  await expect(query(question, {})).rejects.toMatchObject({ name: 'WireError', fault: 'unreachable' })
  expect(received).toBe(2)
})

test('a query whose answer cannot be read is not sent again', async () => {
  let received = 0
  const query = await portTo((_request, response) => {
    received += 1
    response.writeHead(200, { 'content-encoding': 'gzip, br' }).end('x')
  })
  await expect(query(question, {})).rejects.toMatchObject({ name: 'WireError', fault: 'unreadable' })
  expect(received).toBe(1)
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
    const settings = { node: { url: node, headers: {}, credential, timeoutMs: 5000 }, extension: { url, token: 't' } }
    return { query: queryOver(settings), received }
  }

  test('carries it in its header', async () => {
    const { query, received } = await asking('right', 401, ['right'])
    expect(await query(question, { a: 'x' })).toEqual({ status: 200, data: { hash: 'h' }, errors: [] })
    expect(received).toEqual(['right'])
  })

  test.each([401, 403])(
    'that is refused with %i is sent once more with the key that replaced the old one',
    async (refusal) => {
      const { query, received } = await asking('new', refusal, ['old', 'new'])
      expect(await query(question, { a: 'x' })).toEqual({ status: 200, data: { hash: 'h' }, errors: [] })
      await query(question, { a: 'x' })
      expect(received).toEqual(['old', 'new', 'new'])
    },
  )

  test.each([401, 403])('that is refused with %i although the key is right is not sent again', async (refusal) => {
    const { query, received } = await asking('another', refusal, ['right', 'right'])
    expect(await query(question, { a: 'x' })).toEqual({ status: refusal, data: undefined, errors: [] })
    expect(received).toEqual(['right'])
  })

  test('that is a mutation is never sent again, but the next call has the new key', async () => {
    const { query, received } = await asking('new', 401, ['old', 'new'])
    const mutation = operation('node', 'mutation', 'send', '', shape({ hash: textField }))
    expect(await query(mutation, {})).toEqual({ status: 401, data: undefined, errors: [] })
    await query(question, { a: 'x' })
    expect(received).toEqual(['old', 'new'])
  })

  test('that fails otherwise is not sent again', async () => {
    const { query, received } = await asking('new', 500, ['old', 'new'])
    expect(await query(question, { a: 'x' })).toMatchObject({ status: 500 })
    expect(received).toEqual(['old'])
  })
})
