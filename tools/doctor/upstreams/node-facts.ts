// The doctor's questions to a node about itself, apart from the service's own operations.
import type { Upstream } from '../../../functions/runtime/settings/upstream-settings.ts'
import { isRustNode } from '../../../local/troubles/upstream-troubles.ts'
import { type Branch, branchOf, nodeBranchQuery } from '../../../shared/chain/actions/node-branch.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'
import { called, count, listOf, nullable, shape, text, type Wire } from '../../../shared/upstream/wire.ts'
import { answeredData, askedWith, askUpstream, type ExaminedUpstream, type QueryResult } from './question.ts'

/** A node answers this even while it bootstraps. */
const nodeStatus = operation(
  'node',
  'query',
  'nodeStatus',
  '',
  shape({
    daemonStatus: shape({
      chainId: text,
      syncStatus: text,
      consensusConfiguration: shape({ slotDuration: count }),
      consensusTimeNow: shape({ startTime: count, endTime: count }),
    }),
  }),
)

/** A separate operation, because not every node has the field. */
const nodeNetwork = operation('node', 'query', 'nodeNetwork', '', shape({ networkID: text }))

const nodeTip = operation(
  'node',
  'query',
  'nodeTip',
  '',
  shape({
    bestChain: called(
      'bestChain(maxLength: 1)',
      nullable(
        listOf(
          shape({
            stateHash: text,
            creator: text,
            protocolState: shape({
              blockchainState: shape({ date: count }),
              consensusState: shape({
                blockHeight: count,
                nextEpochData: shape({ ledger: shape({ hash: text }) }),
                stakingEpochData: shape({ ledger: shape({ hash: text }) }),
              }),
            }),
          }),
        ),
      ),
    ),
    genesisBlock: shape({ stateHash: text }),
  }),
)

/** A node has no such block, and says so in words that the service knows. */
const unheldBlock = operation(
  'node',
  'query',
  'unheldBlock',
  '$stateHash: String!',
  shape({ block: called('block(stateHash: $stateHash)', shape({ stateHash: text }), () => false) }),
)

export type NodeStatus = Wire<typeof nodeStatus.data>['daemonStatus']

/** The part of the best tip that the doctor needs. */
export interface Tip {
  readonly stateHash: string
  readonly creator: string
  readonly height: number
  /** Milliseconds since 1970. */
  readonly date: number
  readonly stakingLedgerHash: string
  /** Still changing until the epoch's last third. */
  readonly nextLedgerHash: string
  /** Of the chain that the tip is on. */
  readonly genesisStateHash: string
}

/** A time of the node between two readings of this machine's clock. All in milliseconds since 1970. */
export interface ClockReading {
  readonly askedAt: number
  readonly answeredAt: number
  /** The node's time was at `from` or later and before `to`. */
  readonly from: number
  readonly to: number
  readonly source: string
}

export interface NodeFacts {
  readonly asked: ExaminedUpstream
  readonly status: QueryResult<Wire<typeof nodeStatus.data>>
  /** It does not have the fields that every daemon has. */
  readonly isRust: boolean
  /** In the node's words: `mina:mainnet`; undefined where it does not report one. */
  readonly network: string | undefined
  /** Its best tip, or the reason for its absence, with the question that failed unless the node bootstraps. */
  readonly tip: Tip | { readonly missing: string; readonly failed?: QueryResult<unknown> }
  /** The end of its best chain, read a moment after the tip, so it may end above that; empty where it could not be read. */
  readonly branch: Branch
  readonly clocks: readonly ClockReading[]
  /** To the question for a block that no node has; undefined where it was not asked, or gave no answer. */
  readonly ofUnheldBlock?: Reply | undefined
}

function tipOf(outcome: QueryResult<Wire<typeof nodeTip.data>>): NodeFacts['tip'] {
  if (outcome.state === 'failed') {
    const { reason: missing, trouble } = outcome
    return trouble === 'bootstrapping' ? { missing } : { missing, failed: outcome }
  }
  const { bestChain, genesisBlock } = outcome.data
  const block = bestChain?.at(-1)
  if (block === undefined) return { missing: 'bestChain lists no block' }
  const { blockchainState, consensusState } = block.protocolState
  return {
    stateHash: block.stateHash,
    creator: block.creator,
    height: consensusState.blockHeight,
    date: blockchainState.date,
    stakingLedgerHash: consensusState.stakingEpochData.ledger.hash,
    nextLedgerHash: consensusState.nextEpochData.ledger.hash,
    genesisStateHash: genesisBlock.stateHash,
  }
}

/** The HTTP date of an answer, to the second. It takes a separate request, because the port returns no headers. */
async function readHttpDate({ url, headers, timeoutMs }: Upstream, now: () => number): Promise<ClockReading[]> {
  const askedAt = now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{syncStatus}' }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    const from = Date.parse(response.headers.get('date') ?? '')
    return Number.isNaN(from) ? [] : [{ askedAt, answeredAt: now(), from, to: from + 1000, source: 'HTTP date' }]
  } catch {
    return []
  }
}

async function replyOfUnheldBlock(query: QueryUpstream): Promise<Reply | undefined> {
  try {
    return await query(unheldBlock, { stateHash: unheldValues.state_hash })
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/**
 * Asks a node about itself. If it has no readable answer to the first operation, it is only asked what kind it is.
 *
 * @param now this machine's clock, ms since 1970
 */
export async function readNodeFacts(query: QueryUpstream, node: Upstream, now: () => number): Promise<NodeFacts> {
  const asked = askedWith('node', node)
  const askedAt = now()
  const status = await askUpstream(query, nodeStatus)
  const answeredAt = now()
  if (status.state === 'failed') {
    const isRust = status.fault === 'unreadable' && (await isRustNode(query))
    return { asked, status, isRust, network: undefined, tip: { missing: status.reason }, branch: [], clocks: [] }
  }
  const isRust = await isRustNode(query)
  const network = answeredData(await askUpstream(query, nodeNetwork))?.networkID
  const tip = tipOf(await askUpstream(query, nodeTip))
  const isUnfit = isRust || 'missing' in tip
  const branch = isUnfit ? [] : branchOf(answeredData(await askUpstream(query, nodeBranchQuery))?.bestChain ?? null)
  const ofUnheldBlock = isUnfit ? undefined : await replyOfUnheldBlock(query)
  const { startTime: from, endTime: to } = status.data.daemonStatus.consensusTimeNow
  const slot = { askedAt, answeredAt, from, to, source: 'its current slot' }
  return {
    asked,
    status,
    isRust,
    network,
    tip,
    branch,
    ofUnheldBlock,
    clocks: [slot, ...(await readHttpDate(node, now))],
  }
}
