// The time that the calls of one request may take, and their end with its answer.
import { expect, test } from '@jest/globals'
import { serve } from '../../../functions/runtime/serve.ts'
import { systemClock } from '../../../functions/runtime/upstreams/upstreams.ts'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import { createChain } from '../../../shared/chain/chain.ts'
import type { ChainPort } from '../../../shared/chain/port.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { nodeTip, summaryFromNode } from '../../../shared/mapping/summary.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import { operation } from '../../../shared/upstream/operation.ts'
import type { CallLimits, QueryUpstream } from '../../../shared/upstream/query.ts'
import { shape, text } from '../../../shared/upstream/wire.ts'
import { whole } from '../../shared/endpoints/asking.ts'
import { blockWire, tipReplyAt } from '../../shared/mapping/node-wire.ts'
import { httpEvent, lambdaContext } from '../event.ts'

/** Serves a request that does this with the chain, over a node that answers its tip and an indexer that never answers. */
async function serving(act: (chain: ChainPort) => Promise<unknown>) {
  const given: (CallLimits | undefined)[] = []
  const query: QueryUpstream = async (_operation, _variables, limits) => {
    given.push(limits)
    return whole(tipReplyAt(2))
  }
  const silent: QueryUpstream = (_operation, _variables, limits) => {
    given.push(limits)
    return new Promise(() => undefined)
  }
  const nodes = [{ name: 'node', query, sharedAddress: true }]
  const chain = createChain({ nodes, indexer: silent, clock: systemClock, random: Math.random })
  const endpoint: Endpoint = {
    ...getSummary,
    input: () => undefined,
    async run(_input, port) {
      await act(port)
      return { status: 200, body: summaryFromNode(nodeTip.read(blockWire, 'tip'), 'a', 0n) }
    },
  }
  const { statusCode } = await serve(endpoint, validateSummary, { chain, log: () => undefined })(
    httpEvent({}),
    lambdaContext(),
  )
  return { statusCode, given }
}

test('a question has the time that is left of its request', async () => {
  const { given } = await serving((chain) => chain.ask(nodeTipQuery, {}))
  const limitMs = given[0]?.limitMs ?? 0
  expect([given.length, limitMs > 0, limitMs <= 20_000]).toEqual([1, true, true])
})

test('a pause ends when its signal does', async () => {
  const enough = new AbortController()
  const { statusCode } = await serving(async ({ deadline }) => {
    const pausing = deadline.pause(60_000, enough.signal)
    enough.abort()
    await pausing
    await deadline.pause(60_000, enough.signal)
  })
  expect(statusCode).toBe(200)
})

test('a call that nobody waits for ends with the answer, at the indexer too', async () => {
  const walk = operation('indexer', 'query', 'walk', '', shape({ hash: text }))
  const { given } = await serving(async (chain) => void chain.ask(walk, {}))
  expect(given.map((limits) => limits?.signal?.aborted)).toEqual([true])
})
