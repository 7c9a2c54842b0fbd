// Checks of an indexer: its version and dialect, which chain it follows, whether it has the newest blocks and the staking
// ledgers.
import type { Upstream } from '../../../functions/runtime/settings/upstream-settings.ts'
import {
  branchQuery,
  branchValues,
  type ForkParent,
  forkParentIn,
  keptBranchIn,
} from '../../../shared/indexer/before-fork.ts'
import { maxBlocksBehind } from '../../../shared/indexer/indexed.ts'
import { genesisOfUnlisted, stakeOfKey, stakingLedger } from '../../../shared/indexer/staking-questions.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { indexerQuery } from '../../../shared/upstream/indexer-query.ts'
import { maxLightMsOf } from '../../../shared/upstream/ledger-scans.ts'
import { networkIn, networkQuery } from '../../../shared/upstream/network.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { called, count, listOf, nullable, shape, text, type Wire } from '../../../shared/upstream/wire.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { Tip } from './node-facts.ts'
import {
  answeredData,
  askedWith,
  askUpstream,
  type ExaminedUpstream,
  type QueryResult,
  questionFinding,
} from './question.ts'

const indexerTip = indexerQuery(
  'indexerTip',
  '',
  shape({ block: called('block', nullable(shape({ blockHeight: count, genesisStateHash: text }))) }),
)

const indexerVersion = indexerQuery('indexerVersion', '', shape({ version: text }))

/** Valid in the dialect of o1-labs/mina-indexer alone, which lists a block's zkApp commands apart. */
const listsZkappsApart = indexerQuery(
  'listsZkappsApart',
  '',
  shape({ block: nullable(shape({ transactions: shape({ zkappCommands: listOf(shape({ hash: text })) }) })) }),
)

export interface LedgerFacts {
  /** For the ledger of the node's epoch. */
  readonly current: QueryResult<LedgerShown>
  /** For that of the next epoch. */
  readonly next: QueryResult<LedgerShown>
  /** A walk through the whole current ledger; undefined where it does not have that. */
  readonly walk: QueryResult<unknown> | undefined
}

/** The chain before the node's hard fork, at an indexer of another network. */
interface OldChainFacts {
  readonly parent: ForkParent
  readonly end: QueryResult<Wire<typeof branchQuery.data>>
}

export interface IndexerFacts {
  readonly asked: ExaminedUpstream
  readonly version?: QueryResult<Wire<typeof indexerVersion.data>>
  readonly apart?: QueryResult<unknown>
  /** Undefined on the node's network, and where no hard fork began that. */
  readonly oldChain?: OldChainFacts | undefined
  readonly tip: QueryResult<Wire<typeof indexerTip.data>>
  /** Undefined where they are not asked for, and where the indexer or the node shows no tip. */
  readonly ledgers: LedgerFacts | undefined
}

type LedgerShown = Wire<typeof stakingLedger.data>

/** Mina's empty key, which no ledger has a row of, so that the search for it goes through all of them. */
const keyOfNobody = 'B62qiTKpEPjGTSHZrtM8uXiKgn8So916pLmNJKDhKeyBQL9TDb3nvBG'

const has = (ledger: QueryResult<LedgerShown>): boolean => {
  const { known = [], first = [] } = answeredData(ledger) ?? {}
  return known.length > 0 && first.length > 0
}

/** The newest block or two always take a moment to arrive. */
const usualBlocksBehind = 2

/**
 * @param indexer the one that `query` asks
 * @param hasStakes whether the stage asks the indexer for staking ledgers
 */
export async function readIndexerFacts(
  query: QueryUpstream,
  indexer: Upstream,
  node: Tip | undefined,
  hasStakes: boolean,
): Promise<IndexerFacts> {
  const asked = askedWith('indexer', indexer)
  const tip = await askUpstream(query, indexerTip)
  const block = answeredData(tip)?.block
  if (node === undefined || block == null) return { asked, tip, ledgers: undefined }
  const version = await askUpstream(query, indexerVersion)
  const apart = await askUpstream(query, listsZkappsApart)
  if (block.genesisStateHash !== node.genesisStateHash) {
    return { asked, tip, version, apart, oldChain: await readOldChain(query, node), ledgers: undefined }
  }
  if (!hasStakes) return { asked, tip, version, apart, ledgers: undefined }
  const current = await readLedger(query, node.stakingLedgerHash)
  const next = await readLedger(query, node.nextLedgerHash)
  const whole = { ledgerHash: node.stakingLedgerHash, publicKey: keyOfNobody, order: 'STAKE_ASC', rows: 1 }
  const walk = has(current) ? await askUpstream(query, stakeOfKey, whole) : undefined
  return { asked, tip, version, apart, ledgers: { current, next, walk } }
}

/** A ledger in its place, or where the indexer files those that its list does not name. */
async function readLedger(query: QueryUpstream, ledgerHash: string): Promise<QueryResult<LedgerShown>> {
  const shown = await askUpstream(query, stakingLedger, { ledgerHash })
  const isElsewhere = answeredData(shown)?.known.length === 1 && !has(shown)
  return isElsewhere ? askUpstream(query, stakingLedger, { ledgerHash, genesis: genesisOfUnlisted }) : shown
}

async function readOldChain(query: QueryUpstream, node: Tip): Promise<OldChainFacts | undefined> {
  const answer = answeredData(await askUpstream(query, networkQuery))
  const parent = answer && forkParentIn(networkIn(answer))
  if (parent === undefined || parent.genesisStateHash !== node.genesisStateHash) return undefined
  return { parent, end: await askUpstream(query, branchQuery, branchValues(parent)) }
}

