import { describe, expect, test } from '@jest/globals'
import { nodeTipQuery } from '../../../../shared/upstream/node-query.ts'
import { simulatedPool } from './simulated-pool.ts'

const three = ['a', 'b', 'c']

/** A pool that has heard of each node. */
async function warm(leader = 0) {
  const pool = simulatedPool(three, leader)
  for (let asked = 0; asked < 3; asked++) await pool.tip()
  return pool
}

describe('several nodes as one', () => {
  test('are each asked once at first, and then the leader alone', async () => {
    const pool = simulatedPool(three, 1)
    const asked = []
    for (let question = 0; question < 6; question++) {
      await pool.tip()
      asked.push(pool.calls())
      pool.time.freeze(1000)
    }
    expect(asked).toEqual([['b 200'], ['c 200'], ['a 200'], ['b 200'], ['b 200'], ['b 200']])
  })

  test.each([
    ['refuses connections', { health: 'refusing' }, 'unreachable'],
    ['answers 500', { health: 'error-500' }, 'unreadable'],
    ['bootstraps', { health: 'bootstrapping' }, '200'],
  ] as const)('a question goes on to the next one at once when a node %s', async (_what, condition, outcome) => {
    const pool = await warm()
    pool.set('a', condition)
    expect(await pool.tip()).toMatchObject({ height: 100, errors: [] })
    expect(pool.calls()).toEqual([`a ${outcome}`, 'b failover 200'])
  })

  test.each([
    ['dies', { health: 'refusing' }],
    ['falls silent', { health: 'silent' }],
    ['answers 500', { health: 'error-500' }],
  ] as const)(
    'a node that %s fails none of many questions that are under way, however small the budget',
    async (_what, condition) => {
      const pool = await warm()
      pool.set('a', condition)
      const questions = Array.from({ length: 20 }, () => pool.pool.query(nodeTipQuery, {}))
      const replies = await pool.time.until(Promise.all(questions))
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    },
  )

  test('a node that refused a connection is the last resort for 10 s, then on trial, and then for 20 s', async () => {
    const pool = await warm()
    pool.set('a', { health: 'refusing' })
    const leads = []
    for (let second = 0; second < 34; second++) {
      const { tookMs } = await pool.tip()
      if (pool.calls()[0]?.startsWith('a')) leads.push(second)
      pool.time.freeze(1000 - tookMs)
    }
    expect(leads).toEqual([0, 11, 32])
    expect(pool.events).toEqual(['demoted a', 'demoted a', 'demoted a'])
  })

  test('a second node is asked when the first is slow, the first good answer wins, and the loser is aborted', async () => {
    const pool = await warm()
    pool.set('a', { latencyMs: 5000 })
    expect(await pool.tip()).toMatchObject({ height: 100, tookMs: 550 })
    expect(pool.calls()).toEqual(['b hedge 200', 'a cancelled'])
    expect(pool.time.pending()).toBe(0)
  })

  test('a fast error of the hedge does not cancel the first call', async () => {
    const pool = await warm()
    pool.set('a', { latencyMs: 900 })
    pool.set('b', { health: 'error-500' })
    pool.set('c', { health: 'error-500' })
    expect(await pool.tip()).toMatchObject({ height: 100, tookMs: 900 })
    expect(pool.time.pending()).toBe(0)
  })

  test('a node that never answers is found out by the second call that is cancelled', async () => {
    const pool = await warm()
    pool.set('a', { health: 'silent' })
    const took = []
    for (let question = 0; question < 4; question++) took.push((await pool.tip()).tookMs)
    expect(took).toEqual([550, 550, 50, 50])
    expect(pool.events).toEqual(['demoted a'])
    expect(pool.nodes[0]?.unanswered()).toBe(2)
  })

  test('extra calls end with the budget: two at first, and one more for each ten successes', async () => {
    const pool = await warm()
    for (const name of three) pool.set(name, { health: 'error-500' })
    const before = pool.nodes.reduce((sum, node) => sum + node.calls(), 0)
    for (let question = 0; question < 50; question++) await expect(pool.tip()).rejects.toMatchObject({ fault: 'busy' })
    const after = pool.nodes.reduce((sum, node) => sum + node.calls(), 0)
    expect(after - before).toBe(52)
  })

  test.each(three)(
    'connections that are refused need no budget, even where every node has failed: only %s is there',
    async (name) => {
      const pool = await warm()
      for (const each of three) pool.set(each, { health: 'error-500' })
      for (let question = 0; question < 10; question++) await expect(pool.tip()).rejects.toThrow()
      for (const each of three) pool.set(each, { health: each === name ? 'ok' : 'refusing' })
      expect(await pool.tip()).toMatchObject({ height: 100 })
      expect(pool.calls().at(-1)).toMatch(new RegExp(`^${name} (?:failover )?200$`))
    },
  )

  test('all nodes out is busy, which is answered with 503 and Retry-After, and names each node’s reason', async () => {
    const pool = await warm()
    for (const name of three) pool.set(name, { health: 'refusing' })
    await expect(pool.tip()).rejects.toMatchObject({
      name: 'WireError',
      fault: 'busy',
      message: expect.stringMatching(/a: unreachable.*b: unreachable.*c: unreachable/),
    })
  })

  test('an answer of GraphQL errors wins over a refused connection, whichever came last', async () => {
    const pool = await warm()
    pool.set('a', { health: 'refusing' })
    pool.set('b', { health: 'error-500' })
    pool.set('c', { latencyMs: 20 })
    expect(await pool.tip()).toMatchObject({ height: 100 })
  })
})

describe('one address alone', () => {
  test('is asked as it is: no question for its network, no hedge, no failover, no height', async () => {
    const pool = simulatedPool(['a'])
    pool.set('a', { latencyMs: 3000 })
    expect(await pool.tip()).toMatchObject({ height: 100, tookMs: 3000 })
    pool.set('a', { height: 90 })
    const { height, isBehind } = await pool.tip()
    expect([height, isBehind]).toEqual([90, undefined])
    expect(pool.nodes[0]?.calls()).toBe(2)
  })
})
