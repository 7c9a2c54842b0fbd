import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { Observer } from '../../../shared/chain/port.ts'
import { getHealth } from '../../../shared/endpoints/get-health.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { constantsWire } from '../mapping/node-wire.ts'
import { whole } from './asking.ts'

const slotMs = 90_000
const now = 1_800_000_000_000
const dateOf = (ageSlots: number) => now - Math.round(ageSlots * slotMs)

interface Shown {
  readonly height?: number
  /** The height from which on its blocks are another branch's. */
  readonly apartFrom?: number
  readonly ageSlots?: number
  readonly syncStatus?: string
  readonly genesis?: string
  /** Null for a node that does not say it. */
  readonly slotDuration?: number | null
  /** Names of questions with a field that the node does not have. */
  readonly refuses?: readonly string[]
}

const unknownField = ["Field 'minWindowDensity' is not defined on type 'ConsensusState'"]

/** A node that shows this tip, on a network with slots of 90 s. */
const node = ({
  height = 100,
  apartFrom = Infinity,
  ageSlots = 0,
  syncStatus = 'SYNCED',
  genesis = 'genesis',
  slotDuration = slotMs,
  refuses = [],
}: Shown = {}): QueryUpstream => {
  const blockAt = (each: number) => ({
    stateHash: `${each < apartFrom ? 'block' : 'other'}${each}`,
    protocolState: { blockchainState: { date: `${dateOf(ageSlots)}` }, consensusState: { blockHeight: `${each}` } },
  })
  const daemonStatus = {
    chainId: 'a7351abc',
    consensusConfiguration: slotDuration === null ? null : { ...constantsWire, slotDuration },
  }
  const data = { syncStatus, genesisBlock: { stateHash: genesis }, daemonStatus }
  return async ({ name }) => {
    const length = name === 'nodeBranch' ? 4 : 1
    const bestChain = Array.from({ length }, (_, index) => blockAt(height - length + 1 + index))
    if (refuses.includes(name)) return { status: 200, data: undefined, errors: unknownField }
    return whole({ data: { ...data, bestChain } })
  }
}

const bootstrapping: QueryUpstream = async () => ({
  status: 200,
  data: null,
  errors: ['Could not obtain best chain from transition frontier'],
})

const refusingLoad: QueryUpstream = async () => ({ status: 429, data: null, errors: ['Rate limit exceeded'] })

const dead: QueryUpstream = async () => {
  throw new WireError('unreachable', 'connection refused')
}

/** A node or an indexer that does not answer while anybody waits, which is two seconds for a node. */
const hanging: QueryUpstream = (_operation, _variables, limits) =>
  limits?.limitMs === 2000
    ? Promise.reject(new WireError('timeout', 'no answer within 2000 ms'))
    : new Promise(() => undefined)

const indexerAt =
  (blockHeight: number, genesisStateHash = 'genesis'): QueryUpstream =>
  async () => ({
    status: 200,
    errors: [],
    data: { tip: { blockHeight, genesisStateHash } },
  })

/** What the latest answer tells the metrics. */
let lags: object | undefined

/** An instance; each call asks it once, so many milliseconds after `now`. */
const instanceOver = (nodes: readonly QueryUpstream[], indexers: readonly QueryUpstream[] = []) => {
  let laterMs = 0
  const chain = createChain({
    nodes: nodes.map((query, index) => ({ name: `node ${index}`, query, sharedAddress: false })),
    indexers,
    clock: { ...hurriedClock, now: () => now + laterMs },
    random: () => 0,
  })
  return async (afterMs = 0) => {
    laterMs = afterMs
    const view = chain.view({ withinMs: 20_000 })
    const { status, body, caching, observed } = await getHealth.run({}, view)
    view.end()
    lags = observed
    expect(caching).toEqual({ maxAgeSeconds: 1, staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 0 })
    return { code: status, ...body }
  }
}

const healthOver = (...upstreams: Parameters<typeof instanceOver>) => instanceOver(...upstreams)()

const tipAt = (height: number, ageSlots = 0) => ({
  tipAgeSlots: ageSlots,
  tip: {
    height,
    dateTime: new Date(dateOf(ageSlots)).toISOString(),
    timeMs: dateOf(ageSlots),
    ageSeconds: Math.floor((ageSlots * slotMs) / 1000),
  },
})

