// An account's history as a walk down the chain. Each segment is a run of heights from one source: the node's latest blocks,
// down to those that an indexer has beyond doubt; the indexers' blocks, through a hard fork; and the node's again, where
// every indexer began late. Each one begins under the block that the one before ended at, so no segment leaves a gap.
import { ask } from '../chain/actions/ask.ts'
import { type Anchor, anchorAt, blockHeightOf, parentOf } from '../chain/actions/linked-blocks.ts'
import { type NodePlace, type NodeRun, onNodesChain, type Replaced, readRun } from '../chain/actions/node-run.ts'
import type { Exchange } from '../chain/port.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { type CommandSource, commandsBelow } from '../indexer/account-commands.ts'
import { type ChainSources, floorOf, knownSources, settledByFork } from '../indexer/chain-source.ts'
import { started } from '../indexer/indexed.ts'
import { type IndexedRun, indexedRuns } from '../indexer/indexed-runs.ts'
import { nodeGenesis } from '../indexer/old-block-questions.ts'
import type { IndexedCommand } from '../mapping/indexer-command.ts'
import { indexerBusy, nodeBusy, WireError } from '../upstream/errors.ts'
import type { Tip } from '../upstream/query.ts'
import { entriesIn, type HistoryBlock, historyBlocks, latestBlocks } from './history-blocks.ts'
import { entryOfRow, type HistoryEntry, newestFirst } from './history-entry.ts'
import type { HistoryQuestion, HistoryStart } from './history-start.ts'

/** The commands of the account in a run of heights. */
export interface Segment {
  readonly state: 'canonical'
  /** Newest first. */
  readonly entries: readonly HistoryEntry[]
  /** Height of the lowest block that was searched. */
  readonly fromHeight: number
  /** The cursor of the next page, if this segment is the last one of its page; undefined where nothing older can be shown. */
  readonly next: CursorBlock | undefined
  /** Undefined for one that only ends the walk. */
  readonly from:
    | { readonly node: number; readonly tip: Tip }
    | { readonly indexer: CommandSource; readonly networkK: number | undefined }
    | undefined
}

/** Where a walk stands, and what it may ask. */
interface Walk {
  readonly question: HistoryQuestion
  readonly chain: Exchange
  place: NodePlace
  sources: ChainSources<CommandSource>
  anchor: Anchor
  /** The lowest block whose commands have all been given: another page can go on below it. */
  lowest: CursorBlock | undefined
  /** Commands that the page still has room for. */
  wanted: number
  /** Blocks that the node may still be asked to list. */
  mayList: number
}

/** The most blocks that one request lists. A node converts each of them with all of its commands. */
const maxNodeBlocks = 40

/**
 * The blocks that a node may list beside those of a first page. The network's k comes with a tip, which is listed once more;
 * for a cursor it is listed twice besides: alone, and beside the blocks.
 */
const listable = ({ before }: HistoryQuestion, latest: number): number =>
  before === undefined ? maxNodeBlocks - 1 - latest : maxNodeBlocks - 3

/** The lowest height that the node may still be asked for. */
const lowestToRead = ({ anchor, mayList }: Walk): number => anchor.height - mayList + 1

function nodeSegment(walk: Walk, { blocks, node, tip }: Omit<NodeRun<HistoryBlock>, 'state'>): Segment {
  const [lowest] = blocks
  if (lowest === undefined) throw new Error('a run without a block')
  const entries = entriesIn(blocks, walk.anchor.below, walk.question.publicKey)
  const fromHeight = blockHeightOf(lowest)
  walk.place = { ...walk.place, tip }
  walk.anchor = parentOf(lowest)
  walk.lowest = { height: fromHeight, stateHash: lowest.stateHash }
  walk.wanted -= entries.length
  const next = walk.sources.length > 0 && fromHeight > 1 ? entries.at(-1) : undefined
  return { state: 'canonical', entries, fromHeight, next, from: { node, tip } }
}

/** @returns undefined where the node does not hold one of the blocks */
async function heldFrom(walk: Walk, lowest: number): Promise<Segment | Replaced | undefined> {
  const { anchor, chain, place } = walk
  const count = anchor.height - lowest + 1
  walk.mayList -= count
  const mayReadAgain = () => {
    if (walk.mayList < count) return false
    walk.mayList -= count
    return true
  }
  const run = await readRun(anchor, lowest, place, historyBlocks, chain, mayReadAgain)
  return run?.state === 'canonical' ? nodeSegment(walk, run) : run
}

async function readFromNode(walk: Walk, to: number): Promise<Segment | Replaced> {
  const lowest = Math.max(to, walk.place.bottom)
  const segment = await heldFrom(walk, lowest)
  if (segment === undefined) {
    throw nodeBusy(`the node does not hold its blocks from height ${lowest} to ${walk.anchor.height}`)
  }
  return segment
}

/** The node's blocks down to those that an indexer has beyond doubt. */
async function* unsettled(walk: Walk): AsyncGenerator<Segment | Replaced> {
  const { anchor, place, sources } = walk
  const floor = floorOf(sources) ?? place.tip.height - latestBlocks
  if (anchor.height <= floor || anchor.height < place.bottom) return
  if (floor < lowestToRead(walk) - 1) {
    throw indexerBusy(`the indexer lags: only a node has the latest ${anchor.height - floor} blocks`)
  }
  yield readFromNode(walk, floor + 1)
}

