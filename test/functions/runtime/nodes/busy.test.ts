import { describe, expect, test } from '@jest/globals'
import { createPool } from '../../../../functions/runtime/nodes/pool.ts'
import { areBusy } from '../../../../functions/runtime/nodes/rules/busy.ts'
import { failed, succeeded } from '../../../../functions/runtime/nodes/rules/health.ts'
import { withGenesis } from '../../../../functions/runtime/nodes/rules/network.ts'
import { ranked } from '../../../../functions/runtime/nodes/rules/rank.ts'
import {
  initialState,
  type NodeState,
  type PoolState,
  withNode,
} from '../../../../functions/runtime/nodes/rules/state.ts'
import { shedding } from '../../../../functions/runtime/nodes/shed.ts'
import { nodeTipQuery } from '../../../../shared/upstream/node-query.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import { shape, text } from '../../../../shared/upstream/wire.ts'
import { simulatedPool } from './simulated-pool.ts'

const now = Date.UTC(2026, 0, 1)

type Change = (node: NodeState) => NodeState

const busy =
  (sinceMs = 0): Change =>
  (node) =>
    failed(node, 'busy', now - sinceMs)
const silent: Change = (node) => failed(node, 'timeout', now - 5000)
const good: Change = (node) => succeeded(node, 50, now)

/** A pool whose nodes have ended these calls, each in its order. */
const poolAfter = (...nodes: readonly (readonly Change[])[]): PoolState =>
  nodes.reduce(
    (pool, changes, index) => withNode(pool, index, (node) => changes.reduce((each, change) => change(each), node)),
    initialState(nodes.length, 0),
  )

describe('nodes are spared', () => {
  test.each<[string, PoolState]>([
    ['the only one has just said that it is busy', poolAfter([busy()])],
    ['each has said so within the last second', poolAfter([busy(999)], [busy(0)], [busy(500)])],
    ['the only one that is not demoted has said so', poolAfter([busy()], [silent])],
  ])('when %s', (_when, state) => {
    expect(areBusy(state, now)).toBe(true)
  })

  test.each<[string, PoolState]>([
    ['before any has answered', poolAfter([], [])],
    ['a second after the last attempt', poolAfter([busy(1000)])],
    ['while one has not said so for a second', poolAfter([busy()], [busy(1000)])],
    ['while one has not been asked', poolAfter([busy()], [])],
    ['when one has answered since', poolAfter([busy(500), good], [busy()])],
    ['for a node that is out for another reason', poolAfter([silent], [silent])],
    ['when a call that failed otherwise came after the busy one', poolAfter([busy(500), silent])],
    ['by a clock that was set back', poolAfter([busy(-60_000)])],
  ])('not %s', (_when, state) => {
    expect(areBusy(state, now)).toBe(false)
  })

  test('whatever a node of another network says', () => {
    const genesis = (stateHash: string) => ({
      genesisBlock: { stateHash },
      daemonStatus: { chainId: 'c', consensusConfiguration: null },
    })
    const state = poolAfter([busy()], [good])
    expect(areBusy(withGenesis(withGenesis(state, 0, genesis('a')), 1, genesis('b')), now)).toBe(true)
    expect(areBusy(withGenesis(withGenesis(state, 0, genesis('a')), 1, genesis('a')), now)).toBe(false)
  })
})

test('of demoted nodes the one that has been busy for the longest comes first, and one that does not answer last', () => {
  const state = poolAfter([silent], [busy(200), busy(100)], [busy(400), busy(300)])
  expect(ranked(state, now)).toEqual([2, 1, 0])
})

