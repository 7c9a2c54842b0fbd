// A hard fork: which network an instance is on while some of its nodes were upgraded, by the pins of its stage.
import { describe, expect, test } from '@jest/globals'
import { unsent } from '../broadcast/broadcast-run.ts'
import {
  begun,
  dead,
  early,
  halted,
  instanceOver,
  minutes,
  next,
  noon,
  old,
  quiet,
  type State,
  still,
} from './forked-nodes.ts'

const orders = (states: readonly [State, State]) => [states, states.toReversed()] as const

describe('with two pins, a cold instance', () => {
  const pins = ['old', 'next']

  test.each<[string, readonly [State, State], readonly unknown[], string]>([
    ['both nodes are on the old chain', [old, old], ['old', 'isPinStale'], 'accepted'],
    ['one node is stopped before the fork', [old, unsent], ['old', 'isPinStale'], 'accepted'],
    ['one node is upgraded before the new chain begins', [old, early], ['old', 'isPinStale'], 'accepted'],
    ['both stand still', [dead, dead], ['old', 'isPinStale'], 'accepted'],
    ['one node is upgraded, while the old chain stands still', [dead, early], ['old', 'isPinStale'], 'accepted'],
    ['the old chain stands still, and a node cannot be reached', [dead, unsent], ['busy'], 'unknown'],
    [
      'it has no block for five slots of 90 s, and a node cannot be reached',
      [halted, unsent],
      ['old', 'isPinStale'],
      'unknown',
    ],
    ['it has no block for 30 slots, and a node cannot be reached', [quiet, unsent], ['old', 'isPinStale'], 'unknown'],
    ['it has no block for 31 slots, and a node cannot be reached', [still, unsent], ['busy'], 'unknown'],
    ['the new chain has begun on one node', [dead, begun], ['next'], 'accepted'],
    ['one node is upgraded, and the old chain lives on at the other', [old, next], ['next'], 'accepted'],
    ['one node is upgraded, and the other gone', [unsent, next], ['next'], 'accepted'],
    ['both are upgraded', [next, next], ['next'], 'accepted'],
    ['none can be reached', [unsent, unsent], ['busy'], 'unknown'],
  ])('knows its network, or says that it does not, where %s', async (_what, states, read, sent) => {
    for (const listed of orders(states)) {
      expect(await instanceOver(pins, ...listed).read()).toEqual(read)
      const cold = instanceOver(pins, ...listed)
      const [outcome] = await cold.send()
      expect(outcome).toBe(sent)
      const commands = cold.nodes.map(
        ({ state, commands }) => !(state instanceof Error) && [state.genesis, commands > 0],
      )
      const network = sent === 'accepted' ? read[0] : undefined
      for (const each of commands) if (each) expect(each[1]).toBe(each[0] === network)
    }
  })
})

test('a chain whose tip is five slots of 90 s old may have halted, even if no node says how long a slot is', async () => {
  expect(await instanceOver([], old).isHalted()).toBe(false)
  expect(await instanceOver([], halted).isHalted()).toBe(true)
})

describe('with two pins, an instance that lives through the day', () => {
  test('goes over when the new chain has begun, within ten seconds, and never goes back', async () => {
    const day = instanceOver(['old', 'next'], old, old)
    const [first, second] = day.nodes as [(typeof day.nodes)[0], (typeof day.nodes)[0]]
    const seen: unknown[] = []
    const look = async () => {
      day.wait(10_000)
      seen.push((await day.read())[0])
    }
    await look()
    second.state = unsent
    day.wait(minutes(60))
    // The node has named its network before it was stopped.
    await look()
    second.state = { ...early, atMs: noon + minutes(120) }
    await look()
    day.wait(minutes(60))
    second.state = { ...next, atMs: noon + minutes(121) }
    await look()
    first.state = { ...old, height: 60, atMs: noon + minutes(121) }
    second.state = unsent
    await look()
    expect(await day.send()).toEqual(['unknown', 0, 0])
    expect(seen).toEqual(['old', 'old', 'old', 'next', 'busy'])
  })

  test('looks for a command at a node that was upgraded ten seconds after it was last heard on the old chain', async () => {
    const day = instanceOver(['old', 'next'], dead, next)
    const seen = [await day.askAll()]
    day.wait(9000)
    for (const node of day.nodes) node.state = next
    seen.push(await day.askAll())
    day.wait(1000)
    expect([...seen, await day.askAll()]).toEqual([[1], [1], [1, 0]])
  })

  test('waits once for a node of the old chain that is stopped, and finds what the other shows', async () => {
    const day = instanceOver(['old', 'next'], dead, next)
    await day.askAll()
    for (const node of day.nodes) if (node.state === dead) node.state = unsent
    day.wait(10_000)
    expect(await day.askAll()).toEqual([1])
  })

  test('asks again at once if it is in doubt and an unreachable node is back', async () => {
    for (const [first, then, network] of [
      [[unsent, unsent], [old, old], 'old'],
      [[dead, unsent], [dead, next], 'next'],
    ] as const) {
      const day = instanceOver(['old', 'next'], ...first)
      const before = [(await day.read())[0], (await day.send())[0]]
      for (const [index, node] of day.nodes.entries()) node.state = then[index] ?? old
      day.wait(1000)
      expect([...before, (await day.send())[0], (await day.read())[0]]).toEqual([
        'busy',
        'unknown',
        'accepted',
        network,
      ])
    }
  })

  test('begins its heights again on the new chain, whose tip is lower', async () => {
    const day = instanceOver(['old', 'next'], old, old)
    await day.read()
    for (const node of day.nodes) node.state = next
    day.wait(10_000)
    expect(await day.read()).toEqual(['next'])
    expect(await day.send()).toEqual(['accepted', 1, 1])
  })
})

