import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { RequestLine } from '../../../functions/runtime/log.ts'
import { serve } from '../../../functions/runtime/serve.ts'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { createUpstreams } from '../../../functions/runtime/upstreams/upstreams.ts'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import { createChain } from '../../../local/chain/chain.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { type Listening, listen } from '../../../local/start/listen.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { httpEvent, lambdaContext } from '../event.ts'

const chain = createChain({ seed: 'several', now: Date.now, blockSeconds: 10, slotsPerEpoch: 40 })
const servers: Listening[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function listening(listener: RequestListener): Promise<string> {
  const server = await listen(listener, 0, '127.0.0.1')
  servers.push(server)
  return `127.0.0.1:${server.port}`
}

const settingsFor = (...hosts: readonly string[]) =>
  readSettings({ NODE_GRAPHQL_URL: hosts.map((host) => `http://${host}/graphql`).join() })

/** Under load a node may take longer than a hedge waits: none is started here. */
const unhurried = { now: Date.now, after: () => () => undefined }

/** The summary from the nodes of these hosts, and the line of its request. */
async function askSummary(...hosts: readonly string[]) {
  const lines: RequestLine[] = []
  const handler = serve(getSummary, validateSummary, {
    upstreams: createUpstreams(settingsFor(...hosts), unhurried),
    log: (line) => void lines.push(line),
  })
  const result = await handler(httpEvent({ path: '/summary' }), lambdaContext())
  return { result, line: lines[0] }
}

describe('a function with several nodes', () => {
  test('answers from the node that is left, and its log line names each call’s node and the reason for it', async () => {
    const good = await listening(nodeServer(chain))
    const bad = await listening((request) => request.socket.destroy())
    const { result, line } = await askSummary(bad, good)
    expect(result.statusCode).toBe(200)
    const ofSummary = (line?.upstream ?? []).filter(({ why }) => why !== 'network')
    const calls = ofSummary.map(({ operation, node, outcome }) => [operation, node, outcome])
    expect(calls.filter(([, node]) => node === good)).toEqual([['chainSummary', good, 200]])
    const [other = [], ...more] = calls.filter(([, node]) => node !== good)
    expect(more).toEqual([])
    const [, node, outcome] = other
    if (outcome === 'unreachable') expect(line).toMatchObject({ nodesOut: 1, nodeEvents: [`demoted ${bad}`] })
    // It was not asked, or broke its connection so late that the good one was asked beside it.
    else expect([node, outcome]).toEqual(outcome === undefined ? [undefined, undefined] : [bad, 'cancelled'])
  })

  test('answers 503 with Retry-After when all are out', async () => {
    const bad = await Promise.all([1, 2].map(() => listening((request) => request.socket.destroy())))
    const { result, line } = await askSummary(...bad)
    expect(result).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '5', 'cache-control': 'public, max-age=1, stale-if-error=0' },
      body: '{"message":"Upstream unavailable."}',
    })
    expect(line?.nodesOut).toBe(2)
  })

  test.each([
    [
      'briefly, when it lies behind one given before',
      true,
      'public, max-age=1, stale-while-revalidate=10, stale-if-error=60',
    ],
    ['as long as its kind, when it does not', false, 'public, max-age=5, stale-while-revalidate=10, stale-if-error=60'],
  ])('lets an answer be kept %s', async (_how, isBehind, caching) => {
    const upstreams = createUpstreams(settingsFor(await listening(nodeServer(chain))))
    const query: QueryUpstream = async (...asked) => ({ ...(await upstreams.query(...asked)), isBehind })
    const handler = serve(getSummary, validateSummary, { upstreams: { ...upstreams, query }, log: () => undefined })
    const { statusCode, headers } = await handler(httpEvent({ path: '/summary' }), lambdaContext())
    expect([statusCode, headers?.['cache-control']]).toEqual([200, caching])
  })

  test('names no node in the line where there is one address', async () => {
    const { line } = await askSummary(await listening(nodeServer(chain)))
    expect(line?.upstream).toEqual([{ operation: 'chainSummary', durationMs: expect.any(Number), outcome: 200 }])
    expect(line).not.toHaveProperty('nodesOut')
  })
})