function versionFinding({ version, apart }: IndexerFacts): readonly Finding[] {
  if (version === undefined || apart === undefined) return []
  const subject = 'indexer version'
  const isDialectKnown = apart.state === 'answered' || apart.fault === 'unreadable'
  const place = apart.state === 'answered' ? 'apart, as o1-labs/mina-indexer does' : 'among the others'
  const dialect = isDialectKnown ? `lists zkApp commands ${place}` : 'its dialect is not known'
  return [ok(subject, `${answeredData(version)?.version ?? 'does not tell it'}; ${dialect}`)]
}

/** Why an indexer does not show which blocks a hard fork kept; undefined for one that does. */
function lackOf({ parent, end }: OldChainFacts): string | undefined {
  if (end.state === 'failed') return end.reason
  try {
    keptBranchIn(parent, end.data)
    return undefined
  } catch (error) {
    if (error instanceof WireError) return error.message
    throw error
  }
}

function genesisFinding(
  genesisStateHash: string,
  node: Tip,
  oldChain: OldChainFacts | undefined,
  isBehindFollower: boolean,
): Finding {
  const subject = 'indexer chain'
  if (genesisStateHash === node.genesisStateHash) return ok(subject, "the node's, by its genesis block")
  const lack = oldChain && lackOf(oldChain)
  if (oldChain !== undefined && lack === undefined) {
    const says = `the one before the node's hard fork, of genesis ${genesisStateHash}: it has blocks and commands up to ${oldChain.parent.height}, and nothing of accounts`
    return isBehindFollower
      ? ok(subject, says)
      : warn(subject, says, "in indexerGraphqlUrl, put an indexer of the node's chain in front of it")
  }
  return fail(
    subject,
    `its genesis block is ${genesisStateHash}, the node's is ${node.genesisStateHash}${lack === undefined ? '' : `; ${lack}`}`,
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

function ledgerFinding({ current, next }: LedgerFacts): Finding {
  const subject = 'indexer staking ledger'
  if (answeredData(current)?.known.length === 1 && !has(current)) {
    return warn(
      subject,
      "has the one of the node's epoch and shows no row of it: accounts are served without their staking fields",
      'run the doctor again in a minute, when its rows are written',
    )
  }
  if (!has(current)) {
    return warn(
      subject,
      "does not have the one of the node's epoch: accounts are served without their staking fields",
      "give the indexer the epoch's staking ledger",
    )
  }
  if (!has(next)) {
    return ok(subject, "has the one of the node's epoch; not the next one's, which is final in the epoch's last third")
  }
  return ok(subject, "has the one of the node's epoch and the next one's")
}

/** An account asks for two ledgers, and for a pool's delegators in each. */
const maxWalks = 4

/** Longer walks are felt by the reader of the account, and by everyone else whom that thread serves. */
const unnoticedWalkMs = 500

function walkFindings(
  asked: ExaminedUpstream,
  { current, walk }: LedgerFacts,
  limitMs: number,
  walkLimitMs: number,
): Finding[] {
  const maxLightMs = maxLightMsOf(limitMs)
  const subject = 'indexer staking walk'
  if (walk === undefined) return []
  if (walk.state === 'failed') return [questionFinding(subject, asked, walk, walkLimitMs)]
  const isFar =
    current.tookMs > maxLightMs
      ? [
          warn(
            'indexer distance',
            `a light question takes ${current.tookMs} ms: above ${maxLightMs} ms it counts as busy, and accounts are served without their staking fields`,
            'run the doctor again while nobody asks the indexer; if it stays, move the indexer closer, or raise indexerTimeoutMs, of which this is a tenth',
          ),
        ]
      : []
  if (walk.tookMs <= unnoticedWalkMs)
    return [...isFar, ok(subject, `answers in ${walk.tookMs} ms (time-out ${walkLimitMs} ms)`)]
  const says = `takes ${walk.tookMs} ms: an account can take ${(walk.tookMs * maxWalks) / 1000} s when it is first asked, and old blocks wait on that thread of the indexer meanwhile`
  const remedy = 'give the indexer more cores, one for each of its threads, or set indexerStakes to false'
  return [...isFar, warn(subject, says, remedy)]
}

/**
 * @param node the node's tip; without one nothing can be compared
 * @param limitMs the time-out for one call to the indexer
 * @param walkLimitMs that of a call that walks a staking ledger
 * @param isBehindFollower true where an indexer of the node's chain is listed before this one
 */
export function indexerFindings(
  facts: IndexerFacts,
  node: Tip | undefined,
  limitMs: number,
  walkLimitMs: number = limitMs,
  isBehindFollower = false,
): Finding[] {
  const reached = questionFinding('indexer', facts.asked, facts.tip, limitMs)
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
  const genesis = genesisFinding(block.genesisStateHash, node, facts.oldChain, isBehindFollower)
  if (block.genesisStateHash !== node.genesisStateHash) return [reached, ...versionFinding(facts), genesis]
  return [
    reached,
    ...versionFinding(facts),
    genesis,
    heightFinding(block.blockHeight, node),
    ...(facts.ledgers?.current.state === 'answered'
      ? [ledgerFinding(facts.ledgers), ...walkFindings(facts.asked, facts.ledgers, limitMs, walkLimitMs)]
      : []),
  ]
}
