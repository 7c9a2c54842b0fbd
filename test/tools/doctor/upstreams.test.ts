// The findings on nodes and indexers: facts by name, then the lines that the doctor prints for them.
import { describe, expect, test } from '@jest/globals'
import { isoTime } from '../../../shared/mapping/times.ts'
import { type Finding, lineOf } from '../../../tools/doctor/finding.ts'
import { type IndexerFacts, indexerFindings, type LedgerFacts } from '../../../tools/doctor/upstreams/indexer.ts'
import { type Expected, nodeFindings } from '../../../tools/doctor/upstreams/node-checks.ts'
import type { NodeFacts, NodeStatus, Tip } from '../../../tools/doctor/upstreams/node-facts.ts'
import { comparisonFindings } from '../../../tools/doctor/upstreams/other-nodes.ts'

const now = Date.UTC(2026, 0, 1)
const chainId = 'a7'.repeat(32)
/** Of mainnet before Mesa. */
const retired = '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP'
const retiredChainId = 'a7351abc7ddf2ea92d1b38cc8e636c271c1dfd2c081c637f62ebc2af34eb7cc1'
const ofDevnet = '3NLT7n4LiVo6U4LXr9BjCEp9712fP61uXkRC6hnRnB682A8f4HrJ'
const devnetChainId = 'ebfce0d570bc22eb041e1a7b0a46bbc3ed5d0a1030ef2ab5e36eef908b93eba8'

const tip: Tip = {
  ...{ stateHash: '3Ntip', creator: 'B62creator', height: 1000, date: now - 400_000 },
  ...{ stakingLedgerHash: 'jxLedger', nextLedgerHash: 'jxNext', genesisStateHash: '3Ngenesis' },
}

/** @param changes to the status that the node reports */
function healthyNode(changes: Partial<NodeStatus> = {}): NodeFacts {
  const daemonStatus: NodeStatus = {
    chainId,
    syncStatus: 'SYNCED',
    consensusConfiguration: { slotDuration: 90_000 },
    consensusTimeNow: { startTime: now - 40_000, endTime: now + 50_000 },
    ...changes,
  }
  const { startTime: from, endTime: to } = daemonStatus.consensusTimeNow
  return {
    asked: { upstream: 'node', hasKey: false },
    isRust: false,
    status: { state: 'answered', data: { daemonStatus }, tookMs: 12 },
    network: 'mina:mainnet',
    tip,
    branch: [{ height: 1000, stateHash: '3Ntip' }],
    clocks: [{ askedAt: now - 20, answeredAt: now, from, to, source: 'its current slot' }],
  }
}

/** The lines that a healthy upstream does not get, after their names. */
function unusual(byName: Readonly<Record<string, readonly Finding[]>>, usual: readonly Finding[] = []): string {
  const usualLines = usual.map(lineOf)
  return Object.entries(byName)
    .flatMap(([name, findings]) => findings.map((finding) => [name, lineOf(finding)]))
    .filter(([, line = '']) => !usualLines.includes(line))
    .map((row) => row.join(': '))
    .join('\n')
}

