// A question is repeated when its connection breaks, unless it may have been taken.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, jest, test } from '@jest/globals'
import { queryOver } from '../../../../functions/runtime/upstreams/upstreams.ts'
import type { WireError } from '../../../../shared/upstream/errors.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import type { CallLimits } from '../../../../shared/upstream/query.ts'
import { shape, text as textField } from '../../../../shared/upstream/wire.ts'
import { serve } from '../../../serving.ts'

/** The port to a node that does this. */
async function portTo(listener: RequestListener) {
  const { url } = await serve(listener)
  return queryOver({ node: { url: `${url}/graphql`, headers: {}, timeoutMs: 5000 } })
}

const question = operation('node', 'query', 'question', '', shape({ hash: textField }))

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
