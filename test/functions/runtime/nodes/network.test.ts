import { describe, expect, test } from '@jest/globals'
import { operation } from '../../../../shared/upstream/operation.ts'
import { shape, text } from '../../../../shared/upstream/wire.ts'
import { simulatedPool } from './simulated-pool.ts'

const mutation = operation('node', 'mutation', 'send', '', shape({ genesisBlock: shape({ stateHash: text }) }))

describe('the network of the nodes', () => {
  test('is that of the first listed one, even where another one is asked first', async () => {
    const pool = simulatedPool(['a', 'b', 'c'], 1)
    pool.set('b', { genesis: 'other', height: 900 })
    expect(await pool.tip()).toMatchObject({ height: 100 })
    for (let question = 0; question < 5; question++) {
      await pool.tip()
      expect(pool.calls().some((call) => call.startsWith('b'))).toBe(false)
    }
    expect(pool.events).toEqual(['other-network b'])
  })

  test('is that of the next one while the first listed one does not answer, and waits 500 ms for it', async () => {
    const pool = simulatedPool(['a', 'b', 'c'], 1)
    pool.set('a', { health: 'silent' })
    expect(await pool.tip()).toMatchObject({ height: 100, tookMs: 500 })
    pool.time.freeze(1000)
    expect((await pool.tip()).height).toBe(100)
  })

  test('is asked again after ten minutes', async () => {
    const pool = simulatedPool(['a', 'b'])
    await pool.tip()
    await pool.tip()
    pool.set('b', { genesis: 'fork' })
    pool.time.freeze(601_000)
    for (let question = 0; question < 3; question++) await pool.tip()
    expect(pool.events).toEqual(['other-network b'])
  })

  test('of a node that failed at first is learnt later, and the node is used again', async () => {
    const pool = simulatedPool(['a', 'b'])
    pool.set('a', { health: 'refusing' })
    await pool.tip()
    pool.set('a', { health: 'ok', latencyMs: 10 })
    pool.time.freeze(11_000)
    await pool.tip()
    expect(pool.calls()).toEqual(['a 200'])
  })
})

describe('a mutation', () => {
  test('goes to no node whose network is unknown or another one', async () => {
    const pool = simulatedPool(['a', 'b', 'c'], 1)
    pool.set('a', { health: 'refusing' })
    pool.set('b', { health: 'silent' })
    pool.set('c', { genesis: 'c' })
    const { time } = pool
    const reply = await time.until(pool.pool.query(mutation, {}))
    expect(reply.data).toMatchObject({ genesisBlock: { stateHash: 'c' } })
    pool.set('a', { health: 'ok' })
    time.freeze(11_000)
    for (let question = 0; question < 4; question++) await pool.tip()
    const ports = pool.pool.portsForBroadcast()
    expect(ports.map(({ name, sharedAddress }) => [name, sharedAddress])).toEqual([
      ['a', false],
      ['b', false],
    ])
    await expect(time.until(ports[1]?.query(mutation, {}) ?? Promise.reject())).rejects.toMatchObject({
      isUnsent: true,
      fault: 'unreachable',
    })
    expect((await time.until(ports[0]?.query(mutation, {}) ?? Promise.reject())).status).toBe(200)
  })

  test('is sent once, whatever becomes of it', async () => {
    const pool = simulatedPool(['a', 'b'])
    await pool.tip()
    await pool.tip()
    pool.set('a', { health: 'silent' })
    await expect(pool.time.until(pool.pool.query(mutation, {}))).rejects.toMatchObject({ fault: 'timeout' })
    expect(pool.pool.portsForBroadcast().map(({ name }) => name)).toEqual(['b', 'a'])
  })

  test('goes to the only node as it is', async () => {
    const pool = simulatedPool(['a'])
    expect((await pool.time.until(pool.pool.query(mutation, {}))).status).toBe(200)
    expect(pool.pool.portsForBroadcast()).toEqual(pool.nodes)
  })
})
