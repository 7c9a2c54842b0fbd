import { describe, expect, test } from '@jest/globals'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { type IndexerFacts, indexerFindings, type LedgerFacts } from '../../../../tools/doctor/upstreams/indexer.ts'
import { tip } from './healthy-node.ts'

function facts(blockHeight: number, changes: Partial<IndexerFacts> = {}, genesisStateHash = '3Ngenesis'): IndexerFacts {
  const block = { blockHeight, genesisStateHash }
  return { tip: { state: 'answered', data: { block }, tookMs: 7 }, ledgers: ledgers(), ...changes }
}

/** How the indexer answers for both ledgers, and how long a walk through one takes. */
function ledgers(currentRows = 1, nextRows = 1, walkMs = 40, lightMs = 3): LedgerFacts {
  const shown = (rows: number) => {
    const listed = Array.from({ length: rows }, () => ({ epoch: 4, ledgerHash: 'jx' }))
    return { state: 'answered', data: { known: listed, first: listed }, tookMs: lightMs } as const
  }
  const walk = currentRows > 0 ? ({ state: 'answered', data: {}, tookMs: walkMs } as const) : undefined
  return { current: shown(currentRows), next: shown(nextRows), walk }
}

const linesOf = (indexer: IndexerFacts, node: typeof tip | undefined = tip) =>
  indexerFindings(indexer, node, 1500).map(lineOf)

const reached = 'ok   indexer: answers in 7 ms (time-out 1500 ms)'
const sameChain = "ok   indexer chain: the node's, by its genesis block"
const hasLedger = "ok   indexer staking ledger: has the one of the node's epoch and the next one's"
const isFast = 'ok   indexer staking walk: answers in 40 ms (time-out 1500 ms)'

describe('an indexer', () => {
  test("of the node's chain and height is fine", () => {
    expect(linesOf(facts(999))).toEqual([
      reached,
      sameChain,
      'ok   indexer height: 999, the node is at 1000',
      hasLedger,
      isFast,
    ])
  })

  test.each([
    [998, 'ok   indexer height: 998, the node is at 1000'],
    [
      997,
      'warn indexer height: 997, 3 blocks behind the node: the newest blocks are served without receivedTime -> run the doctor again in some minutes; a growing distance means that the indexer receives no blocks',
    ],
    [
      990,
      'warn indexer height: 990, 10 blocks behind the node: the newest blocks are served without receivedTime -> run the doctor again in some minutes; a growing distance means that the indexer receives no blocks',
    ],
    [
      989,
      'fail indexer height: 989, 11 blocks behind the node: accounts are served without username and counters -> check that the indexer still receives blocks; it may need a restart or time to catch up',
    ],
    [1010, 'ok   indexer height: 1010, the node is at 1000'],
    [1011, 'warn indexer height: 1011, 11 blocks ahead of the node -> check the node: it seems to be stuck'],
  ])('at height %i is judged by its distance', (height, line) => {
    expect(linesOf(facts(height))).toEqual([reached, sameChain, line, hasLedger, isFast])
  })

  test('of another chain is not compared further', () => {
    expect(linesOf(facts(5, {}, '3Nother'))).toEqual([
      reached,
      "fail indexer chain: its genesis block is 3Nother, the node's is 3Ngenesis -> point the stage to an indexer of the node's network; after a hard fork, let the indexer ingest the new chain",
    ])
  })

  test('without blocks differs from one that is behind', () => {
    const empty = { state: 'answered', data: { block: null }, tookMs: 7 } as const
    expect(linesOf({ tip: empty, ledgers: undefined })).toEqual([
      reached,
      'fail indexer height: it has no block -> let the indexer ingest the chain from its genesis block on',
    ])
  })

  test("without the epoch's ledger gets a warning", () => {
    expect(linesOf(facts(1000, { ledgers: ledgers(0, 0) })).at(-1)).toBe(
      "warn indexer staking ledger: does not have the one of the node's epoch: accounts are served without their staking fields -> give the indexer the epoch's staking ledger",
    )
  })

  test("without the next epoch's ledger is fine, since that is final late in the epoch", () => {
    expect(linesOf(facts(1000, { ledgers: ledgers(1, 0) }))[3]).toBe(
      "ok   indexer staking ledger: has the one of the node's epoch; not the next one's, which is final in the epoch's last third",
    )
  })

  test('that takes long for a walk through a ledger gets a warning that says what it means', () => {
    expect(linesOf(facts(1000, { ledgers: ledgers(1, 1, 2400) })).at(-1)).toBe(
      'warn indexer staking walk: takes 2400 ms: an account can take 9.6 s when it is first asked, and old blocks wait on that thread of the indexer meanwhile -> give the indexer more cores, one for each of its threads, or set indexerStakes to false',
    )
  })

  test('that takes long for a light question gets a warning, since that looks like a walk', () => {
    expect(linesOf(facts(1000, { ledgers: ledgers(1, 1, 400, 151) })).slice(-2)).toEqual([
      'warn indexer distance: a light question takes 151 ms: above 150 ms it counts as busy, and accounts are served without their staking fields -> run the doctor again while nobody asks the indexer; if it stays, move the indexer closer, or raise indexerTimeoutMs, of which this is a tenth',
      'ok   indexer staking walk: answers in 400 ms (time-out 1500 ms)',
    ])
  })

  test('that fails at a walk gets the finding of that question', () => {
    const walk = { state: 'failed', fault: 'timeout', reason: 'aborted', tookMs: 8000 } as const
    expect(linesOf(facts(1000, { ledgers: { ...ledgers(), walk } })).at(-1)).toBe(
      "fail indexer staking walk: aborted -> check the load of the indexer and the network between, or raise its time-out in the stage's settings",
    )
  })

  test('that did not answer about the ledger is left to the finding on that query', () => {
    expect(linesOf(facts(1000, { ledgers: undefined }))).toHaveLength(3)
  })

  test('that does not answer gets that one line', () => {
    const silent = { state: 'failed', fault: 'timeout', reason: 'aborted', tookMs: 1500 } as const
    expect(linesOf({ tip: silent, ledgers: undefined })).toEqual([
      "fail indexer: aborted -> check the load of the indexer and the network between, or raise its time-out in the stage's settings",
    ])
  })

  test('cannot be compared with a node that has no tip', () => {
    expect(indexerFindings(facts(1000), undefined, 1500).map(lineOf)).toEqual([
      reached,
      'warn indexer height: 1000, not compared: the node has no tip -> fix the node, then run the doctor again',
    ])
  })
})
