// An account's history as a walk down the chain: the account's commands in each of its runs. A node lists each block with all
// of its commands, so it is asked only for those that no indexer has beyond doubt, and for those below every indexer's.
import { type Anchor, anchorAt } from '../chain/actions/linked-blocks.ts'
import type { Replaced } from '../chain/actions/node-run.ts'
import type { ChainView } from '../chain/port.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { type CommandSource, commandsBelow } from '../indexer/account-commands.ts'
import { settledHeightOf } from '../indexer/chain-source.ts'
import { ChainWalk, type RunOfNode } from '../indexer/chain-walk.ts'
import type { RunOfIndexer } from '../indexer/indexed-runs.ts'
import type { IndexedCommand } from '../mapping/indexer-command.ts'
import { indexerBusy, nodeBusy } from '../upstream/errors.ts'
import type { Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { entriesIn, type HistoryBlock, historyBlocks, latestCount } from './history-blocks.ts'
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
    | { readonly indexer: CommandSource; readonly network: Network | undefined }
    | undefined
}

/** The most blocks that one request lists. A node converts each of them with all of its commands. */
const maxNodeBlocks = 40

type HistoryWalk = ChainWalk<HistoryBlock, IndexedCommand, CommandSource>

function walkOf({ before, limit, publicKey }: HistoryQuestion, { nodeChain }: HistoryStart, chain: ChainView) {
  const { height, stateHash } = nodeChain.tip
  const tip = { height, stateHash, below: height + 1, isShown: true }
  const anchor = before === undefined ? tip : anchorAt(before, false)
  const readBelow = (under: Anchor, wanted: number, source: CommandSource) =>
    commandsBelow(publicKey, under, wanted, source)
  // The network's k comes with a tip, which is listed once more; for a cursor it is listed twice besides: alone, and beside
  // the blocks.
  const mayList = before === undefined ? maxNodeBlocks - 1 - latestCount : maxNodeBlocks - 3
  return new ChainWalk(
    chain,
    { nodeBlocks: historyBlocks, blocksFor: () => latestCount - 1, readBelow },
    { anchor, nodeChain, wanted: limit, mayList },
  )
}

/** The node's blocks down to those that an indexer has beyond doubt; undefined where the walk begins below. */
async function unsettled(walk: HistoryWalk, { nodeChain, sources }: HistoryStart) {
  const { height } = walk.anchor
  const settledHeight = settledHeightOf(sources) ?? nodeChain.tip.height - latestCount
  if (height <= settledHeight || height < nodeChain.bottom) return undefined
  if (settledHeight < walk.lowestToList - 1) {
    throw indexerBusy(`the indexer lags: only a node has the latest ${height - settledHeight} blocks`)
  }
  return walk.requireDownTo(Math.max(settledHeight + 1, nodeChain.bottom))
}

/**
 * The segments of a page, from the tip or the cursor down. It ends where the page should end too, though it has room: at the
 * first block that can be shown, and where a further question would cost an upstream too much.
 *
 * @returns `replaced`, and nothing more, where the chain has another block in place of the cursor's
 * @throws WireError where the next segment cannot be shown without a gap
 */
export async function* segments(
  question: HistoryQuestion,
  start: HistoryStart,
  chain: ChainView,
): AsyncGenerator<Segment | Replaced> {
  const { latest, nodeChain, sources } = start
  const walk = walkOf(question, start, chain)
  let network: Network | undefined

  function segmentOf(
    run: RunOfNode<HistoryBlock> | RunOfIndexer<IndexedCommand, CommandSource> | Replaced,
  ): Segment | Replaced {
    if (run.state === 'replaced') return run
    const { from, lowest, state } = run
    const entries =
      from === 'node'
        ? entriesIn(run.blocks, run.below, question.publicKey)
        : newestFirst(run.items.map((row) => entryOfRow(row, question.publicKey)))
    walk.wanted -= entries.length
    const segment = { state, entries, fromHeight: lowest.height }
    const hasLower = sources.length > 0 && lowest.height > 1
    return from === 'node'
      ? { ...segment, next: hasLower ? entries.at(-1) : undefined, from: { node: run.node, tip: run.tip } }
      : { ...segment, next: hasLower ? lowest : undefined, from: { indexer: run.source, network } }
  }

  if (latest.length > 0) yield segmentOf(walk.taken({ ...nodeChain, blocks: latest }))
  const run = await unsettled(walk, start)
  if (run !== undefined) yield segmentOf(run)
  if (sources.length > 0) {
    network = await chain.networks.of(nodeChain.tip.genesisStateHash)
    for await (const settled of walk.settled(sources, network)) yield segmentOf(settled)
  }
  const { anchor, rest } = walk
  if (!anchor.isShown && anchor.below > 1)
    throw nodeBusy(`nothing shows the block of the cursor at height ${anchor.height}`)
  yield { state: 'canonical', entries: [], fromHeight: rest?.height ?? anchor.below, next: rest, from: undefined }
}
