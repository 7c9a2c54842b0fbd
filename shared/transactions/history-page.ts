// A page of an account's history: a walk down the chain until the page is full, with the confirmations of each command.
// A node lists each block with all of its commands, so it is asked only for those that no indexer has settled, and for
// those below every indexer's.
import { type Anchor, anchorAt } from '../chain/actions/linked-blocks.ts'
import type { Replaced } from '../chain/actions/node-run.ts'
import type { ChainView } from '../chain/port.ts'
import type { AccountTransactions } from '../contract/account-history.ts'
import { type CursorBlock, cursorReplaced } from '../contract/forms.ts'
import type { Answer } from '../http/answer.ts'
import { finalCaching, noStaleness } from '../http/answer-headers.ts'
import { type CommandSource, commandsBelow } from '../indexer/account-commands.ts'
import { finalHeightOf, knownSources, settledHeightOf } from '../indexer/chain-source.ts'
import { ChainWalk, type RunOfNode } from '../indexer/chain-walk.ts'
import { lasting, withMissingFields } from '../indexer/indexed.ts'
import type { RunOfIndexer } from '../indexer/indexed-runs.ts'
import type { Exact } from '../mapping/exact-json.ts'
import type { IndexedCommand } from '../mapping/indexer-command.ts'
import { indexerBusy, nodeBusy } from '../upstream/errors.ts'
import type { Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { entriesIn, type HistoryBlock, historyBlocks, latestCount } from './history-blocks.ts'
import { entryOfRow, type HistoryEntry, newestFirst, pageOf } from './history-entry.ts'
import type { HistoryQuestion, HistoryStart } from './history-start.ts'
import { pendingBeside } from './pending-commands.ts'

export const historyCaching = {
  recent: { maxAgeSeconds: 5, ...noStaleness },
  final: finalCaching("the cursor's block", noStaleness),
}

/** What makes a page's blocks final: their confirmations are then the network's k. */
interface Finality {
  readonly k: number | undefined
  /** The height up to which the indexers' blocks are final. */
  readonly finalHeight: number
}

function confirmationsAt(height: number, tip: Tip, { k = Number.POSITIVE_INFINITY, finalHeight }: Finality) {
  const depth = tip.height - height
  if (height > finalHeight) return { confirmations: Math.min(depth, k) }
  // Final means at least k: a caller's bound that was met once stays met.
  return { confirmations: Number.isFinite(k) ? k : depth, final: true }
}

/** @throws WireError if a command of the node's blocks, or its nonce, is in an older block of an indexer too */
function requireOnce(entries: readonly HistoryEntry[]): void {
  const used = new Set(entries.map(({ nonce, payer }) => `${payer} ${nonce}`))
  if (used.size < entries.length) throw indexerBusy('two commands of the page have the same sender and nonce')
}

/** The most blocks that one request lists. A node converts each of them with all of its commands. */
const maxNodeBlocks = 40

type HistoryWalk = ChainWalk<HistoryBlock, IndexedCommand, CommandSource>

function walkOf({ before, limit, publicKey }: HistoryQuestion, { nodeChain }: HistoryStart, chain: ChainView) {
  const { height, stateHash } = nodeChain.tip
  const tip = { height, stateHash, doneFrom: height + 1, isProven: true }
  const anchor = before === undefined ? tip : anchorAt(before, false)
  const readBelow = (under: Anchor, wanted: number, source: CommandSource) =>
    commandsBelow(publicKey, under, wanted, source)
  // Each answer with a tip lists one block: the network's description does, and below a cursor two more answers, the tip's own
  // and that with the blocks.
  const mayList = before === undefined ? maxNodeBlocks - 1 - latestCount : maxNodeBlocks - 3
  return new ChainWalk(
    chain,
    { nodeBlocks: historyBlocks, blocksFor: () => latestCount - 1, readBelow },
    { anchor, nodeChain, wanted: limit, mayList },
  )
}

/** The node's blocks down to those that an indexer has settled; undefined if the walk begins below. */
async function unsettled(walk: HistoryWalk, { nodeChain, sources }: HistoryStart) {
  const { height } = walk.anchor
  const settledHeight = settledHeightOf(sources) ?? nodeChain.tip.height - latestCount
  if (height <= settledHeight || height < nodeChain.bottom) return undefined
  if (settledHeight < walk.lowestToList - 1) {
    throw indexerBusy(`the indexer lags: only a node has the latest ${height - settledHeight} blocks`)
  }
  return walk.requireDownTo(Math.max(settledHeight + 1, nodeChain.bottom))
}

/** The account's commands without a gap, from the tip or the cursor down. */
interface Stretch {
  readonly entries: readonly HistoryEntry[]
  /** The cursor of the next page, if all entries are given; undefined if nothing older can be shown. */
  readonly next: CursorBlock | undefined
  /** Height of the lowest block that was searched. */
  readonly fromHeight: number
  /** The tip of the latest answer. */
  readonly tip: Tip
  /** Indexes of the nodes that answered. */
  readonly nodes: ReadonlySet<number>
  readonly finality: Finality
}

/**
 * Walks down until the page is full. The page may also end early: at the first block that can be shown, or if a further
 * question would cost an upstream too much.
 *
 * @throws WireError if nothing can be shown without a gap
 */
async function stretchFor(
  question: HistoryQuestion,
  start: HistoryStart,
  chain: ChainView,
): Promise<Stretch | Replaced> {
  const { latest, nodeChain, sources } = start
  const { publicKey } = question
  const walk = walkOf(question, start, chain)
  const entries: HistoryEntry[] = []
  const nodes = new Set([nodeChain.node])
  const indexers: CommandSource[] = []
  let { tip } = nodeChain
  let next: CursorBlock | undefined
  let network: Network | undefined

  function take(run: RunOfNode<HistoryBlock> | RunOfIndexer<IndexedCommand, CommandSource>): void {
    const { from, lowest } = run
    const taken =
      from === 'node'
        ? entriesIn(run.blocks, run.below, publicKey)
        : newestFirst(run.items.map((row) => entryOfRow(row, publicKey)))
    entries.push(...taken)
    walk.wanted -= taken.length
    const hasLower = sources.length > 0 && lowest.height > 1
    next = hasLower ? (from === 'node' ? taken.at(-1) : lowest) : undefined
    if (from === 'node') {
      nodes.add(run.node)
      tip = run.tip
    } else indexers.push(run.source)
  }

  async function* runs() {
    if (latest.length > 0) yield walk.taken({ ...nodeChain, blocks: latest })
    const run = await unsettled(walk, start)
    if (run !== undefined) yield run
    if (sources.length === 0) return
    network = await chain.networks.of(nodeChain.tip.genesisStateHash)
    yield* walk.settled(sources, network)
  }

  const stretch = (fromHeight: number): Stretch => {
    requireOnce(entries)
    const k = network?.constants?.k
    const finalHeights = indexers.map((source) => finalHeightOf(source, tip, k))
    const finality = { k, finalHeight: Math.max(Number.NEGATIVE_INFINITY, ...finalHeights) }
    return { entries, next, fromHeight, tip, nodes, finality }
  }

  for await (const run of runs()) {
    if (run.state === 'replaced') return run
    take(run)
    if (walk.wanted <= 0) return stretch(run.lowest.height)
  }
  const { anchor, rest } = walk
  if (!anchor.isProven && anchor.doneFrom > 1)
    throw nodeBusy(`nothing shows the block of the cursor at height ${anchor.height}`)
  next = rest
  return stretch(rest?.height ?? anchor.doneFrom)
}

/** @throws WireError if the page cannot be shown without a gap */
export async function historyPage(
  question: HistoryQuestion,
  start: HistoryStart,
  chain: ChainView,
): Promise<Answer<AccountTransactions>> {
  const { limit, before } = question
  const { pending, sources } = start
  const stretch = await stretchFor(question, start, chain)
  if ('state' in stretch) return { status: 409, body: { message: cursorReplaced }, tip: stretch.tip }

  const { entries, tip, nodes, finality } = stretch
  const given = pageOf(entries, limit)
  const next = given.length < entries.length ? given.at(-1) : stretch.next
  const shown = given.map(({ height, show }) => ({ height, ...show() }))
  const waiting = pending === undefined ? undefined : pendingBeside(given, pending)
  const fromHeight = next?.height ?? stretch.fromHeight
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