describe('reads of an instance', () => {
  /** Asks for the tip every so often, for some time. Gives how each question ended and how many calls it took. */
  async function polling(names: readonly string[], { forMs, everyMs }: { forMs: number; everyMs: number }) {
    const { time, nodes, pool, set } = simulatedPool(names)
    for (const name of names) set(name, { health: 'bootstrapping', latencyMs: 20 })
    const query = shedding(pool.query, pool.areBusy)
    const startedAt = time.now()
    const ended: { readonly atMs: number; readonly calls: number; readonly isAnswer: boolean }[] = []
    const poll = async (untilMs: number) => {
      while (time.now() - startedAt < untilMs) {
        const [begunAt, before] = [time.now(), nodes.reduce((sum, node) => sum + node.calls(), 0)]
        const reply = await time.until(query(nodeTipQuery, {}, { limitMs: 20_000 }).catch(() => undefined))
        const calls = nodes.reduce((sum, node) => sum + node.calls(), 0) - before
        ended.push({ atMs: begunAt - startedAt, calls, isAnswer: reply?.errors.length === 0 })
        time.freeze(Math.max(0, everyMs - (time.now() - begunAt)))
      }
    }
    await poll(forMs)
    return { ended, set, poll }
  }

  test('try one busy address once a second, not ten times', async () => {
    const { ended } = await polling(['a'], { forMs: 5000, everyMs: 100 })
    expect(ended.filter(({ calls }) => calls > 0).map(({ atMs }) => atMs)).toEqual([0, 1100, 2200, 3300, 4400])
    expect(ended).toHaveLength(50)
  })

  test('try one of several busy nodes in each second, and find the one that has recovered', async () => {
    const { ended, set, poll } = await polling(['a', 'b', 'c'], { forMs: 20_000, everyMs: 100 })
    const late = ended.filter(({ atMs }) => atMs >= 10_000)
    // One in 1.1 s, and one more for each node whose demotion has ended.
    const calls = late.reduce((sum, { calls }) => sum + calls, 0)
    expect([calls >= 9, calls <= 9 + 3]).toEqual([true, true])
    set('b', { health: 'ok' })
    await poll(25_000)
    const answered = ended.filter(({ isAnswer }) => isAnswer)
    expect(answered[0]?.atMs).toBeLessThanOrEqual(23_300)
    expect(answered.length).toBeGreaterThanOrEqual(17)
  })

  test('that come once a second are never shed', async () => {
    const { ended } = await polling(['a'], { forMs: 10_000, everyMs: 1020 })
    expect(ended.map(({ calls }) => calls)).toEqual(Array(10).fill(1))
  })

  test('are put to the indexer all the same', async () => {
    const asked: string[] = []
    const query = shedding(
      async ({ name }) => {
        asked.push(name)
        return { status: 200, data: {}, errors: [] }
      },
      () => true,
    )
    await query(operation('indexer', 'query', 'times', '', shape({ hash: text })), {})
    await expect(query(nodeTipQuery, {})).rejects.toMatchObject({ fault: 'busy', isUnsent: true })
    expect(asked).toEqual(['times'])
  })
})

describe('one address is busy', () => {
  const reply = { status: 200, data: { bestChain: [] }, errors: [] }

  test.each([
    ['its node bootstraps', { data: null, errors: ['Daemon is bootstrapping'] }, true],
    ['its node lists no block', {}, true],
    ['its gateway answers 429', { status: 429, data: undefined }, true],
    ['its gateway answers 503', { status: 503, data: undefined }, true],
    ['its gateway answers 502', { status: 502, data: undefined }, false],
    ['its answer to 503 has data', { status: 503, data: { account: null } }, false],
    [
      'its node does not know the block',
      { data: null, errors: ['Block with state hash b not found in transition frontier'] },
      false,
    ],
  ])('when %s: %j is %s', async (_when, changes, expected) => {
    const clock = { now: () => now, after: () => () => undefined }
    const port = { name: 'a', sharedAddress: true, query: async () => ({ ...reply, ...changes }) }
    const pool = createPool([port], clock)
    await pool.query(nodeTipQuery, {})
    expect(pool.areBusy()).toBe(expected)
  })
})
