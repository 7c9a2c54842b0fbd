import { describe, expect, test } from '@jest/globals'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { type Expected, nodeFindings } from '../../../../tools/doctor/upstreams/node-checks.ts'
import type { NodeFacts } from '../../../../tools/doctor/upstreams/node-facts.ts'
import { chainId, healthyNode, now, tip } from './healthy-node.ts'

const expected: Expected = { chainId, network: 'mainnet' }

const linesOf = (facts: NodeFacts, configured = expected) => nodeFindings(facts, configured, 8000, now).map(lineOf)

/** The lines that a healthy node does not get. */
const unusual = (facts: NodeFacts, configured = expected) => {
  const usual = linesOf(healthyNode())
  return linesOf(facts, configured).filter((line) => !usual.includes(line))
}

describe('a node', () => {
  test.each<[string, Partial<NodeFacts>, Expected, readonly string[]]>([
    [
      'without anything configured is not compared',
      {},
      {},
      [
        `ok   node chain id: ${chainId} (none configured to compare with)`,
        'ok   node network: mina:mainnet (none configured to compare with)',
      ],
    ],
    ['may report its chain id in upper or lower case', {}, { ...expected, chainId: chainId.toUpperCase() }, []],
    [
      'that does not report its network gets a warning',
      { network: undefined },
      expected,
      ['warn node network: the node does not say which network it is on -> compare the chain id with a known one'],
    ],
  ])('%s', (_, changes, configured, lines) => {
    expect(unusual({ ...healthyNode(), ...changes }, configured)).toEqual(lines)
  })

  test('of another network than the pinned one fails, and a Rust node by its name', () => {
    const { genesisStateHash } = tip
    const pinned = (pin: string) => unusual(healthyNode(), { ...expected, genesisStateHash: pin })
    expect(pinned(genesisStateHash)).toEqual([`ok   node genesis: ${genesisStateHash}, as pinned`])
    expect(pinned('3Nother')).toEqual([
      `fail node genesis: ${genesisStateHash}, but 3Nother is pinned -> take the node out; after a hard fork, set the new genesisStateHash in the settings`,
    ])
    expect(unusual({ ...healthyNode(), isRust: true }, expected)).toEqual([
      'fail node: a Rust node: not supported, its blocks do not show failed commands, coinbase or fee transfers -> use an OCaml daemon: the service leaves this node out',
    ])
  })

  test.each(['mina:devnet', 'mina:testnet', 'testnet'])('called %s belongs to devnet', (network) => {
    expect(unusual({ ...healthyNode(), network }, { chainId, network: 'devnet' })).toEqual([
      `ok   node network: ${network}, as configured`,
    ])
  })

  test.each([
    ['CATCHUP', 'warn node sync: CATCHUP: it serves blocks, but not yet the newest -> wait until it is SYNCED'],
    [
      'BOOTSTRAP',
      'fail node sync: BOOTSTRAP: it has no blocks yet, and the service answers 503 -> wait until it is SYNCED, some ten minutes after its start',
    ],
    ['OFFLINE', "fail node sync: OFFLINE: it has no peers -> check the node's network access and its peer list"],
    ['LISTENING', "fail node sync: LISTENING: it has no peers -> check the node's network access and its peer list"],
  ])('in state %s is not synced', (syncStatus, line) => {
    expect(unusual(healthyNode({ syncStatus }))).toEqual([line])
  })
})

describe('a tip', () => {
  const aged = (slots: number): NodeFacts => ({ ...healthyNode(), tip: { ...tip, date: now - slots * 90_000 } })
  const stale =
    "more than 10 -> check the node's peers and the chain's own health; a hard fork may have left this version of the node behind"

  test.each<[string, NodeFacts, string]>([
    ['may be ten slots old', aged(10), 'ok   node tip: height 1000, 10 slots of 90 s old'],
    ['of eleven slots ago is too old', aged(11), `fail node tip: height 1000, 11 slots of 90 s old, ${stale}`],
    [
      "has its age counted in the node's own slots",
      healthyNode({ consensusConfiguration: { slotDuration: 10_000 } }),
      `fail node tip: height 1000, 40 slots of 10 s old, ${stale}`,
    ],
    [
      'in the future gets a warning about the clocks',
      aged(-3),
      'warn node tip: height 1000, 3 slots in the future -> check both clocks',
    ],
    [
      'that is missing fails with the reason',
      { ...healthyNode(), tip: { missing: 'nodeTip: the node is bootstrapping' } },
      'fail node tip: nodeTip: the node is bootstrapping -> wait until the node is SYNCED, then run the doctor again',
    ],
  ])('%s', (_, facts, line) => {
    expect(unusual(facts)).toEqual([line])
  })
})

describe('a clock', () => {
  const withDate = (from: number): NodeFacts => {
    const facts = healthyNode()
    const dated = { askedAt: now - 20, answeredAt: now, from, to: from + 1000, source: 'HTTP date' }
    return { ...facts, clocks: [...facts.clocks, dated] }
  }
  const inSlot = (startTime: number) =>
    healthyNode({ consensusTimeNow: { startTime: now + startTime, endTime: now + startTime + 90_000 } })
  const agrees = 'ok   node clock: agrees with this machine, by its current slot and HTTP date'
  const off = (says: string) =>
    `fail node clock: at least ${says} -> set both clocks by NTP; the ages of blocks are wrong until then, and a node with a wrong clock loses its peers`

  test.each<[string, NodeFacts, string]>([
    ['that agrees is right', withDate(now), agrees],
    ['ahead by five seconds is right', withDate(now + 5000), agrees],
    ['behind by five seconds, counted from the end of the second in the date, is right', withDate(now - 6020), agrees],
    ['further behind fails', withDate(now - 7020), off('6 s behind this machine, by HTTP date')],
    [
      'ahead fails by the worst of its readings',
      withDate(now + 12_340),
      off('12.3 s ahead of this machine, by HTTP date'),
    ],
    [
      'off by hours is reported in hours',
      withDate(now + 7.5 * 3_600_000),
      off('7 h ahead of this machine, by HTTP date'),
    ],
    [
      'in another slot fails without an HTTP date',
      inSlot(90_000),
      off('90 s ahead of this machine, by its current slot'),
    ],
    [
      'without a reading gets a warning',
      { ...healthyNode(), clocks: [] },
      'warn node clock: the node reports no time -> compare the clocks by hand',
    ],
  ])('%s', (_, facts, line) => {
    expect(unusual(facts)).toEqual([line])
  })
})
