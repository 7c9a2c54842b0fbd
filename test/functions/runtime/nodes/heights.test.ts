import { describe, expect, test } from '@jest/globals'
import { simulatedPool, slotMs } from './simulated-pool.ts'

const three = ['a', 'b', 'c']

async function warm(leader = 0) {
  const pool = simulatedPool(three, leader)
  for (let asked = 0; asked < 3; asked++) await pool.tip()
  return pool
}

const minuteMs = 60_000

describe('tips', () => {
  test('never go back while another node is as far as before', async () => {
    const pool = await warm()
    pool.set('a', { height: 99 })
    expect(await pool.tip()).toMatchObject({ height: 100 })
    expect(pool.calls()).toEqual(['a 200', 'b confirm 200'])
    expect(await pool.tip()).toMatchObject({ height: 100 })
    expect(pool.calls()).toEqual(['b 200'])
  })

  test('of every node below the greatest height give the freshest answer, to be kept briefly', async () => {
    const pool = await warm()
    for (const [name, height] of [
      ['a', 97],
      ['b', 99],
      ['c', 98],
    ] as const)
      pool.set(name, { height })
    expect(await pool.tip()).toMatchObject({ height: 99, isBehind: true })
    expect(pool.calls()).toHaveLength(3)
  })

  test('lower on every node for six minutes are a reorganisation', async () => {
    const pool = await warm()
    for (const name of three) pool.set(name, { height: 95 })
    const behind = []
    for (let minute = 0; minute < 8; minute++) {
      for (const name of three) pool.set(name, { tipAtMs: pool.time.now() })
      behind.push((await pool.tip()).isBehind ?? false)
      pool.time.freeze(minuteMs)
    }
    expect(behind).toEqual([true, true, true, true, true, true, true, false])
    expect(pool.events).toContain('reorganised a')
  })

  test('of equal height and another hash are legal', async () => {
    const pool = await warm()
    pool.set('a', { tipAtMs: pool.time.now() - 10 })
    expect(await pool.tip()).toMatchObject({ height: 100 })
    expect(pool.calls()).toEqual(['a 200'])
  })

  test('more than one slot ahead of our clock are not believed, and bar no later truth', async () => {
    const pool = await warm()
    pool.set('a', { height: 500, tipAtMs: pool.time.now() + 2 * slotMs })
    expect(await pool.tip()).toMatchObject({ height: 100 })
    const { height, isBehind } = await pool.tip()
    expect([height, isBehind]).toEqual([100, undefined])
    expect(pool.calls()).toEqual(['b 200'])
  })

  test('older than five slots are compared with one other node, and the fresher answer wins', async () => {
    const pool = await warm()
    pool.time.freeze(6 * slotMs)
    for (const name of ['b', 'c']) pool.set(name, { height: 105, tipAtMs: pool.time.now() })
    expect(await pool.tip()).toMatchObject({ height: 105 })
    expect(pool.calls()).toEqual(expect.arrayContaining(['a 200', 'b stale 200']))
    expect(await pool.tip()).toMatchObject({ height: 105 })
    expect(pool.calls()).toHaveLength(1)
  })

  test('of a halted network are compared once in 30 s', async () => {
    const pool = await warm()
    pool.time.freeze(6 * slotMs)
    const calls = []
    for (let second = 0; second < 65; second++) {
      const { tookMs } = await pool.tip()
      calls.push(pool.calls().length)
      pool.time.freeze(1000 - tookMs)
    }
    expect(calls.filter((count) => count === 2)).toHaveLength(3)
    expect(calls.filter((count) => count > 2)).toEqual([])
  })
})

/** A pool whose first node has failed more often than successes pay for, and answers again. */
async function withoutBudget() {
  const pool = await warm()
  for (const health of ['error-500', 'ok', 'error-500', 'ok', 'error-500', 'ok'] as const) {
    pool.set('a', { health })
    await pool.tip()
  }
  return pool
}

test('a slow answer gets no hedge when the budget is empty', async () => {
  const pool = await withoutBudget()
  pool.set('a', { latencyMs: 900 })
  await pool.tip()
  expect(pool.calls()).toEqual(['a 200'])
})

describe('a thing that is not there', () => {
  test('is missing only after a second usable node did not have it either', async () => {
    const pool = await warm()
    expect((await pool.lookUp(101)).errors).toHaveLength(1)
    expect(pool.calls()).toEqual(['a 200', 'b confirm 200'])
  })

  test('on one node is given from another', async () => {
    const pool = await warm()
    pool.set('a', { height: 99 })
    expect(await pool.lookUp(100)).toMatchObject({ data: { block: { stateHash: 'block100' } } })
  })

  test('is missing without a second node where the others are demoted', async () => {
    const pool = await warm()
    for (const name of ['b', 'c']) pool.set(name, { health: 'refusing' })
    pool.set('a', { health: 'error-500' })
    for (let question = 0; question < 3; question++) await expect(pool.tip()).rejects.toThrow()
    pool.set('a', { health: 'ok' })
    pool.time.freeze(1)
    expect((await pool.lookUp(101)).errors).toHaveLength(1)
    expect(pool.calls().filter((call) => call.endsWith('200'))).toHaveLength(1)
  })

  test('never becomes an outage when the budget is empty', async () => {
    const pool = await withoutBudget()
    expect((await pool.lookUp(101)).errors).toHaveLength(1)
    expect(pool.calls()).toEqual(['a 200', 'b confirm 200'])
    for (const name of ['b', 'c']) pool.set(name, { health: 'silent' })
    expect((await pool.lookUp(101)).errors).toHaveLength(1)
  })

  test('on a lagging first node of two is given from the other, however slow its answer is', async () => {
    const pool = simulatedPool(['a', 'b'])
    await pool.tip()
    await pool.tip()
    pool.set('a', { height: 98 })
    pool.set('b', { latencyMs: 1200 })
    expect(await pool.lookUp(100)).toMatchObject({ data: { block: { stateHash: 'block100' } } })
  })
})