test('the doctor judges a node by its network, its state, its tip and its clock', () => {
  const configured: Expected = { chainIds: [chainId], network: 'mainnet' }
  const judged = (changes: Partial<NodeFacts>, expected = configured) =>
    nodeFindings({ ...healthyNode(), ...changes }, expected, 8000, now)
  const devnet: Expected = { chainIds: [chainId], network: 'devnet' }
  const anyChain: Expected = { network: 'mainnet' }
  const onRetired = { tip: { ...tip, genesisStateHash: retired } }
  const aged = (slots: number) => judged({ tip: { ...tip, date: now - slots * 90_000 } })
  const dated = (from: number) => {
    const reading = { askedAt: now - 20, answeredAt: now, from, to: from + 1000, source: 'HTTP date' }
    return judged({ clocks: [...healthyNode().clocks, reading] })
  }
  const inNextSlot = { startTime: now + 90_000, endTime: now + 180_000 }
  expect(
    unusual(
      {
        'nothing configured': judged({}, {}),
        'chain id in upper case': judged({}, { ...configured, chainIds: [chainId.toUpperCase()] }),
        'unknown network': judged({ network: undefined }),
        'testnet on devnet': judged({ network: 'testnet' }, devnet),
        'pinned genesis': judged({}, { ...configured, genesisStateHashes: [tip.genesisStateHash] }),
        'pinned before a fork': judged({}, { ...configured, genesisStateHashes: [tip.genesisStateHash, '3Nnext'] }),
        'retired genesis': judged({ ...healthyNode({ chainId: retiredChainId }), ...onRetired }, anyChain),
        'retired genesis, not pinned': judged(
          { ...healthyNode({ chainId: retiredChainId }), ...onRetired },
          { ...anyChain, genesisStateHashes: ['3Nnext'] },
        ),
        'retired genesis, pinned': judged(
          { ...healthyNode({ chainId: retiredChainId }), ...onRetired },
          { ...anyChain, genesisStateHashes: [retired, '3Nnext'], chainIds: [retiredChainId, chainId] },
        ),
        'alone on the retired genesis': judged(onRetired, { network: 'mainnet' }),
        'of devnet': judged(
          { ...healthyNode({ chainId: devnetChainId }), tip: { ...tip, genesisStateHash: ofDevnet } },
          anyChain,
        ),
        'another chain id than the pin’s': judged(
          {},
          { ...configured, genesisStateHashes: [tip.genesisStateHash, '3Nnext'], chainIds: ['a8', chainId] },
        ),
        'other pinned genesis': judged({}, { ...configured, genesisStateHashes: ['3Nother', '3Nnext'] }),
        Rust: judged({ isRust: true }),
        CATCHUP: judged(healthyNode({ syncStatus: 'CATCHUP' })),
        OFFLINE: judged(healthyNode({ syncStatus: 'OFFLINE' })),
        'tip of ten slots ago': aged(10),
        'tip of eleven slots ago': aged(11),
        'tip of thirty slots ago': aged(30),
        'tip of 31 slots ago': aged(31),
        'tip by the node’s own slots': judged(healthyNode({ consensusConfiguration: { slotDuration: 10_000 } })),
        'tip of the next slot': aged(-1),
        'tip of the future': aged(-2),
        'five seconds ahead': dated(now + 5000),
        'five seconds behind the end of the second in the date': dated(now - 6020),
        'further behind': dated(now - 7020),
        'ahead by the worst of two readings': dated(now + 12_340),
        'ahead by hours': dated(now + 7.5 * 3_600_000),
        'in the next slot': judged(healthyNode({ consensusTimeNow: inNextSlot })),
        'no reading of the clock': judged({ clocks: [] }),
      },
      judged({}),
    ),
  ).toBe(`nothing configured: ok   node chain id: ${chainId} (none configured to compare with)
nothing configured: ok   node network: mina:mainnet (none configured to compare with)
unknown network: warn node network: the node does not say which network it is on -> compare the chain id with a known one
testnet on devnet: ok   node network: testnet, as configured
pinned genesis: ok   node genesis: 3Ngenesis, as pinned
pinned before a fork: ok   node genesis: 3Ngenesis, as pinned, and 3Nnext after a hard fork
retired genesis: ok   node chain id: a7351abc7ddf2ea92d1b38cc8e636c271c1dfd2c081c637f62ebc2af34eb7cc1, mainnet until 2026-09-03 (none configured to compare with)
retired genesis: warn node genesis: 3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP, mainnet until 2026-09-03 -> upgrade the node: a hard fork has ended its chain
retired genesis, not pinned: ok   node chain id: a7351abc7ddf2ea92d1b38cc8e636c271c1dfd2c081c637f62ebc2af34eb7cc1, mainnet until 2026-09-03 (none configured to compare with)
retired genesis, not pinned: fail node genesis: 3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP, mainnet until 2026-09-03, but 3Nnext is pinned -> take the node out; after a hard fork, set the new genesisStateHash in the settings
retired genesis, pinned: ok   node chain id: a7351abc7ddf2ea92d1b38cc8e636c271c1dfd2c081c637f62ebc2af34eb7cc1, mainnet until 2026-09-03, as configured
retired genesis, pinned: warn node genesis: 3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP, mainnet until 2026-09-03 -> upgrade the node: a hard fork has ended its chain
alone on the retired genesis: ok   node chain id: ${chainId} (none configured to compare with)
alone on the retired genesis: fail node chain: alone on a chain of its making: it has the genesis block of mainnet until 2026-09-03, and another chain id (${chainId}) -> take it out, and install the release of the present chain anew: its upgrade at a hard fork went wrong
of devnet: ok   node chain id: ebfce0d570bc22eb041e1a7b0a46bbc3ed5d0a1030ef2ab5e36eef908b93eba8, devnet since 2026-08-19 (none configured to compare with)
of devnet: fail node genesis: 3NLT7n4LiVo6U4LXr9BjCEp9712fP61uXkRC6hnRnB682A8f4HrJ, devnet since 2026-08-19, but the network is mainnet -> point the stage to a node of that network
another chain id than the pin’s: fail node chain id: ${chainId}, but a8 is configured -> point the stage to a node of that chain; after a hard fork, set the new chain id in its settings
another chain id than the pin’s: ok   node genesis: 3Ngenesis, as pinned, and 3Nnext after a hard fork
other pinned genesis: fail node genesis: 3Ngenesis, but 3Nother, then 3Nnext is pinned -> take the node out; after a hard fork, set the new genesisStateHash in the settings
Rust: fail node: a Rust node, which is not supported: its blocks do not show failed commands, coinbase or fee transfers -> Use an OCaml daemon: the service leaves this node out
CATCHUP: warn node sync: CATCHUP: it serves blocks, but not yet the newest -> wait until it is SYNCED
OFFLINE: fail node sync: OFFLINE: it has no peers -> check the node's network access and its peer list
tip of ten slots ago: ok   node tip: height 1000, 10 slots of 90 s old
tip of eleven slots ago: warn node tip: height 1000, 11 slots of 90 s old -> compare with another node or a public explorer: so many empty slots in a row can be chance
tip of thirty slots ago: warn node tip: height 1000, 30 slots of 90 s old -> compare with another node or a public explorer: so many empty slots in a row can be chance
tip of 31 slots ago: fail node tip: height 1000, 31 slots of 90 s old, more than 30 -> check the node's peers and the chain's own health; a hard fork may have left this version of the node behind
tip by the node’s own slots: fail node tip: height 1000, 40 slots of 10 s old, more than 30 -> check the node's peers and the chain's own health; a hard fork may have left this version of the node behind
tip of the next slot: ok   node tip: height 1000, -1 slots of 90 s old
tip of the future: warn node tip: height 1000, 2 slots in the future -> check both clocks; on the day of a hard fork its chain may be yet to begin
five seconds ahead: ok   node clock: agrees with this machine, by its current slot and HTTP date
five seconds behind the end of the second in the date: ok   node clock: agrees with this machine, by its current slot and HTTP date
further behind: fail node clock: at least 6 s behind this machine, by HTTP date -> set both clocks by NTP; the ages of blocks are wrong until then, and a node with a wrong clock loses its peers
ahead by the worst of two readings: fail node clock: at least 12.3 s ahead of this machine, by HTTP date -> set both clocks by NTP; the ages of blocks are wrong until then, and a node with a wrong clock loses its peers
ahead by hours: fail node clock: at least 7 h ahead of this machine, by HTTP date -> set both clocks by NTP; the ages of blocks are wrong until then, and a node with a wrong clock loses its peers
in the next slot: fail node clock: at least 90 s ahead of this machine, by its current slot -> set both clocks by NTP; the ages of blocks are wrong until then, and a node with a wrong clock loses its peers
no reading of the clock: warn node clock: the node reports no time -> compare the clocks by hand`)
})