test.each<[string, readonly string[], readonly [State, State], readonly unknown[]]>([
  ['one pin serves the dead chain, and says that another lives', ['old'], [dead, next], ['old', 'isOtherNetworkFresh']],
  ['one pin of the new chain serves no other', ['next'], [old, next], ['next']],
  [
    'one pin gives way, loudly, when every node names the same other network',
    ['old'],
    [next, next],
    ['next', 'isPinStale'],
  ],
  [
    'no pin follows the first listed node, and says that another lives',
    [],
    [dead, next],
    ['old', 'isOtherNetworkFresh'],
  ],
  ['no pin follows the first listed node, if that is upgraded', [], [next, dead], ['next']],
  ['no pin follows the other node while the first is stopped', [], [unsent, dead], ['old']],
])('%s', async (_what, pins, states, read) => {
  const instance = instanceOver(pins, ...states)
  await instance.read()
  instance.wait(1000)
  expect(await instance.read()).toEqual(read)
})

test.each<[string, readonly string[]]>([
  ['without a pin', []],
  ['with the old pin', ['old']],
])(
  '%s, a node first seen before its chain began shows within a minute that it has, while the own one stands still',
  async (_what, pins) => {
    const day = instanceOver(pins, dead, { ...early, atMs: noon + minutes(120) })
    const isTold = async () => (await day.read()).includes('isOtherNetworkFresh')
    const seen = [await isTold()]
    for (const node of day.nodes) if (node.state !== dead) node.state = next
    for (const elapsedMs of [10_000, 30_000, 30_000]) {
      day.wait(elapsedMs)
      seen.push(await isTold())
    }
    expect(seen).toEqual([false, false, true, true])
  },
)

describe('after the new chain has begun, over two nodes that are each frozen on the old one, upgraded or stopped', () => {
  const states = { frozen: dead, upgraded: next, stopped: unsent }
  type Name = keyof typeof states
  const names = Object.keys(states) as readonly Name[]
  const pairs = names.flatMap((first) => names.map((second) => [first, second] as const))

  /** The network that an instance reads from, or the fault: a cold one, or one that read before while all nodes were so. */
  async function networkOn(pins: readonly string[], [first, second]: readonly [Name, Name], before?: State) {
    const now = [states[first], states[second]]
    const day = instanceOver(pins, ...(before === undefined ? now : now.map(() => before)))
    if (before !== undefined) {
      await day.read()
      for (const [index, node] of day.nodes.entries()) node.state = now[index] ?? unsent
      // It learns in a few reads what its nodes have become.
      for (let reads = 0; reads < 2; reads++) {
        day.wait(10_000)
        await day.read()
      }
    }
    return (await day.read())[0]
  }

  /** A row for each pair of nodes: cold | it has seen the old chain | it has seen the new one. */
  async function tableWith(pins: readonly string[]) {
    const rows: string[] = []
    for (const pair of pairs) {
      const read = [await networkOn(pins, pair), await networkOn(pins, pair, old), await networkOn(pins, pair, next)]
      rows.push([...pair, '|', ...read].join(' '))
    }
    return rows
  }

  // The nodes in their order; then a cold instance, one that has seen the old chain, and one that has seen the new one.
  test.each<[string, readonly string[], string]>([
    [
      'with both pins the dead chain is served to nobody who has seen the new one, nor cold while a node may know better',
      ['old', 'next'],
      `
      frozen    frozen   | old   old   busy
      frozen    upgraded | next  next  next
      frozen    stopped  | busy  old   busy
      upgraded  frozen   | next  next  next
      upgraded  upgraded | next  next  next
      upgraded  stopped  | next  next  next
      stopped   frozen   | busy  old   busy
      stopped   upgraded | next  next  next
      stopped   stopped  | busy  busy  busy`,
    ],
    [
      'with the old pin the dead chain is served as long as a node names it',
      ['old'],
      `
      frozen    frozen   | old   old   old
      frozen    upgraded | old   old   old
      frozen    stopped  | old   old   old
      upgraded  frozen   | old   old   next
      upgraded  upgraded | next  next  next
      upgraded  stopped  | busy  busy  next
      stopped   frozen   | old   old   old
      stopped   upgraded | busy  busy  next
      stopped   stopped  | busy  busy  busy`,
    ],
    [
      'with the new pin the dead chain is served while all nodes that an instance has heard name it',
      ['next'],
      `
      frozen    frozen   | old   old   old
      frozen    upgraded | next  next  next
      frozen    stopped  | busy  old   busy
      upgraded  frozen   | next  next  next
      upgraded  upgraded | next  next  next
      upgraded  stopped  | next  next  next
      stopped   frozen   | busy  old   busy
      stopped   upgraded | next  next  next
      stopped   stopped  | busy  busy  busy`,
    ],
    [
      'without a pin the first listed node that an instance has heard decides',
      [],
      `
      frozen    frozen   | old   old   old
      frozen    upgraded | old   old   old
      frozen    stopped  | old   old   old
      upgraded  frozen   | next  next  next
      upgraded  upgraded | next  next  next
      upgraded  stopped  | next  next  next
      stopped   frozen   | old   old   busy
      stopped   upgraded | next  busy  next
      stopped   stopped  | busy  busy  busy`,
    ],
  ])('%s', async (_what, pins, table) => {
    const rows = table
      .trim()
      .split('\n')
      .map((row) => row.trim().replace(/ +/g, ' '))
    expect(await tableWith(pins)).toEqual(rows)
  })
})
