// A page of an account's history: what the walk gives until the page is full, with the confirmations of each command.
import type { Replaced } from '../chain/actions/node-run.ts'
import type { ChainView } from '../chain/port.ts'
import type { AccountTransactions } from '../contract/account-history.ts'
import type { Answer, Failure } from '../http/answer.ts'
import { noStaleness } from '../http/answer-headers.ts'
import type { CommandSource } from '../indexer/account-commands.ts'
import { finalHeightOf, knownSources } from '../indexer/chain-source.ts'
import { lasting, withMissingFields } from '../indexer/indexed.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { indexerBusy } from '../upstream/errors.ts'
import type { Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { type HistoryEntry, pageOf } from './history-entry.ts'
import type { HistoryQuestion, HistoryStart } from './history-start.ts'
import { type Segment, segments } from './history-walk.ts'
import { pendingBeside } from './pending-commands.ts'

export const historyCaching = {
  recent: { maxAgeSeconds: 5, ...noStaleness },
  final: {
    maxAgeSeconds: 86_400,
    ...noStaleness,
    when: "the cursor's block is so deep that it is final, by the network's own k",
  },
}

const replaced = ({ tip }: Replaced): Failure => ({
  tip,
  status: 409,
  body: { message: 'The block of this cursor is not canonical any more.' },
})

/** A page's blocks whose confirmations are those of the network's k. */
interface Finality {
  readonly k: number | undefined
  readonly finalHeight: number
}

/** The height up to which the indexers' blocks are final: below both tips by k, or kept by a hard fork. */
function finalityOf(indexers: readonly CommandSource[], tip: Tip, network: Network | undefined): Finality {
  const k = network?.constants?.k
  const finalHeights = indexers.map((source) => finalHeightOf(source, tip, k))
  return { k, finalHeight: Math.max(Number.NEGATIVE_INFINITY, ...finalHeights) }
}

function confirmationsAt(height: number, tip: Tip, { k = Number.POSITIVE_INFINITY, finalHeight }: Finality) {
  const depth = tip.height - height
  if (height > finalHeight) return { confirmations: Math.min(depth, k) }
  // Final means at least k: a caller's bound that was met once stays met.
  return { confirmations: Number.isFinite(k) ? k : depth, final: true }
}

/** Segments without a gap, from the tip or the cursor down. */
interface Stretch {
  readonly entries: readonly HistoryEntry[]
  readonly last: Segment | undefined
  /** The tip of the latest answer. */
  readonly tip: Tip
  /** Indexes of the nodes that answered. */
  readonly nodes: ReadonlySet<number>
  readonly finality: Finality
}

/** @throws WireError where a command of the node's blocks, or its nonce, is in an older block of an indexer too */
function requireOnce(entries: readonly HistoryEntry[]): void {
  const used = new Set(entries.map(({ nonce, payer }) => `${payer} ${nonce}`))
  if (used.size < entries.length) throw indexerBusy('two commands of the page have the same sender and nonce')
}

/** Takes segments until the page is full, or the walk ends. */
async function stretchFor(
  question: HistoryQuestion,
  start: HistoryStart,
  chain: ChainView,
): Promise<Stretch | Replaced> {
  const entries: HistoryEntry[] = []
  const nodes = new Set([start.nodeChain.node])
  const indexers: CommandSource[] = []
  let { tip } = start.nodeChain
  let network: Network | undefined
  let last: Segment | undefined
  for await (const segment of segments(question, start, chain)) {
    if (segment.state === 'replaced') return segment
    const { from } = segment
    if (from !== undefined && 'node' in from) {
      nodes.add(from.node)
      tip = from.tip
    } else if (from !== undefined) {
      indexers.push(from.indexer)
      network = from.network
    }
    entries.push(...segment.entries)
    last = segment
    if (entries.length >= question.limit) break
  }
  requireOnce(entries)
  return { entries, last, tip, nodes, finality: finalityOf(indexers, tip, network) }
}

/** @throws WireError where the page cannot be shown without a gap */
export async function historyPage(
  question: HistoryQuestion,
  start: HistoryStart,
  chain: ChainView,
): Promise<Answer<AccountTransactions>> {
  const { limit, before } = question
  const { pending, nodeChain, sources } = start
  const stretch = await stretchFor(question, start, chain)
  if ('state' in stretch) return replaced(stretch)

  const { entries, last, tip, nodes, finality } = stretch
  const given = pageOf(entries, limit)
  const next = given.length < entries.length ? given.at(-1) : last?.next
  const shown = given.map(({ height, show }) => ({ height, ...show() }))
  const waiting = pending === undefined ? undefined : pendingBeside(given, pending)
  const fromHeight = next?.height ?? last?.fromHeight ?? before?.height ?? nodeChain.tip.height
  const isEndOfKnown = next === undefined && fromHeight > 1
  const body: Exact<AccountTransactions> = {
    transactions: shown.map(({ height, item }) => ({ ...item, ...confirmationsAt(height, tip, finality) })),
    ...waiting?.body,
    searched: {
      pool: pending !== undefined,
      fromHeight,
      toHeight: before === undefined ? tip.height : before.height - 1,
      nodes: nodes.size,
      indexer: knownSources(sources).length > 0,
    },
    ...(next !== undefined && { next: `${next.height}-${next.stateHash}` }),
    ...(isEndOfKnown && { endOfKnown: true }),
  }
  const isFinal = !isEndOfKnown && before !== undefined && before.height <= finality.finalHeight
  const caching = isFinal ? historyCaching.final : historyCaching.recent
  const unknownFields = [...shown.flatMap((entry) => entry.unknownFields), ...(waiting?.cutFields ?? [])]
  return withMissingFields({ status: 200, body, caching, tip }, lasting(unknownFields), historyCaching.recent)
}
