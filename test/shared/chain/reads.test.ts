// Reads through the door, over several nodes in virtual time.
import { describe, expect, test } from '@jest/globals'
import type { ChainPort } from '../../../shared/chain/port.ts'
import { nodeTipQuery, unlabelledNodeQuery } from '../../../shared/upstream/node-query.ts'
import { called, count, hash, shape } from '../../../shared/upstream/wire.ts'
import { genesisA, genesisB, hashAt, healthy, instanceOver, simulated } from './simulated.ts'

const tip = (port: ChainPort) => port.ask(nodeTipQuery, {}).then(({ tip: shown }) => shown?.stateHash)

const oneBlock = unlabelledNodeQuery('oneBlock', '$stateHash: String!', {
  block: called(
    'block(stateHash: $stateHash)',
    shape({ protocolState: shape({ consensusState: shape({ blockHeight: count }) }), stateHash: hash }),
    (block, asked) => block.stateHash === asked.stateHash,
  ),
})

const lookUp = (height: number) => (port: ChainPort) => port.lookUp(hashAt(height), oneBlock)

/** Each node of so many may be the first one asked. */
const starts = (nodes: number) => Array.from({ length: nodes }, (_, index) => index / nodes)

describe('a cold instance', () => {
  test.each([
    ['one of three nodes refuses connections', ['', 'refused', '']],
    ['one of three nodes hangs', ['', 'hangs', '']],
    ['three of five nodes refuse connections', ['refused', 'refused', 'refused', '', '']],
  ] as const)('answers every read where %s, whoever is asked first', async (_what, troubles) => {
    for (const start of starts(troubles.length)) {
      const nodes = troubles.map((trouble, index) =>
        simulated(`node ${index}`, trouble === '' ? {} : { behaviour: () => trouble }),
      )
      const { given, tookMs } = await instanceOver(nodes, { random: () => start }).request(tip)
      expect([given, tookMs < 1000]).toEqual([hashAt(100), true])
    }
  })

  test.each([
    ['listed first', undefined, 0],
    ['pinned and listed last', genesisA, 2],
  ])('never reads from a node of another network where its own is %s', async (_how, genesisStateHash, place) => {
    for (const start of starts(3)) {
      const foreign = ['x', 'y'].map((name) => simulated(name, { genesis: genesisB, height: 7, latencyMs: 10 }))
      const own = simulated('own', { latencyMs: 300 })
      const pin = genesisStateHash === undefined ? {} : { genesisStateHash }
      const { request } = instanceOver(foreign.toSpliced(place, 0, own), { random: () => start, ...pin })
      for (let read = 0; read < 2; read++) expect((await request(tip)).given).toBe(hashAt(100))
    }
  })

  test('takes the network of the first listed node that can be reached', async () => {
    const nodes = [simulated('down', { behaviour: () => 'refused' }), simulated('next', { genesis: genesisB })]
    const { request } = instanceOver([...nodes, simulated('last', { height: 7 })], { random: () => 0.9 })
    expect((await request(tip)).given).toBe(hashAt(100))
  })
})

describe('a pin', () => {
  test('holds while one listed node has not answered', async () => {
    const nodes = [simulated('a', { genesis: genesisB }), simulated('b', { behaviour: () => 'refused' })]
    const { request, time } = instanceOver(nodes, { genesisStateHash: genesisA })
    for (let read = 0; read < 5; read++) {
      time.pass(20_000)
      expect((await request(tip)).given).toMatchObject({ fault: 'busy' })
    }
  })

  test('gives way, with a log line, once every listed node names the same other network', async () => {
    const nodes = [simulated('a'), simulated('b')]
    const { request } = instanceOver(nodes, { genesisStateHash: genesisA })
    expect((await request(tip)).given).toBe(hashAt(100))
    for (const node of nodes) node.genesis = genesisB
    expect((await request(tip)).events).toContain('hard-fork a')
    expect((await request(tip)).given).toBe(hashAt(100))
  })
})