test('the doctor compares several nodes by genesis and height, and advises a pin', () => {
  const at = (name: string, changes: Partial<NodeFacts> = {}) => ({ name, facts: { ...healthyNode(), ...changes } })
  const apart = at('b', { tip: { ...tip, genesisStateHash: '3Nother', height: 997, date: now } })
  const tipped = (height: number, stateHash: string) => ({ tip: { ...tip, height, stateHash }, branch: [] })
  const ending = (name: string) => ({
    branch: [997, 998, 999, 1000].map((height) => ({ height, stateHash: `${name}${height}` })),
  })
  expect(
    unusual({
      'two blocks apart': comparisonFindings([at('a'), at('b', tipped(998, '3N998'))], ['3Ngenesis']),
      'on two branches': comparisonFindings([at('a', ending('3Na')), at('b', ending('3Nb'))], ['3Ngenesis']),
      'three blocks apart': comparisonFindings([at('a'), at('b', tipped(997, '3N997'))], ['3Ngenesis']),
      'another genesis, three blocks apart': comparisonFindings([at('a'), apart], ['3Ngenesis']),
      'on both sides of a hard fork': comparisonFindings([at('a'), apart, at('c')], ['3Ngenesis', '3Nother']),
      'one of them not pinned': comparisonFindings([at('a'), apart], ['3Ngenesis', '3Nnext']),
      'no pin': comparisonFindings([at('a'), at('b')]),
      'one tip': comparisonFindings(
        [at('a'), at('b', { tip: { missing: 'bestChain lists no block' } })],
        ['3Ngenesis'],
      ),
    }),
  ).toBe(`two blocks apart: ok   nodes network: genesis and chain id of 2 nodes agree
two blocks apart: ok   nodes heights: a 1000, b 998
on two branches: ok   nodes network: genesis and chain id of 2 nodes agree
on two branches: fail nodes branches: a 1000, b 1000, on two branches for 4 blocks or more: at height 1000 a has 3Na1000, b 3Nb1000 -> ask somebody else, such as a public explorer, for block 1000: take the node that has another one out of nodes until it has synchronised anew
three blocks apart: ok   nodes network: genesis and chain id of 2 nodes agree
three blocks apart: warn nodes heights: a 1000, b 997 -> the service asks a node that is behind last; check its peers
another genesis, three blocks apart: fail nodes network: on 2 chains: a, newest block of ${isoTime(now - 400_000)}; b, newest block of ${isoTime(now)} -> if only the newest goes on, follow "The day of a hard fork" in docs/runbook.md; otherwise take the nodes of another network out of nodes: the service uses one chain
on both sides of a hard fork: warn nodes network: b after the hard fork, a, c before it, as pinned -> upgrade those before it once the new chain has begun: it alone is served then
one of them not pinned: fail nodes network: on 2 chains: a, newest block of ${isoTime(now - 400_000)}; b, newest block of ${isoTime(now)} -> if only the newest goes on, follow "The day of a hard fork" in docs/runbook.md; otherwise take the nodes of another network out of nodes: the service uses one chain
no pin: ok   nodes network: genesis and chain id of 2 nodes agree
no pin: warn nodes pin: genesisStateHash is not set: while the first node is down, one of another network would be used -> set genesisStateHash to the first node's genesis
no pin: ok   nodes heights: a 1000, b 1000
one tip: warn nodes heights: not compared: fewer than two nodes have a tip -> see above`)
})

