// The time that the calls of one request may take, and their end with its answer.
import { expect, test } from '@jest/globals'
import { serve } from '../../../functions/runtime/serve.ts'
import { systemClock } from '../../../functions/runtime/system-clock.ts'
import validateSummary from '../../../functions/runtime/validators/get-summary.js'
import { createChain } from '../../../shared/chain/chain.ts'
import type { ChainView } from '../../../shared/chain/port.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { nodeTip, summaryFromNode } from '../../../shared/mapping/summary.ts'
import { indexerQuery } from '../../../shared/upstream/indexer-query.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import type { CallLimits, QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import { shape, text } from '../../../shared/upstream/wire.ts'
import { whole } from '../../shared/endpoints/asking.ts'
import { blockWire, tipReplyAt } from '../../shared/mapping/node-wire.ts'
import { httpEvent, lambdaContext } from '../event.ts'

/** Serves a request that does this with the chain, over a node that answers its tip and an indexer that never answers. */
async function limitsOf(act: (chain: ChainView) => unknown): Promise<readonly (CallLimits | undefined)[]> {
  const given: (CallLimits | undefined)[] = []
  const answering =
    (reply: Promise<Reply>): QueryUpstream =>
    (_operation, _variables, limits) => {
      given.push(limits)
      return reply
    }
  const node = { name: 'node', query: answering(Promise.resolve(whole(tipReplyAt(2)))), sharedAddress: true }
  const indexer = answering(new Promise(() => undefined))
  const chain = createChain({ nodes: [node], indexers: [indexer], clock: systemClock, random: Math.random })
  const body = summaryFromNode(nodeTip.read(blockWire, 'tip'), 'a', 0n)
  const run: Endpoint['run'] = async (_input, port) => {
    await act(port)
    return { status: 200, body }
  }
  const endpoint: Endpoint = { ...getSummary, input: () => undefined, run }
  await serve(endpoint, { schema: validateSummary, chain, log: () => undefined })(httpEvent({}), lambdaContext())
  return given
}

test('a question has the time that is left of its request', async () => {
  const given = await limitsOf((chain) => chain.request(nodeTipQuery, {}))
  const limitMs = given[0]?.limitMs ?? 0
  expect([given.length, limitMs > 0, limitMs <= 20_000]).toEqual([1, true, true])
})

test('an unfinished call ends with the answer, at the indexer too', async () => {
  const walk = indexerQuery('walk', '', shape({ hash: text }))
  const given = await limitsOf((chain) => void chain.indexers[0]?.ask(walk, {}))
  expect(given.map((limits) => limits?.signal?.aborted)).toEqual([true])
})