function indexedSegment(
  walk: Walk,
  { found, source, under }: IndexedRun<IndexedCommand, CommandSource>,
  networkK: number | undefined,
): Segment {
  const rows = found.state === 'canonical' ? found.items : []
  const entries = newestFirst(rows.map((row) => entryOfRow(row, walk.question.publicKey)))
  const lowest = found.state === 'canonical' ? found.lowest : undefined
  walk.anchor = under
  walk.lowest = lowest ?? walk.lowest
  walk.wanted -= entries.length
  // Below the first block of its chain a node may hold more.
  const next = lowest === undefined || lowest.height === 1 ? undefined : lowest
  const fromHeight = lowest?.height ?? under.below
  return { state: 'canonical', entries, fromHeight, next, from: { indexer: source, networkK } }
}

/** The network's k, where an indexer on the node's network may need it. */
async function depthOfFinality(sources: readonly CommandSource[], chain: Exchange): Promise<number | undefined> {
  if (!sources.some(({ parent }) => parent === undefined)) return undefined
  const { daemonStatus } = (await ask(chain, nodeGenesis, {})).data
  return daemonStatus.consensusConfiguration?.k
}

/** The indexers' runs, with an indexer's trouble as the lack that it is for the page. */
async function* runsBelow({ anchor, chain, question: { publicKey }, sources, wanted }: Walk) {
  try {
    const read = (under: Anchor, count: number, source: CommandSource) => commandsBelow(publicKey, under, count, source)
    yield* indexedRuns(anchor, wanted, sources, read, chain)
  } catch (error) {
    // The node's own trouble, where its word was needed, is no indexer's.
    throw error instanceof WireError && error.isOfIndexer ? indexerBusy(error.message) : error
  }
}

/** The end of a walk: nothing older can be shown, or only by the page of a cursor. */
const endOf = ({ anchor }: Walk, next: CursorBlock | undefined): Segment => ({
  ...{ state: 'canonical', entries: [], fromHeight: next?.height ?? anchor.below, next, from: undefined },
})

/**
 * The node's next blocks below the indexers', which began so late that the node has older ones. It finds those above its root
 * and down to its genesis block by their heights. Its root, and what it may have kept from before a hard fork, it finds by the
 * hash alone, which the block above names.
 *
 * @returns undefined where the node holds none
 */
async function heldBelowIndexers(walk: Walk, networkK: number | undefined): Promise<Segment | Replaced | undefined> {
  const { chain, place } = walk
  const rootHeight = place.tip.height - (networkK ?? Number.POSITIVE_INFINITY)
  const lowestFound = Math.max(rootHeight + 1, place.bottom)
  const isFoundByHeight = walk.anchor.height >= lowestFound
  if (!isFoundByHeight && !walk.anchor.isShown) {
    const judged = await onNodesChain(walk.anchor, chain)
    if ('state' in judged) return judged
    walk.place = { ...place, tip: judged }
    walk.anchor = { ...walk.anchor, isShown: true }
  }
  if (walk.anchor.below <= rootHeight) return undefined
  if (walk.mayList < 1) return endOf(walk, walk.lowest)
  if (isFoundByHeight) return readFromNode(walk, Math.max(lowestFound, lowestToRead(walk)))
  return heldFrom(walk, walk.anchor.height)
}

/** The indexers' blocks, and below them any that the node has, until neither goes on. */
async function* settled(walk: Walk): AsyncGenerator<Segment | Replaced> {
  const { chain, place, sources } = walk
  const [first] = sources
  const known = knownSources(sources)
  if (known.length === 0 && !walk.anchor.isShown) {
    throw nodeBusy(`nothing shows the block of the cursor at height ${walk.anchor.height}`)
  }
  if (first === undefined || walk.anchor.below <= 1) return
  if (known.length === 0 && first.state === 'missing') throw indexerBusy(first.reason)

  const networkK = started(depthOfFinality(known, chain))
  while (walk.anchor.below > 1) {
    let last: IndexedRun<IndexedCommand, CommandSource> | undefined
    for await (const run of runsBelow(walk)) {
      const { height, isShown } = walk.anchor
      if (run.found.state === 'replaced' && isShown) {
        throw nodeBusy(`node and indexer have different blocks at height ${height}`)
      }
      yield run.found.state === 'replaced'
        ? { state: 'replaced', tip: place.tip }
        : indexedSegment(walk, run, await networkK)
      last = run
    }
    if (last?.found.state === 'canonical' && !last.found.isFirst) return
    if (walk.anchor.below <= 1) return
    const held = await heldBelowIndexers(walk, await networkK)
    if (held === undefined && last?.gap !== undefined) throw indexerBusy(last.gap.message)
    yield held ?? endOf(walk, undefined)
    if (held === undefined || (held.state === 'canonical' && held.from === undefined)) return
  }
}

/**
 * The segments of a page, from the tip or the cursor down. It ends where the page should end too, though it has room: at the
 * first block that can be shown, and where a further question would cost the indexer too much.
 *
 * @returns `replaced`, and nothing more, where the chain has another block in place of the cursor's
 * @throws WireError where the next segment cannot be shown without a gap
 */
export async function* segments(
  question: HistoryQuestion,
  { latest, place, sources }: HistoryStart,
  chain: Exchange,
): AsyncGenerator<Segment | Replaced> {
  const { before, limit } = question
  const { height, stateHash } = place.tip
  const tip = { height, stateHash, below: height + 1, isShown: true }
  const anchor = before === undefined ? tip : anchorAt(before, false)
  const walk: Walk = {
    ...{ question, place, chain, sources, anchor, lowest: undefined },
    ...{ wanted: limit, mayList: listable(question, latest.length) },
  }
  if (latest.length > 0) yield nodeSegment(walk, { ...place, blocks: latest })
  yield* unsettled(walk)
  if (walk.anchor.height > 0) walk.sources = await settledByFork(sources, walk.anchor.height, chain)
  yield* settled(walk)
}