describe('GET /health', () => {
  test('is ok while every node is synced at the best height or one below, and the indexer at most ten behind', async () => {
    expect(await healthOver([node(), node({ height: 99 })], [indexerAt(90)])).toEqual({
      code: 200,
      status: 'ok',
      ...tipAt(100),
      nodes: { listed: 2, answering: 2, synced: 2 },
      indexer: { answering: true, lag: 10 },
    })
  })

  test.each([
    ['a node is dead', [node(), dead], [], { answering: 1, synced: 1 }, undefined],
    ['a node hangs', [node(), hanging], [], { answering: 1, synced: 1 }, undefined],
    ['a node refuses load', [node(), refusingLoad], [], { answering: 1, synced: 1 }, undefined],
    ['a node is starting', [node(), bootstrapping], [], { answering: 2, synced: 1 }, undefined],
    ['a node catches up', [node(), node({ syncStatus: 'CATCHUP' })], [], { answering: 2, synced: 1 }, undefined],
    ['a node is two blocks behind', [node(), node({ height: 98 })], [], { answering: 2, synced: 2 }, undefined],
    [
      'a later node is of another network',
      [node(), node({ genesis: 'other' })],
      [],
      { answering: 1, synced: 1 },
      undefined,
    ],
    [
      'a node is two hours ahead',
      [node(), node({ height: 900, ageSlots: -80 })],
      [],
      { answering: 2, synced: 2 },
      undefined,
    ],
    [
      'the indexer is eleven behind',
      [node(), node()],
      [indexerAt(89)],
      { answering: 2, synced: 2 },
      { answering: true, lag: 11 },
    ],
    ['the indexer is dead', [node(), node()], [dead], { answering: 2, synced: 2 }, { answering: false }],
    ['the indexer hangs', [node(), node()], [hanging], { answering: 2, synced: 2 }, { answering: false }],
    [
      'the indexer is of another chain',
      [node(), node()],
      [indexerAt(100, 'other')],
      { answering: 2, synced: 2 },
      { answering: false },
    ],
  ] as const)('is degraded where %s, and still 200', async (_what, nodes, indexers, counts, indexer) => {
    expect(await healthOver(nodes, indexers)).toEqual({
      code: 200,
      status: 'degraded',
      ...tipAt(100),
      nodes: { listed: 2, ...counts },
      ...(indexer && { indexer }),
    })
  })

  test.each([
    ['a node that stands still, and an indexer', [node(), node({ height: 97 })], [indexerAt(89)], [3, 11]],
    ['a node that stands still beside an old one', [node(), node({ height: 60, ageSlots: 50 })], [], [40, undefined]],
    ['a node that catches up', [node(), node({ height: 90, syncStatus: 'CATCHUP' })], [], [10, undefined]],
    ['a node that takes a block later', [node(), node({ height: 99 })], [], [1, undefined]],
    ['the only node', [node()], [indexerAt(101)], [undefined, 0]],
    ['nodes and indexers without an answer', [node(), dead], [dead], [0, undefined]],
    ['nodes that are all too old', [node({ ageSlots: 31 }), node({ ageSlots: 31 })], [], [undefined, undefined]],
  ] as const)('tells the metrics how far behind upstreams are: %s', async (_what, nodes, indexers, expected) => {
    await healthOver(nodes, indexers)
    const [nodeLag, indexerLag] = expected
    expect(lags).toEqual({
      ...(nodeLag !== undefined && { nodeLag, ...(nodeLag > 0 && { nodeBehind: 'node 1' }) }),
      ...(indexerLag !== undefined && { indexerLag }),
    })
  })

  test('is degraded while two nodes follow two branches of one height for three blocks', async () => {
    const two = (apartFrom: number) => healthOver([node(), node({ apartFrom })])
    const nodes = { listed: 2, answering: 2, synced: 2 }
    const well = { code: 200, status: 'ok', ...tipAt(100), nodes }
    expect(await two(99)).toEqual(well)
    expect(lags).toEqual({ nodeLag: 2, nodeBehind: 'node 1', isForked: true })
    expect(await two(98)).toEqual({ ...well, status: 'degraded', nodes: { ...nodes, blocksApart: 3 } })
    expect(await two(0)).toEqual({ ...well, status: 'degraded', nodes: { ...nodes, blocksApart: 4 } })
    expect(lags).toEqual({ nodeLag: 4, nodeBehind: 'node 1', isForked: true })
  })

  test('is judged by the indexer that follows the nodes, whichever is listed first', async () => {
    const old = indexerAt(40, 'the chain before the fork')
    expect(await healthOver([node()], [old, indexerAt(98)])).toMatchObject({ status: 'ok', indexer: { lag: 2 } })
  })

  test.each([
    [-2, 503, 'down'],
    [-1, 200, 'ok'],
    [0, 200, 'ok'],
    [10.99, 200, 'ok'],
    [11, 200, 'degraded'],
    [30.99, 200, 'degraded'],
    [31, 503, 'down'],
  ] as const)('over a tip %d slots old is %d, %s', async (ageSlots, code, status) => {
    expect(await healthOver([node({ ageSlots })])).toEqual({
      code,
      status,
      ...tipAt(100, ageSlots),
      tipAgeSlots: Math.floor(ageSlots),
      nodes: { listed: 1, answering: 1, synced: 1 },
    })
  })

  test.each([
    ['the indexer shows two blocks more', [node({ ageSlots: 11 })], [indexerAt(102)], 'degraded'],
    ['the indexer shows three blocks more', [node({ ageSlots: 11 })], [indexerAt(103)], 'down'],
    ['the tip is not old', [node({ ageSlots: 10 })], [indexerAt(103)], 'ok'],
    ['an indexer of another chain shows more', [node({ ageSlots: 11 })], [indexerAt(103, 'other')], 'degraded'],
    [
      'one node has a tip that is not old',
      [node({ ageSlots: 11 }), node({ height: 101, ageSlots: 10 })],
      [indexerAt(104)],
      'ok',
    ],
    [
      'a node that catches up shows three blocks more',
      [node({ ageSlots: 11 }), node({ height: 103, syncStatus: 'CATCHUP' })],
      [],
      'down',
    ],
    [
      'a node two hours ahead of the clock shows more',
      [node({ ageSlots: 11 }), node({ height: 900, ageSlots: -80 })],
      [],
      'degraded',
    ],
  ] as const)('over tips that are old where %s', async (_what, nodes, indexers, status) => {
    const code = status === 'down' ? 503 : 200
    expect(await healthOver(nodes, indexers)).toMatchObject({ code, status })
  })

  test('if no node says how long a slot is, doubts a tip by short slots and rejects it by long ones', async () => {
    const statuses = [9, 10.99, 11, 61.99, 62].map(async (ageSlots) => {
      const answer = await healthOver([node({ ageSlots, slotDuration: null })])
      return [answer.code, 'status' in answer && answer.status, 'tipAgeSlots' in answer]
    })
    expect(await Promise.all(statuses)).toEqual([
      [200, 'ok', false],
      [200, 'ok', false],
      [200, 'degraded', false],
      [200, 'degraded', false],
      [503, 'down', false],
    ])
  })

  test('is down over an old tip again as soon as the node says how long a slot is', async () => {
    const [silent, saying] = [node({ ageSlots: 31, slotDuration: null }), node({ ageSlots: 31 })]
    let isSilent = true
    const ask = instanceOver([(...question) => (isSilent ? silent : saying)(...question)])
    const { tipAgeSlots: _, ...unaged } = { status: 'degraded', ...tipAt(100, 31) }
    expect(await ask()).toEqual({ code: 200, ...unaged, nodes: { listed: 1, answering: 1, synced: 1 } })
    isSilent = false
    expect(await ask()).toMatchObject({ code: 503, status: 'down', tipAgeSlots: 31 })
  })

  test('is degraded while a node refuses a question as unknown, and names each that one refuses', async () => {
    const refusing = node({ refuses: ['chainSummary', 'latestBlocks'] })
    expect(await healthOver([node({ refuses: ['nodeNetwork', 'latestBlocks'] }), refusing])).toEqual({
      code: 200,
      status: 'degraded',
      ...tipAt(100),
      nodes: { listed: 2, answering: 2, synced: 2 },
      refusedQuestions: ['chainSummary', 'nodeNetwork', 'latestBlocks'],
    })
    expect(await healthOver([node({ refuses: ['nodeTip', 'chainSummary'] })])).toEqual({
      code: 503,
      status: 'down',
      nodes: { listed: 1, answering: 1, synced: 0 },
      refusedQuestions: ['chainSummary'],
    })
  })

  test('asks the questions of others once in ten minutes, and knows until then which are refused', async () => {
    let current = node({ refuses: ['latestBlocks'] })
    const asked: string[] = []
    const ask = instanceOver([
      async (operation, ...terms) => {
        asked.push(operation.name)
        return current(operation, ...terms)
      },
    ])
    const asks = async (afterMs: number) => {
      const { refusedQuestions } = { refusedQuestions: undefined, ...(await ask(afterMs)) }
      return { refusedQuestions, others: asked.splice(0).filter((name) => /chainSummary|latestBlocks/.test(name)) }
    }
    const [refusedQuestions, others] = [['latestBlocks'], ['chainSummary', 'latestBlocks']]
    expect(await asks(0)).toEqual({ refusedQuestions, others })
    current = node()
    expect(await asks(590_000)).toEqual({ refusedQuestions, others: [] })
    current = async (operation, ...terms) =>
      operation.name === 'latestBlocks' ? dead(operation, ...terms) : node()(operation, ...terms)
    expect(await asks(610_000)).toEqual({ refusedQuestions, others })
    current = node()
    expect(await asks(1_200_000)).toEqual({ refusedQuestions, others: [] })
    // An answer that nobody here can read is one all the same.
    expect(await asks(1_220_000)).toEqual({ refusedQuestions: undefined, others })
  })

  test('gives the questions of others, and an indexer that hangs, what the tips have left of two seconds', async () => {
    let passedMs = 0
    const limits: Parameters<QueryUpstream>[2][] = []
    const slow: QueryUpstream = async (operation, variables, given) => {
      if (operation.name === 'nodeTip') passedMs += 1400
      if (operation.name === 'latestBlocks') limits.push(given)
      return node()(operation, variables, given)
    }
    const waits: number[] = []
    const clock = {
      ...{ now: () => now + passedMs, elapsed: () => passedMs },
      after(milliseconds: number, action: () => void) {
        waits.push(milliseconds)
        return hurriedClock.after(milliseconds, action)
      },
    }
    const nodes = [{ name: 'node', query: slow, sharedAddress: false }]
    const view = createChain({ nodes, indexers: [hanging], clock, random: () => 0 }).view({ withinMs: 20_000 })
    await getHealth.run({}, view)
    view.end()
    // A broken connection is not retried here: /health asks again in ten minutes.
    expect([limits, waits.at(-1)]).toEqual([[expect.objectContaining({ limitMs: 600, isRepeat: true })], 600])
  })

  test('holds nothing against a node for its questions of others', async () => {
    const refusing = node({ refuses: ['chainSummary', 'latestBlocks'] })
    const events: string[] = []
    const chain = createChain({
      nodes: [refusing, refusing].map((query, index) => ({ name: `${index}`, query, sharedAddress: false })),
      clock: { ...hurriedClock, now: () => now },
      random: () => 0,
    })
    const noticed = (event: string) => events.push(event)
    const view = chain.view({
      withinMs: 20_000,
      observer: { noticed, called() {}, answeredAt() {} } as unknown as Observer,
    })
    await getHealth.run({}, view)
    expect(events).toEqual([])
    view.end()
  })

  test('is down if no node is synced, and names the highest tip', async () => {
    expect(await healthOver([node({ syncStatus: 'CATCHUP' }), dead])).toEqual({
      code: 503,
      status: 'down',
      ...tipAt(100),
      nodes: { listed: 2, answering: 1, synced: 0 },
    })
  })

  test.each([
    ['an indexer that shows a block is not judged', [indexerAt(100)], {}],
    ['nor one beside an indexer that is dead', [dead, indexerAt(100)], {}],
    ['one that is dead does not answer', [dead], { indexer: { answering: false } }],
    ['nor does one that hangs', [hanging], { indexer: { answering: false } }],
  ] as const)('is down, without a tip, where no node answers: %s', async (_what, indexers, indexer) => {
    const nodes = { listed: 2, answering: 1, synced: 0 }
    expect(await healthOver([dead, bootstrapping], indexers)).toEqual({ code: 503, status: 'down', nodes, ...indexer })
  })
})
