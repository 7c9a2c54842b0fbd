// Checks of the indexer: whether it answers, is on the node's chain and has the newest blocks.
import { maxBlocksBehind } from '../../shared/indexer/indexed.ts'
import { operation } from '../../shared/upstream/operation.ts'
import type { QueryUpstream } from '../../shared/upstream/query.ts'
import { called, count, listOf, nullable, shape, text, type Wire } from '../../shared/upstream/wire.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { Tip } from './node-facts.ts'
import { answeredData, askUpstream, type QueryResult, questionFinding } from './question.ts'

const indexerTip = operation(
  'indexer',
  'query',
  'indexerTip',
  '',
  shape({ block: called('block', nullable(shape({ blockHeight: count, genesisStateHash: text }))) }),
)

/** Not the service's own query, whose answer is cached, so that the check of that query can still measure its time. */
const stakingLedgerRow = operation(
  'indexer',
  'query',
  'stakingLedgerRow',
  '$ledgerHash: String!',
  shape({
    stakes: called(
      'stakes(limit: 1, query: {ledgerHash: $ledgerHash})',
      listOf(shape({ ledgerHash: text })),
      (rows, asked) => rows.every(({ ledgerHash }) => ledgerHash === asked.ledgerHash),
    ),
  }),
  { isPatient: true },
)

export interface IndexerFacts {
  readonly tip: QueryResult<Wire<typeof indexerTip.data>>
  /** Whether it has the staking ledger of the node's epoch; undefined where it or the node did not answer. */
  readonly hasStakingLedger: boolean | undefined
}

/** The newest block or two always take a moment to arrive. */
const usualBlocksBehind = 2

export async function readIndexerFacts(query: QueryUpstream, node: Tip | undefined): Promise<IndexerFacts> {
  const tip = await askUpstream(query, indexerTip)
  if (node === undefined || answeredData(tip)?.block == null) return { tip, hasStakingLedger: undefined }
  const rows = answeredData(await askUpstream(query, stakingLedgerRow, { ledgerHash: node.stakingLedgerHash }))?.stakes
    .length
  return { tip, hasStakingLedger: rows === undefined ? undefined : rows > 0 }
}

function genesisFinding(genesisStateHash: string, node: Tip): Finding {
  const subject = 'indexer chain'
  if (genesisStateHash === node.genesisStateHash) return ok(subject, "the node's, by its genesis block")
  return fail(
    subject,
    `its genesis block is ${genesisStateHash}, the node's is ${node.genesisStateHash}`,
    "point the stage to an indexer of the node's network; after a hard fork, let the indexer ingest the new chain",
  )
}

function heightFinding(height: number, node: Tip): Finding {
  const subject = 'indexer height'
  const behind = node.height - height
  if (behind > maxBlocksBehind) {
    return fail(
      subject,
      `${height}, ${behind} blocks behind the node: accounts are served without username and counters`,
      'check that the indexer still receives blocks; it may need a restart or time to catch up',
    )
  }
  if (behind > usualBlocksBehind) {
    return warn(
      subject,
      `${height}, ${behind} blocks behind the node: the newest blocks are served without receivedTime`,
      'run the doctor again in some minutes; a growing distance means that the indexer receives no blocks',
    )
  }
  if (behind < -maxBlocksBehind) {
    return warn(subject, `${height}, ${-behind} blocks ahead of the node`, 'check the node: it seems to be stuck')
  }
  return ok(subject, `${height}, the node is at ${node.height}`)
}

function stakingFinding(hasStakingLedger: boolean): Finding {
  const subject = 'indexer staking ledger'
  if (hasStakingLedger) return ok(subject, "has the one of the node's epoch")
  return warn(
    subject,
    "does not have the one of the node's epoch: accounts are served without their staking fields",
    "give the indexer the epoch's staking ledger",
  )
}

/**
 * @param node the node's tip; without one nothing can be compared
 * @param limitMs the time-out for one call to the indexer
 */
export function indexerFindings(facts: IndexerFacts, node: Tip | undefined, limitMs: number): Finding[] {
  const reached = questionFinding('indexer', 'indexer', facts.tip, limitMs)
  if (facts.tip.state === 'failed') return [reached]
  const { block } = facts.tip.data
  if (block === null) {
    return [
      reached,
      fail('indexer height', 'it has no block', 'let the indexer ingest the chain from its genesis block on'),
    ]
  }
  if (node === undefined) {
    const says = `${block.blockHeight}, not compared: the node has no tip`
    return [reached, warn('indexer height', says, 'fix the node, then run the doctor again')]
  }
  const genesis = genesisFinding(block.genesisStateHash, node)
  if (genesis.level === 'fail') return [reached, genesis]
  return [
    reached,
    genesis,
    heightFinding(block.blockHeight, node),
    ...(facts.hasStakingLedger === undefined ? [] : [stakingFinding(facts.hasStakingLedger)]),
  ]
}
