import { describe, expect, test } from '@jest/globals'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { type IndexerFacts, indexerFindings, type LedgerFacts } from '../../../../tools/doctor/upstreams/indexer.ts'
import { tip } from './healthy-node.ts'

function facts(blockHeight: number, changes: Partial<IndexerFacts> = {}, genesisStateHash = '3Ngenesis'): IndexerFacts {
  const block = { blockHeight, genesisStateHash }
  return { tip: { state: 'answered', data: { block }, tookMs: 7 }, ledgers: ledgers(), ...changes }
}

/** The indexer's answers for both ledgers, and the time that a walk through one takes. */
function ledgers(currentRows = 1, nextRows = 1, walkMs = 40, lightMs = 3): LedgerFacts {
  const shown = (rows: number) => {
    const listed = Array.from({ length: rows }, () => ({ epoch: 4, ledgerHash: 'jx' }))
    return { state: 'answered', data: { known: listed, first: listed }, tookMs: lightMs } as const
  }
  const walk = currentRows > 0 ? ({ state: 'answered', data: {}, tookMs: walkMs } as const) : undefined
  return { current: shown(currentRows), next: shown(nextRows), walk }
}

const withLedgers = (known: LedgerFacts | undefined) => facts(1000, { ledgers: known })

const linesOf = (indexer: IndexerFacts) => indexerFindings(indexer, tip, 1500).map(lineOf)

const reached = 'ok   indexer: answers in 7 ms (time-out 1500 ms)'
const sameChain = "ok   indexer chain: the node's, by its genesis block"
const sameHeight = 'ok   indexer height: 1000, the node is at 1000'
const hasLedger = "ok   indexer staking ledger: has the one of the node's epoch and the next one's"
const isFast = 'ok   indexer staking walk: answers in 40 ms (time-out 1500 ms)'
const slow =
  "aborted -> check the load of the indexer and the network between, or raise its time-out in the stage's settings"

describe('an indexer', () => {
  const behind = (blocks: number) =>
    `${blocks} blocks behind the node: the newest blocks are served without receivedTime -> run the doctor again in some minutes; a growing distance means that the indexer receives no blocks`

  test.each([
    [999, 'ok   indexer height: 999, the node is at 1000'],
    [998, 'ok   indexer height: 998, the node is at 1000'],
    [997, `warn indexer height: 997, ${behind(3)}`],
    [990, `warn indexer height: 990, ${behind(10)}`],
    [
      989,
      'fail indexer height: 989, 11 blocks behind the node: accounts are served without username and counters -> check that the indexer still receives blocks; it may need a restart or time to catch up',
    ],
    [1010, 'ok   indexer height: 1010, the node is at 1000'],
    [1011, 'warn indexer height: 1011, 11 blocks ahead of the node -> check the node: it seems to be stuck'],
  ])('at height %i is judged by its distance', (height, line) => {
    expect(linesOf(facts(height))).toEqual([reached, sameChain, line, hasLedger, isFast])
  })

  test.each<[string, IndexerFacts, readonly string[]]>([
    [
      'of another chain is not compared further',
      facts(5, {}, '3Nother'),
      [
        reached,
        "fail indexer chain: its genesis block is 3Nother, the node's is 3Ngenesis -> point the stage to an indexer of the node's network; after a hard fork, let the indexer ingest the new chain",
      ],
    ],
    [
      'without blocks differs from one that is behind',
      { tip: { state: 'answered', data: { block: null }, tookMs: 7 }, ledgers: undefined },
      [reached, 'fail indexer height: it has no block -> let the indexer ingest the chain from its genesis block on'],
    ],
  ])('%s', (_, given, lines) => {
    expect(linesOf(given)).toEqual(lines)
  })

  test.each<[string, LedgerFacts | undefined, readonly string[]]>([
    [
      "without the epoch's ledger gets a warning",
      ledgers(0, 0),
      [
        "warn indexer staking ledger: does not have the one of the node's epoch: accounts are served without their staking fields -> give the indexer the epoch's staking ledger",
      ],
    ],
    [
      "without the next epoch's ledger is fine, since that is final late in the epoch",
      ledgers(1, 0),
      [
        "ok   indexer staking ledger: has the one of the node's epoch; not the next one's, which is final in the epoch's last third",
        isFast,
      ],
    ],
    [
      'that takes long for a walk through a ledger gets a warning that says what it means',
      ledgers(1, 1, 2400),
      [
        hasLedger,
        'warn indexer staking walk: takes 2400 ms: an account can take 9.6 s when it is first asked, and old blocks wait on that thread of the indexer meanwhile -> give the indexer more cores, one for each of its threads, or set indexerStakes to false',
      ],
    ],
    [
      'that takes long for a light question gets a warning, since that looks like a walk',
      ledgers(1, 1, 400, 151),
      [
        hasLedger,
        'warn indexer distance: a light question takes 151 ms: above 150 ms it counts as busy, and accounts are served without their staking fields -> run the doctor again while nobody asks the indexer; if it stays, move the indexer closer, or raise indexerTimeoutMs, of which this is a tenth',
        'ok   indexer staking walk: answers in 400 ms (time-out 1500 ms)',
      ],
    ],
    [
      'that fails at a walk gets the finding of that question',
      { ...ledgers(), walk: { state: 'failed', fault: 'timeout', reason: 'aborted', tookMs: 8000 } },
      [hasLedger, `fail indexer staking walk: ${slow}`],
    ],
    ['that did not answer about the ledger is left to the finding on that query', undefined, []],
  ])('%s', (_, known, lines) => {
    expect(linesOf(withLedgers(known))).toEqual([reached, sameChain, sameHeight, ...lines])
  })
})