describe('a slow node', () => {
  test('is joined by another after 1.5 s with an empty budget, once', async () => {
    const nodes = [simulated('a'), simulated('b'), simulated('c')]
    const { request, time } = instanceOver(nodes)
    await request(tip)
    // Two failovers, to a node that then fails too, empty the budget.
    for (const node of nodes) node.behaviour = () => ({ status: 503 })
    for (let read = 0; read < 4; read++) await request(tip)
    for (const node of nodes) node.behaviour = undefined
    time.pass(70_000)
    await request(tip)
    Object.assign(nodes[0] ?? {}, { behaviour: () => 'hangs' })
    const { given, tookMs } = await request(tip)
    expect([given, tookMs <= 2000]).toEqual([hashAt(100), true])
  })

  test('does not outlive the answer: its call, timers and connections end with it', async () => {
    const nodes = [simulated('a', { behaviour: () => 'hangs' }), simulated('b')]
    const { request, time } = instanceOver(nodes)
    const { calls } = await request(tip)
    expect(calls.map(({ node, outcome }) => [node, outcome])).toContainEqual(['a', 'cancelled'])
    // The remaining ones are the simulated node's own.
    expect(time.pending()).toBeLessThanOrEqual(2)
  })
})

describe('a look-up', () => {
  test('never says that a block is missing below a height that the instance has shown', async () => {
    const [newest, behind] = [simulated('newest', { height: 101 }), simulated('behind')]
    const { request } = instanceOver([newest, behind])
    expect((await request(lookUp(101))).given).toMatchObject({ state: 'held', canonical: true })
    newest.behaviour = () => 'refused'
    expect((await request(lookUp(101))).given).toMatchObject({ fault: 'busy' })
  })

  test('is right about every canonical block over nodes of which one lags or is stuck', async () => {
    for (const start of starts(2)) {
      for (const lag of [1, 3, 90]) {
        const nodes = [simulated('new'), simulated('old', { height: 100 - lag, latencyMs: 5 })]
        const { request } = instanceOver(nodes, { random: () => start })
        for (const height of [9, 50, 97, 98, 99, 100]) {
          const { given } = await request(lookUp(height))
          expect(given).toMatchObject({ state: 'held', canonical: true })
        }
      }
    }
  })

  test('finds a block over one address that two of three daemons hold', async () => {
    for (const turn of [0, 1, 2]) {
      const daemons = [simulated('a'), simulated('b'), simulated('c', { height: 99 })]
      let calls = turn
      const node = simulated('node', {
        sharedAddress: true,
        behaviour: (...question) => healthy(daemons[calls++ % 3] ?? simulated('none'))(...question),
      })
      const { request } = instanceOver([node])
      for (let round = 0; round < 30; round++) {
        expect((await request(lookUp(100))).given).toMatchObject({ state: 'held', canonical: true })
      }
    }
  })
})

describe('overload', () => {
  /** Reads over one address that refuses a share of the calls, 20 a second. */
  async function readsAt(share: number, reads: number) {
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    const node = simulated('node', { sharedAddress: true })
    const load = { share }
    node.behaviour = (...question) => (random() < load.share ? { status: 503 } : healthy(node)(...question))
    const { request, time } = instanceOver([node], { random })
    const read = async (count: number) => {
      let failed = 0
      for (let index = 0; index < count; index++) {
        const { given, tookMs } = await request(tip)
        if (given !== hashAt(100)) failed++
        time.pass(Math.max(0, 50 - tookMs))
      }
      return failed / count
    }
    const failed = await read(reads)
    return { failed, calls: node.asked.length / reads, read, load, node }
  }

  test.each([
    [0.01, 0.003],
    [0.05, 0.01],
    [1 / 3, 1 / 3],
  ])('of a share of %d fails hardly more reads, and makes hardly more calls', async (share, most) => {
    const { failed, calls } = await readsAt(share, 3000)
    expect([failed <= most, calls <= 1.1]).toEqual([true, true])
  })

  test('of every call is answered with few calls, and reads recover within seconds of its end', async () => {
    const { failed, read, load, node } = await readsAt(1, 600)
    expect(failed).toBe(1)
    const before = node.asked.length
    await read(300)
    expect((node.asked.length - before) / 300).toBeLessThanOrEqual(1 / 3)
    load.share = 0
    await read(100)
    expect(await read(100)).toBeLessThanOrEqual(0.01)
  })
})

test('the log names the node and the fault of an answer that does not fit, also when another node then answers', async () => {
  const odd = simulated('odd', { behaviour: () => ({ data: { bestChain: 5 } }) })
  const { request } = instanceOver([odd, simulated('good')])
  const { given, calls } = await request(tip)
  expect(given).toBe(hashAt(100))
  expect(calls[0]).toMatchObject({
    node: 'odd',
    outcome: 'unreadable',
    reason: 'nodeTip.bestChain: wanted a list, got number',
  })
})
