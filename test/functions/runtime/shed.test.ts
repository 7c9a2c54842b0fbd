// Busy nodes as one instance of a function meets them, over HTTP and by a clock that a test sets.
import { afterEach, expect, test } from '@jest/globals'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { metricsLine } from '../../../functions/runtime/metrics.ts'
import { readingBody } from '../../../functions/runtime/request-body.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { createUpstreams } from '../../../functions/runtime/upstreams/upstreams.ts'
import validateTransaction from '../../../functions/runtime/validators/broadcast-transaction.js'
import validateBlock from '../../../functions/runtime/validators/get-block.js'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import { createChain } from '../../../local/chain/chain.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { type Listening, listen } from '../../../local/start/listen.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { httpEvent, lambdaContext } from '../event.ts'
import { post, signed } from './signed-payment.ts'

const chain = createChain({ seed: 'busy', now: Date.now, blockSeconds: 10, slotsPerEpoch: 40 })
const servers: Listening[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** Functions before nodes that answer 503 while they are busy, and what they do. */
async function busyNodes(count: number) {
  const state = { isBusy: true, calls: 0, now: Date.now() }
  const answer = nodeServer(chain)
  for (let node = 0; node < count; node++) {
    const server = await listen(
      (request, response) => {
        state.calls++
        if (state.isBusy) response.writeHead(503).end('overloaded')
        else void answer(request, response)
      },
      0,
      '127.0.0.1',
    )
    servers.push(server)
  }
  const urls = servers.map(({ port }) => `http://127.0.0.1:${port}/graphql`)
  const clock = { now: () => state.now, after: () => () => undefined }
  const upstreams = createUpstreams(readSettings({ NODE_GRAPHQL_URL: urls.join() }), clock)
  const lines: RequestLine[] = []
  const ports = { upstreams, log: (line: RequestLine) => void lines.push(line), pause: async () => undefined }
  const summary = serve(getSummary, validateSummary, ports)
  const block = serve(getBlock, validateBlock, ports)
  const payment = serve(broadcastTransaction, validateTransaction, { ...ports, readBody: readingBody() })
  /** What a request answers, and how many calls it cost the nodes. */
  const answered = async (request: ReturnType<typeof summary>) => {
    const before = state.calls
    const { statusCode } = await request
    return [statusCode, state.calls - before]
  }
  return {
    state,
    lines,
    summary: () => summary(httpEvent({ path: '/summary' }), lambdaContext()),
    malformedBlock: () =>
      block(
        httpEvent({ path: '/blocks/x', route: '/blocks/{state_hash}', pathParameters: { state_hash: 'x' } }),
        lambdaContext(),
      ),
    broadcast: () => payment(post(JSON.stringify(signed)), lambdaContext()),
    answered,
  }
}

test('a read within a second of a busy answer is 503 with Retry-After at once, and the next second tries again', async () => {
  const { state, summary, answered } = await busyNodes(1)
  const seen = []
  for (const passedMs of [0, 1, 998, 1, 1]) {
    state.now += passedMs
    seen.push(await answered(summary()))
  }
  expect(seen).toEqual([
    [503, 1],
    [503, 0],
    [503, 0],
    [503, 1],
    [503, 0],
  ])
  expect(await summary()).toEqual({
    statusCode: 503,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=1, stale-if-error=0',
      'retry-after': '5',
    },
    body: '{"message":"Upstream unavailable."}',
  })
})

test('several nodes are each tried, and then spared together', async () => {
  const { state, summary, answered } = await busyNodes(2)
  const calls = []
  for (let request = 0; request < 10; request++) calls.push((await answered(summary()))[1])
  // The question which network a node is on goes beside the first one.
  expect(calls.slice(1)).toEqual(Array(9).fill(0))
  state.now += 1000
  expect((await answered(summary()))[1]).toBeGreaterThan(0)
})

test('nodes that have recovered answer the next second', async () => {
  const { state, summary, answered } = await busyNodes(1)
  await summary()
  state.isBusy = false
  expect(await answered(summary())).toEqual([503, 0])
  state.now += 1000
  expect(await answered(summary())).toEqual([200, 1])
  expect(await answered(summary())).toEqual([200, 1])
})

test('a broadcast is never shed', async () => {
  const { summary, broadcast, answered } = await busyNodes(1)
  await summary()
  const [status, calls] = await answered(broadcast())
  expect([status, Number(calls) > 0]).toEqual([400, true])
})

test('what is answered without a node is answered all the same', async () => {
  const { summary, malformedBlock } = await busyNodes(1)
  await summary()
  expect((await malformedBlock()).statusCode).toBe(404)
})

test('the line of a read that was shed says so, and counts no call', async () => {
  const { lines, summary } = await busyNodes(1)
  await summary()
  await summary()
  const [asked, shed] = lines
  expect(asked).toMatchObject({ failedCalls: 'chainSummary 503', note: 'chainSummary: no data, HTTP 503' })
  expect(shed).toMatchObject({
    status: 503,
    failedCalls: 'chainSummary shed',
    note: 'not asked: each node answered busy within the last second',
  })
  const measured = shed && metricsLine(shed, 'stack', 0)
  expect(measured).toMatchObject({ Shed: 1, Faults: 1 })
  expect(measured).not.toHaveProperty('UpstreamErrors')
})
