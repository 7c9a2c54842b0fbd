// Nodes on a chain that nobody else is on, and nodes on a known chain that no hard fork made of the pinned one.
import { describe, expect, test } from '@jest/globals'
import { nodeBusy } from '../../../shared/upstream/errors.ts'
import { unsent } from '../broadcast/broadcast-run.ts'
import { instanceWith, next, old, type State } from './forked-nodes.ts'

describe('with chain ids pinned beside the genesis blocks', () => {
  const both = { pins: ['old', 'next'], chainIds: ['OLD', 'next'] }
  /** Its automatic upgrade went wrong at the fork: it makes blocks by the new rules on the old genesis block. */
  const lone: State = { ...old, chainId: 'lone' }

  test.each<[string, Parameters<typeof instanceWith>, readonly unknown[], readonly unknown[]]>([
    ['leaves out a node that is alone on its chain, beside one that is down', [both, lone, unsent], ['busy'], [0, 0]],
    ['leaves out such a node as the only one', [{ pins: ['old'], chainIds: ['old'] }, lone], ['busy'], [0]],
    ['reads from the other node, and sends to it', [both, lone, old], ['old', 'isPinStale'], [0, 1]],
    [
      'goes over to no chain with another id than the next one’s',
      [both, old, { ...next, chainId: 'lone' }],
      ['old', 'isPinStale'],
      [1, 0],
    ],
    ['goes over to the next chain', [both, lone, next], ['next'], [0, 1]],
    [
      'counts a node that does not say its chain id by its genesis',
      [both, { ...old, chainId: unsent }, old],
      ['old', 'isPinStale'],
      [1, 1],
    ],
    [
      'gives way, as without, when every node names the same new genesis',
      [{ pins: ['old'], chainIds: ['old'] }, next, next],
      ['next', 'isPinStale'],
      [1, 1],
    ],
  ])('an instance %s', async (_what, terms, read, commands) => {
    const reading = instanceWith(...terms)
    await reading.read()
    expect(await reading.read()).toEqual(read)
    const [outcome, ...sent] = await instanceWith(...terms).send()
    expect([outcome, sent]).toEqual([read[0] === 'busy' ? 'unknown' : 'accepted', commands])
  })

  test('an instance leaves out such a node that was busy before, with its first answer', async () => {
    const day = instanceWith({ pins: ['old'], chainIds: ['old'] }, nodeBusy('too much load'))
    const seen = [await day.read()]
    day.wait(20_000)
    seen.push(await day.read())
    for (const node of day.nodes) node.state = lone
    day.wait(11_000)
    expect([...seen, await day.read()]).toEqual([['busy'], ['busy'], ['mismatched']])
  })

  test('an instance takes a node back within half a minute after that is on the right chain again', async () => {
    const day = instanceWith({ pins: ['old'], chainIds: ['old'] }, lone)
    const seen = [await day.read(), await day.read()]
    for (const node of day.nodes) node.state = old
    day.wait(30_000)
    expect([...seen, await day.read(), await day.send()]).toEqual([['mismatched'], ['busy'], ['old'], ['accepted', 1]])
  })
})

const [berkeley, mesa, devnet] = [
  '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP',
  '3NLntCRR9RvjtzP24Q1dRvdhmpjiPvfKGaJmAZuJgYoqGpevqDR7',
  '3NLT7n4LiVo6U4LXr9BjCEp9712fP61uXkRC6hnRnB682A8f4HrJ',
]
const ofMesa = '0718f61ab88f9d0fa643ff4dc3a3d5998dd6d51a6008b2b0339b0dbb26133886'

test.each<[string, Parameters<typeof instanceWith>[0], object, unknown]>([
  ['a chain that nobody knows yet', { pins: [mesa] }, { genesis: 'fork' }, 'fork'],
  [
    'a chain that nobody knows yet, with its chain id',
    { pins: [mesa], chainIds: [ofMesa] },
    { genesis: 'fork' },
    'fork',
  ],
  ['the chain after the pinned one', { pins: [berkeley] }, { genesis: mesa }, mesa],
  ['the chain before the pinned one', { pins: [mesa] }, { genesis: berkeley }, 'busy'],
  ['the other public network', { pins: [mesa] }, { genesis: devnet }, 'busy'],
  [
    'a chain of its making, after a fork that nobody knows yet',
    { pins: ['fork'], chainIds: ['fork'] },
    { genesis: mesa, chainId: 'lone' },
    'busy',
  ],
])('a pin gives way only to what may be a hard fork: every node is on %s', async (_what, pins, chain, read) => {
  const state = { ...old, ...chain }
  const instance = instanceWith(pins, state, state)
  await instance.read()
  expect((await instance.read())[0]).toBe(read)
})
