// A clock that is wrong, that is set while a request is answered, and that stands still while an instance is frozen.
import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import { lastingTime } from '../../../shared/chain/lasting-time.ts'
import type { Observer } from '../../../shared/chain/port.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import type { NodePort } from '../../../shared/upstream/query.ts'
import { whole } from '../endpoints/asking.ts'
import { constantsWire, tipReplyAt } from '../mapping/node-wire.ts'
import { silentObserver } from './silent-observer.ts'

/** The date of every tip. */
const tipAtMs = 1_615_939_380_000
const slotMs = 180_000

function clockAt(wallMs: number) {
  const clock = {
    ...hurriedClock,
    wallMs,
    elapsedMs: 0,
    now: () => clock.wallMs,
    elapsed: () => clock.elapsedMs,
  }
  return clock
}

/** A node at a tip of tests, in slots of so many milliseconds. */
function nodeAt(height: number, sharedAddress = false, genesis?: string) {
  const node = {
    name: `node at ${height}`,
    sharedAddress,
    query: (async ({ name }) => {
      const { data } = whole(tipReplyAt(height))
      const daemonStatus = { chainId: 'chain', consensusConfiguration: { ...constantsWire, slotDuration: slotMs } }
      const own = genesis === undefined ? {} : { genesisBlock: { ...Object(data).genesisBlock, stateHash: genesis } }
      return whole({ data: { ...Object(data), ...own, ...(name === 'nodeNetwork' && { daemonStatus }) } })
    }) as NodePort['query'],
  }
  return node
}

/** Reads of one instance: the height, or the fault, with what the log would say of it. */
function instanceOver(clock: ReturnType<typeof clockAt>, ...nodes: readonly NodePort[]) {
  const chain = createChain({ nodes, clock, random: () => 0 })
  return async () => {
    const said: string[] = []
    const observer: Observer = {
      ...silentObserver,
      doubted(doubt) {
        if (doubt === 'isClockBehind') said.push(doubt)
      },
      answeredAt: (_tip, isBehind) => void said.push(isBehind ? 'kept briefly' : 'kept'),
    }
    const view = chain.view({ withinMs: 20_000, observer })
    const { tip } = await view.request(nodeTipQuery, {}).finally(() => view.end())
    return [tip?.height, ...said]
  }
}

describe('tips two slots ahead of the clock of the service', () => {
  test.each([
    ['the only address', [nodeAt(2, true)]],
    ['two nodes', [nodeAt(2), nodeAt(2)]],
    ['two nodes, one of them of another network', [nodeAt(2), nodeAt(9, false, 'other')]],
  ])('of %s show that the clock is behind: they are believed, and kept briefly', async (_what, nodes) => {
    const clock = clockAt(tipAtMs - 2 * slotMs)
    const read = instanceOver(clock, ...nodes)
    expect([await read(), await read()]).toEqual(Array(2).fill([2, 'isClockBehind', 'kept briefly']))
    clock.wallMs = tipAtMs
    expect(await read()).toEqual([2, 'kept'])
  })

  test('say nothing about the clock if another node has a current tip', async () => {
    const early = nodeAt(9)
    const { query } = early
    early.query = async (...asked) => {
      const reply = await query(...asked)
      const data = JSON.parse(JSON.stringify(reply.data).replaceAll(String(tipAtMs), String(tipAtMs + 2 * slotMs)))
      return { ...reply, data }
    }
    const read = instanceOver(clockAt(tipAtMs), early, nodeAt(2))
    expect(await read()).toEqual([2, 'kept'])
  })

  test('say nothing if they are the genesis block of a chain that has not started', async () => {
    const { stateHash = '' } = Object(whole(tipReplyAt(1)).data).bestChain[0]
    const read = instanceOver(clockAt(tipAtMs - 2 * slotMs), nodeAt(1, true, stateHash))
    expect(await read()).toEqual([1, 'kept briefly'])
  })
})

describe('the time that is left for an answer', () => {
  const exchangeOn = (clock: ReturnType<typeof clockAt>) =>
    createChain({ nodes: [nodeAt(2, true)], clock, random: () => 0 }).view({ withinMs: 20_000 })

  test.each([-3_600_000, 3_600_000])('does not change when the wall clock is set by %d ms', (byMs) => {
    const clock = clockAt(tipAtMs)
    const view = exchangeOn(clock)
    clock.elapsedMs += 1000
    clock.wallMs += byMs
    expect(view.timeLeftMs()).toBe(19_000)
  })

  test('of an answer already given is over, even if both clocks stopped while the instance was frozen', () => {
    const view = exchangeOn(clockAt(tipAtMs))
    view.end()
    expect(view.timeLeftMs()).toBe(0)
  })
})

test('the clock of an instance’s memory runs on while it is frozen, and never goes back', () => {
  const clock = clockAt(1_000_000)
  const now = lastingTime(clock)
  const after = (elapsedMs: number, wallMs: number) => {
    clock.elapsedMs += elapsedMs
    clock.wallMs += wallMs
    return now() - 1_000_000
  }
  expect([
    after(0, 0),
    after(1000, 1000),
    // Frozen for an hour.
    after(0, 3_600_000),
    // Set back.
    after(10, -3_600_000),
    after(1000, 1000),
    // Frozen for a minute, and set back by a little while it runs.
    after(0, 60_000),
    after(10, -300),
  ]).toEqual([0, 1000, 3_601_000, 3_601_010, 3_602_010, 3_662_010, 3_662_020])
})
