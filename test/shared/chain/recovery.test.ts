// An instance remembers nodes that failed, and uses them again soon after they recover.
import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createRandom } from '../../../packages/testnet/random.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { ChainOptions } from '../../../shared/chain/port.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import type { WireError } from '../../../shared/upstream/errors.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import type { NodePort, Reply } from '../../../shared/upstream/query.ts'
import { whole } from '../endpoints/asking.ts'
import { blockWire, networkReply, tipReplyAt } from '../mapping/node-wire.ts'

/** The date of every tip. */
const tipAtMs = 1_615_939_380_000

const refusal: Reply = { status: 503, errors: [], data: undefined }
const fault: Reply = { status: 500, errors: [], data: undefined }

/** A node that answers `nodeTip` with its tip, or as its script says while that lasts. */
function nodeAt(height: number, sharedAddress: boolean) {
  const node = {
    name: `node at ${height}`,
    sharedAddress,
    script: [] as Reply[],
    asked: 0,
    query: (async () => {
      node.asked++
      return node.script.shift() ?? whole(tipReplyAt(height))
    }) as NodePort['query'],
  }
  return node
}

/** An instance on a clock that stands still until it is set, and whose chance is set too: 0 decides against a call. */
function instanceOver(...nodes: readonly NodePort[]) {
  const clock = { ...hurriedClock, nowMs: tipAtMs, now: () => clock.nowMs, elapsed: () => clock.nowMs }
  const chance = { is: 0 }
  const chain = createChain({ nodes, clock, random: () => chance.is })
  const read = async (): Promise<number | string> => {
    const view = chain.view({ withinMs: 20_000 })
    const shown = view.request(nodeTipQuery, {}).then(({ tip }) => tip?.height ?? 0)
    return shown.catch(({ message }: Error) => message).finally(() => view.end())
  }
  return { clock, chance, read }
}

test('a node that refused every call is spared for less than a second, and used again at once when it is well', async () => {
  const node = nodeAt(2, true)
  const { clock, chance, read } = instanceOver(node)
  node.script = Array(20).fill(refusal)
  chance.is = 0.99
  for (let reads = 0; reads < 10; reads++) await read()
  chance.is = 0
  node.script = []
  const { asked } = node
  expect([await read(), node.asked]).toEqual(['not asked: the nodes refuse load', asked])
  clock.nowMs += 1000
  expect([await read(), await read(), node.asked]).toEqual([2, 2, asked + 2])
})

test('a node is spared for as long as it says, and no longer', async () => {
  const node = nodeAt(2, true)
  const { clock, read } = instanceOver(node)
  await read()
  node.script = [{ ...refusal, status: 429, retryAfterMs: 20_000 }]
  const reads = [await read(), await read()]
  clock.nowMs += 19_999
  reads.push(await read())
  expect([reads, node.asked]).toEqual([
    ['nodeTip: no data, HTTP 429', 'not asked: the nodes refuse load', 'not asked: the nodes refuse load'],
    2,
  ])
  clock.nowMs += 1
  expect([await read(), node.asked]).toEqual([2, 3])
})

test('the other nodes answer for one that says how long it refuses calls', async () => {
  const [busy, other] = [nodeAt(2, false), nodeAt(2, false)]
  const { read } = instanceOver(busy, other)
  await read()
  busy.script = [{ ...refusal, retryAfterMs: 20_000 }]
  for (let reads = 0; reads < 5; reads++) expect(await read()).toBe(2)
  expect([busy.asked, other.asked]).toEqual([2, 5])
})

test('the only node at the tip is asked again when it fails, and not put behind one that lags', async () => {
  const [newest, stuck] = [nodeAt(8, false), nodeAt(2, false)]
  const { read } = instanceOver(newest, stuck)
  expect(await read()).toBe(8)
  newest.script = [fault]
  // Only now it shows that it lags.
  expect(await read()).toBe(2)
  newest.script = [fault]
  expect(await read()).toBe(8)
  newest.script = [fault, fault]
  expect(await read()).toBe(2)
  expect(await read()).toBe(8)
})

test('the only node at the tip makes way for one that lags once six answers in a row were useless', async () => {
  const [newest, stuck] = [nodeAt(8, false), nodeAt(2, false)]
  const { read } = instanceOver(newest, stuck)
  await read()
  newest.script = Array(20).fill(fault)
  for (let reads = 0; reads < 5; reads++) await read()
  const { asked } = newest
  expect(asked).toBe(7)
  // Now after the other one, to confirm its lower tip.
  expect([await read(), newest.asked]).toEqual([2, asked + 1])
  newest.script = []
  expect([await read(), await read()]).toEqual([8, 8])
})

/** An answer to any question of `getSummary`, by a daemon of this chain id. */
function summaryReply(chainId: string): Reply {
  const { data } = networkReply()
  const daemonStatus = { ...data.daemonStatus, chainId }
  const genesisBlock = { ...data.genesisBlock, stateHash: 'first' }
  return whole({ data: { ...data, bestChain: [blockWire], daemonStatus, genesisBlock } })
}

/** The summary of an instance whose nodes all answer alike: its status, or how it fails. */
function summaryOver(count: number, pins: Partial<ChainOptions>) {
  const clock = { ...hurriedClock, nowMs: tipAtMs, now: () => clock.nowMs, elapsed: () => clock.nowMs }
  const asked: string[] = []
  const all = { reply: summaryReply('first'), clock, asked }
  const nodes = Array.from({ length: count }, (_, at) => ({
    name: `node ${at}`,
    sharedAddress: count === 1,
    query: (async ({ name }) => {
      asked.push(name)
      return all.reply
    }) as NodePort['query'],
  }))
  const chain = createChain({ nodes, clock, random: createRandom('refused load'), ...pins })
  const read = () => {
    const view = chain.view({ withinMs: 20_000 })
    const shown = getSummary.run({}, view).then(({ status }) => status)
    return shown.catch(({ fault }: WireError) => fault).finally(() => view.end())
  }
  return Object.assign(all, { read })
}

const pinning = (...names: readonly string[]) => ({ genesisStateHashes: names, chainIds: names })

describe.each<[string, number, Partial<ChainOptions>]>([
  ['one address', 1, {}],
  ['one address of a pinned network', 1, pinning('first')],
  ['one address before a hard fork', 1, pinning('first', 'next')],
  ['two nodes', 2, {}],
  ['two nodes of a pinned network', 2, pinning('first')],
  ['two nodes before a hard fork', 2, pinning('first', 'next')],
])('over %s', (_fleet, count, pins) => {
  test.each([
    ['from the start', false, refusal],
    ['once the network is known', true, refusal],
    ['for a time that they tell', false, { ...refusal, retryAfterMs: 60_000 }],
  ])(
    'load that is refused %s costs the nodes little, and readers nothing afterwards',
    async (_since, isWarm, reply) => {
      const all = summaryOver(count, pins)
      if (isWarm) await all.read()
      all.reply = reply
      all.asked.length = 0
      const seen = new Set()
      for (let reads = 0; reads < 200; reads++) {
        seen.add(await all.read())
        all.clock.nowMs += 50
      }
      expect([...seen]).toEqual(['busy'])
      expect(all.asked.length).toBeLessThan(200 / 3)
      expect(all.asked.filter((name) => name !== 'chainSummary').length).toBeLessThan(10)
      all.reply = summaryReply('first')
      all.clock.nowMs += reply.retryAfterMs ?? 1000
      expect(await all.read()).toBe(200)
    },
  )
})