describe('the doctor judges an indexer', () => {
  const asked = { upstream: 'indexer', hasKey: false } as const
  /** Its answers for both ledgers, and the times of a walk through one and of a light question. */
  function ledgers(currentRows = 1, nextRows = 1, walkMs = 40, lightMs = 3): LedgerFacts {
    const shown = (rows: number) => {
      const listed = Array.from({ length: rows }, () => ({ epoch: 4, ledgerHash: 'jx' }))
      return { state: 'answered', data: { known: listed, first: listed }, tookMs: lightMs } as const
    }
    const walk = currentRows > 0 ? ({ state: 'answered', data: {}, tookMs: walkMs } as const) : undefined
    return { current: shown(currentRows), next: shown(nextRows), walk }
  }
  const judged = (
    block: { readonly blockHeight: number; readonly genesisStateHash: string } | null,
    known: IndexerFacts['ledgers'] = ledgers(),
  ) => indexerFindings({ asked, tip: { state: 'answered', data: { block }, tookMs: 7 }, ledgers: known }, tip, 1500)
  const at = (blockHeight: number) => judged({ blockHeight, genesisStateHash: '3Ngenesis' })
  const withLedgers = (known: LedgerFacts) => judged({ blockHeight: 1000, genesisStateHash: '3Ngenesis' }, known)
  const rowless = {
    state: 'answered',
    data: { known: [{ epoch: 4, ledgerHash: 'jx' }], first: [] },
    tookMs: 3,
  } as const
  const failedWalk = { state: 'failed', fault: 'timeout', trouble: 'silent', reason: 'aborted', tookMs: 8000 } as const

  test('by its chain and its distance from the node', () => {
    expect(
      unusual(
        {
          'two blocks behind': at(998),
          'three blocks behind': at(997),
          'ten blocks behind': at(990),
          'eleven blocks behind': at(989),
          'ten blocks ahead': at(1010),
          'eleven blocks ahead': at(1011),
          'another chain': judged({ blockHeight: 5, genesisStateHash: '3Nother' }),
          'no block': judged(null),
        },
        at(1000),
      ),
    ).toBe(`two blocks behind: ok   indexer height: 998, the node is at 1000
three blocks behind: warn indexer height: 997, 3 blocks behind the node: the newest blocks are served without receivedTime -> run the doctor again in some minutes; a growing distance means that the indexer receives no blocks
ten blocks behind: warn indexer height: 990, 10 blocks behind the node: the newest blocks are served without receivedTime -> run the doctor again in some minutes; a growing distance means that the indexer receives no blocks
eleven blocks behind: fail indexer height: 989, 11 blocks behind the node: accounts are served without username and counters -> check that the indexer still receives blocks; it may need a restart or time to catch up
ten blocks ahead: ok   indexer height: 1010, the node is at 1000
eleven blocks ahead: warn indexer height: 1011, 11 blocks ahead of the node -> check the node: it seems to be stuck
another chain: fail indexer chain: its genesis block is 3Nother, the node's is 3Ngenesis -> point the stage to an indexer of the node's network; after a hard fork, let the indexer ingest the new chain
no block: fail indexer height: it has no block -> let the indexer ingest the chain from its genesis block on`)
  })

  const answered = <Data>(data: Data) => ({ state: 'answered', data, tookMs: 7 }) as const
  const ofOldChain = (blockHeight: number, isBehindFollower = false) => {
    const oldTip = { blockHeight, genesisStateHash: '3Nother' }
    const parent = { stateHash: '3Nparent', height: 900, genesisStateHash: '3Ngenesis', k: 290 }
    const blocks = Array.from({ length: blockHeight - 869 }, (_, index) => ({
      blockHeight: 870 + index,
      protocolState: { previousStateHash: `3N${869 + index}` },
      stateHash: index === 30 ? parent.stateHash : `3N${870 + index}`,
    }))
    const oldChain = { parent, end: answered({ blocks, tip: oldTip }) }
    const facts = { asked, tip: answered({ block: oldTip }), oldChain, ledgers: undefined }
    return indexerFindings(facts, tip, 1500, 1500, isBehindFollower)
  }

  test('by the chain before a hard fork that it keeps, or does not reach', () => {
    const lines = [ofOldChain(920), ofOldChain(920, true), ofOldChain(899, true)].map((all) => all.map(lineOf).at(-1))
    expect(lines).toEqual([
      "warn indexer chain: the one before the node's hard fork, of genesis 3Nother: it has blocks and commands up to 900, and nothing of accounts -> in indexerGraphqlUrl, put an indexer of the node's chain in front of it",
      "ok   indexer chain: the one before the node's hard fork, of genesis 3Nother: it has blocks and commands up to 900, and nothing of accounts",
      "fail indexer chain: its genesis block is 3Nother, the node's is 3Ngenesis; the indexer is at block 899, the fork at 900 -> point the stage to an indexer of the node's network; after a hard fork, let the indexer ingest the new chain",
    ])
  })

  test('by its version and dialect', () => {
    const block = { blockHeight: 1000, genesisStateHash: '3Ngenesis' }
    const said = (apart: IndexerFacts['apart']) => {
      const facts = { asked, tip: answered({ block }), version: answered({ version: '0.3.1' }), ledgers: undefined }
      return indexerFindings({ ...facts, ...(apart && { apart }) }, tip, 1500).map(lineOf)[1]
    }
    const failed = (fault: 'unreadable' | 'timeout') =>
      ({ state: 'failed', fault, trouble: 'error', reason: 'x', tookMs: 7 }) as const
    expect([answered({}), failed('unreadable'), failed('timeout')].map(said)).toEqual([
      'ok   indexer version: 0.3.1; lists zkApp commands apart, as o1-labs/mina-indexer does',
      'ok   indexer version: 0.3.1; lists zkApp commands among the others',
      'ok   indexer version: 0.3.1; its dialect is not known',
    ])
  })

  test('by its staking ledgers and the time of a walk through one', () => {
    expect(
      unusual(
        {
          'without the ledger of the epoch': withLedgers(ledgers(0, 0)),
          'without a row of it': withLedgers({ ...ledgers(), current: rowless, walk: undefined }),
          'without the next one': withLedgers(ledgers(1, 0)),
          'with a long walk': withLedgers(ledgers(1, 1, 2400)),
          'with a slow light question': withLedgers(ledgers(1, 1, 500, 151)),
          'with a failed walk': withLedgers({ ...ledgers(), walk: failedWalk }),
          'with a failed question about the ledger': withLedgers({ ...ledgers(), current: failedWalk }),
        },
        at(1000),
      ),
    ).toBe(`without the ledger of the epoch: warn indexer staking ledger: does not have the one of the node's epoch: accounts are served without their staking fields -> give the indexer the epoch's staking ledger
without a row of it: warn indexer staking ledger: has the one of the node's epoch and shows no row of it: accounts are served without their staking fields -> run the doctor again in a minute, when its rows are written
without the next one: ok   indexer staking ledger: has the one of the node's epoch; not the next one's, which is final in the epoch's last third
with a long walk: warn indexer staking walk: takes 2400 ms: an account can take 9.6 s when it is first asked, and old blocks wait on that thread of the indexer meanwhile -> give the indexer more cores, one for each of its threads, or set indexerStakes to false
with a slow light question: warn indexer distance: a light question takes 151 ms: above 150 ms it counts as busy, and accounts are served without their staking fields -> run the doctor again while nobody asks the indexer; if it stays, move the indexer closer, or raise indexerTimeoutMs, of which this is a tenth
with a slow light question: ok   indexer staking walk: answers in 500 ms (time-out 1500 ms)
with a failed walk: fail indexer staking walk: does not answer in time: aborted -> Check --indexer or indexerGraphqlUrl, its load and the network between, where a firewall or a security group may drop requests, or raise its time-out`)
  })
})
