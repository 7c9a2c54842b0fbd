// How far the port may go for one question, from an endpoint to the upstream.
import { expect, test } from '@jest/globals'
import { serve } from '../../../functions/runtime/serve.ts'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { nodeTip, summaryFromNode } from '../../../shared/mapping/summary.ts'
import { operation } from '../../../shared/upstream/operation.ts'
import type { CallLimits, QueryUpstream } from '../../../shared/upstream/query.ts'
import { shape, text } from '../../../shared/upstream/wire.ts'
import { blockWire } from '../../shared/mapping/node-wire.ts'
import { httpEvent, lambdaContext } from '../event.ts'

const question = operation('node', 'query', 'question', '', shape({ hash: text }))

/** What the port is given when an endpoint gives these. */
async function limitsGiven(limits?: CallLimits) {
  const given: (CallLimits | undefined)[] = []
  const port: QueryUpstream = async (_operation, _variables, limits) => {
    given.push(limits)
    return { status: 200, data: { hash: 'h' }, errors: [] }
  }
  const endpoint: Endpoint = {
    ...getSummary,
    input: () => undefined,
    async run(_input, { query }) {
      await query(question, {}, limits)
      return { status: 200, body: summaryFromNode(nodeTip.read(blockWire, 'tip'), 'a', 0n) }
    },
  }
  const upstreams = { query: port, nodes: [], configured: { indexer: false } }
  await serve(endpoint, validateSummary, { upstreams, log: () => undefined })(httpEvent({}), lambdaContext())
  return given
}

test.each<[CallLimits, CallLimits]>([
  [{ limitMs: 300 }, { limitMs: 300 }],
  [{ limitMs: -5 }, { limitMs: 1 }],
  [
    { limitMs: 300, isRepeat: true },
    { limitMs: 300, isRepeat: true },
  ],
])('%j reaches the upstream as %j', async (limits, given) => {
  expect(await limitsGiven(limits)).toEqual([given])
})

test('a question without limits has the time that is left of its request', async () => {
  const [limits] = await limitsGiven()
  expect(limits).toEqual({ limitMs: expect.any(Number) })
  expect(limits?.limitMs).toBeLessThanOrEqual(20_000)
  expect(limits?.limitMs).toBeGreaterThan(0)
})

test('a pause ends when what it waits for is no longer needed', async () => {
  const enough = new AbortController()
  const endpoint: Endpoint = {
    ...getSummary,
    input: () => undefined,
    async run(_input, { deadline }) {
      const pausing = deadline.pause(60_000, enough.signal)
      enough.abort()
      await pausing
      await deadline.pause(60_000, enough.signal)
      return { status: 200, body: summaryFromNode(nodeTip.read(blockWire, 'tip'), 'a', 0n) }
    },
  }
  const upstreams = { query: () => Promise.reject(new Error('no question')), nodes: [], configured: { indexer: false } }
  const handler = serve(endpoint, validateSummary, { upstreams, log: () => undefined })
  expect(await handler(httpEvent({}), lambdaContext())).toMatchObject({ statusCode: 200 })
})
