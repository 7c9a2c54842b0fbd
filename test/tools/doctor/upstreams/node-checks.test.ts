import { describe, expect, test } from '@jest/globals'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { type Expected, nodeFindings } from '../../../../tools/doctor/upstreams/node-checks.ts'
import type { ClockReading, NodeFacts } from '../../../../tools/doctor/upstreams/node-facts.ts'
import { chainId, healthyNode, now, tip } from './healthy-node.ts'

const expected: Expected = { chainId, network: 'mainnet' }

const linesOf = (facts: NodeFacts, configured = expected) => nodeFindings(facts, configured, 8000, now).map(lineOf)

/** The lines that a healthy node does not get. */
const unusual = (facts: NodeFacts, configured = expected) => {
  const usual = linesOf(healthyNode())
  return linesOf(facts, configured).filter((line) => !usual.includes(line))
}

describe('a node', () => {
  test('that is healthy gets one line per check', () => {
    expect(linesOf(healthyNode())).toEqual([
      'ok   node: answers in 12 ms (time-out 8000 ms)',
      `ok   node chain id: ${chainId}, as configured`,
      'ok   node network: mina:mainnet, as configured',
      'ok   node sync: SYNCED',
      'ok   node tip: height 1000, 4 slots of 90 s old',
      'ok   node clock: agrees with this machine, by its current slot',
    ])
  })

  test('is not compared with what is not configured', () => {
    expect(unusual(healthyNode(), {})).toEqual([
      `ok   node chain id: ${chainId} (none configured to compare with)`,
      'ok   node network: mina:mainnet (none configured to compare with)',
    ])
  })

  test('that does not answer gets that one line', () => {
    const reason = 'connect ECONNREFUSED 127.0.0.1:3085'
    const status = { state: 'failed', fault: 'unreachable', reason, tookMs: 3 } as const
    expect(linesOf({ status, network: undefined, tip: { missing: reason }, clocks: [] })).toEqual([
      'fail node: connect ECONNREFUSED 127.0.0.1:3085 -> start the node, or correct its address (--node or nodeGraphqlUrl); a private one answers only inside its network',
    ])
  })

  test('of another chain and network than the configured ones fails', () => {
    expect(unusual(healthyNode(), { chainId: 'b8'.repeat(32), network: 'devnet' })).toEqual([
      `fail node chain id: ${chainId}, but ${'b8'.repeat(32)} is configured -> point the stage to a node of that chain; after a hard fork, set the new chain id in its settings`,
      'fail node network: mina:mainnet, but devnet is configured -> point the stage to a node of that network',
    ])
  })

  test.each(['mina:devnet', 'mina:testnet', 'testnet'])('called %s is one of devnet', (network) => {
    expect(unusual({ ...healthyNode(), network }, { chainId, network: 'devnet' })).toEqual([
      `ok   node network: ${network}, as configured`,
    ])
  })

  test('may report its chain id in upper or lower case', () => {
    expect(unusual(healthyNode(), { ...expected, chainId: chainId.toUpperCase() })).toEqual([])
  })

  test('that does not report its network gets a warning', () => {
    expect(unusual({ ...healthyNode(), network: undefined })).toEqual([
      'warn node network: the node does not say which network it is on -> compare the chain id with a known one',
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
  const aged = (slots: number) => ({ ...healthyNode(), tip: { ...tip, date: now - slots * 90_000 } })

  test('may be ten slots old, but not eleven', () => {
    expect([aged(10), aged(11)].flatMap((facts) => unusual(facts))).toEqual([
      'ok   node tip: height 1000, 10 slots of 90 s old',
      "fail node tip: height 1000, 11 slots of 90 s old, more than 10 -> check the node's peers and the chain's own health; a hard fork may have left this version of the node behind",
    ])
  })

  test("has its age counted in the node's own slots", () => {
    expect(unusual(healthyNode({ consensusConfiguration: { slotDuration: 10_000 } }))).toEqual([
      "fail node tip: height 1000, 40 slots of 10 s old, more than 10 -> check the node's peers and the chain's own health; a hard fork may have left this version of the node behind",
    ])
  })

  test('in the future gets a warning about the clocks', () => {
    expect(unusual(aged(-3))).toEqual(['warn node tip: height 1000, 3 slots in the future -> check both clocks'])
  })

  test('that is missing fails with the reason', () => {
    expect(unusual({ ...healthyNode(), tip: { missing: 'nodeTip: the node is bootstrapping' } })).toEqual([
      'fail node tip: nodeTip: the node is bootstrapping -> wait until the node is SYNCED, then run the doctor again',
    ])
  })
})

describe('a clock', () => {
  const dated = (from: number): ClockReading => ({
    askedAt: now - 20,
    answeredAt: now,
    from,
    to: from + 1000,
    source: 'HTTP date',
  })
  const withDate = (from: number) => {
    const facts = healthyNode()
    return unusual({ ...facts, clocks: [...facts.clocks, dated(from)] })
  }
  const remedy =
    'set both clocks by NTP; the ages of blocks are wrong until then, and a node with a wrong clock loses its peers'

  test.each([0, 5000, -5020 - 1000])('off by %i ms, at most five seconds, is right', (off) => {
    expect(withDate(now + off)).toEqual([
      'ok   node clock: agrees with this machine, by its current slot and HTTP date',
    ])
  })

  test('ahead fails by the worst of its readings', () => {
    expect(withDate(now + 12_340)).toEqual([
      `fail node clock: at least 12.3 s ahead of this machine, by HTTP date -> ${remedy}`,
    ])
  })

  test('behind is measured from the end of the second in the HTTP date', () => {
    expect(withDate(now - 20 - 1000 - 6000)).toEqual([
      `fail node clock: at least 6 s behind this machine, by HTTP date -> ${remedy}`,
    ])
  })

  test('in another slot fails without an HTTP date', () => {
    const consensusTimeNow = { startTime: now + 90_000, endTime: now + 180_000 }
    expect(unusual(healthyNode({ consensusTimeNow }))).toEqual([
      `fail node clock: at least 90 s ahead of this machine, by its current slot -> ${remedy}`,
    ])
  })

  test('off by hours is reported in hours', () => {
    expect(withDate(now + 7.5 * 3_600_000)).toEqual([
      `fail node clock: at least 7 h ahead of this machine, by HTTP date -> ${remedy}`,
    ])
  })

  test('without a reading gets a warning', () => {
    expect(unusual({ ...healthyNode(), clocks: [] })).toEqual([
      'warn node clock: the node reports no time -> compare the clocks by hand',
    ])
  })
})
