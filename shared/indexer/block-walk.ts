// A walk down the chain block by block. Each segment is a run of heights from one source: the node's blocks, as far as it
// holds them, and below them the indexers', through a hard fork. Each one begins under the block that the one before ended
// at, so no segment leaves a gap.
import { ask } from '../chain/actions/ask.ts'
import { blocksByHeight } from '../chain/actions/blocks-by-height.ts'
import { type Anchor, anchorAt, blockHeightOf, parentOf } from '../chain/actions/linked-blocks.ts'
import {
  type NodePlace,
  type NodeRun,
  onNodesChain,
  type Replaced,
  readRun,
  tipFrom,
} from '../chain/actions/node-run.ts'
import type { Exchange } from '../chain/port.ts'
import type { Block } from '../contract/block.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { blockFromNode, type NodeBlock, nodeBlock } from '../mapping/block.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { indexerBusy, nodeBusy } from '../upstream/errors.ts'
import { heightValues } from '../upstream/heights.ts'
import { tooManyBlocks } from '../upstream/node-query.ts'
import type { Tip } from '../upstream/query.ts'
import { type ChainSource, type ChainSources, chainSource, knownSources, settledByFork } from './chain-source.ts'
import { askingOnce, attempt, type Indexed, lasting, type MissingFields, queryIndexer } from './indexed.ts'
import { type IndexedRun, indexedRuns } from './indexed-runs.ts'
import { shownBlock } from './old-block.ts'
import { nodeGenesis } from './old-block-questions.ts'
import {
  type BlocksPlace,
  blocksBelow,
  blocksPlace,
  maxWalkedBlocks,
  type OlderBlock,
  receivedTimesIn,
} from './older-blocks.ts'
import { type Asked, askEvery } from './responsible-indexers.ts'

/** A block in the form of the contract, with the fields that an upstream should have given and did not. */
export interface ShownBlock {
  readonly block: Exact<Block>
  readonly missing: readonly MissingFields[]
}

export interface WalkedBlock extends CursorBlock {
  /** Asks for what the block lacks. @throws WireError for a block that cannot be read */
  show(): Promise<ShownBlock>
}

/** The blocks of a run of heights. */
export interface BlockSegment {
  readonly state: 'canonical'
  /** Newest first. */
  readonly blocks: readonly WalkedBlock[]
  /** Of the latest answer of a node. */
  readonly tip: Tip
  /** Blocks of these heights and below cannot change. */
  readonly finalHeight: number
}

/** A node's block can change until it is deeper than the node holds. */
const notFinal = Number.NEGATIVE_INFINITY

export const walkedBlocks = blocksByHeight('blocksByHeight', maxWalkedBlocks, nodeBlock, tooManyBlocks)

/** Where a walk stands, and what it may ask. */
interface Walk {
  readonly chain: Exchange
  readonly places: readonly Asked<BlocksPlace>[]
  anchor: Anchor
  /** Blocks that the page still has room for. */
  wanted: number
}

const heightsFrom = (highest: number, lowest: number): readonly number[] =>
  Array.from({ length: highest - lowest + 1 }, (_, index) => highest - index)

/** The lowest height that the page needs. */
const neededFrom = ({ anchor, wanted }: Walk): number => Math.max(1, anchor.below - wanted)

/** A node's block with its time of receipt from the first indexer that has it. */
async function showNodeBlock(shown: NodeBlock, places: Walk['places'], chain: Exchange): Promise<ShownBlock> {
  const answers = await Promise.all(places.map(({ answer }) => answer))
  const times = answers.map((answer) =>
    answer.state === 'known' ? receivedTimesIn(answer.value).get(shown.stateHash) : undefined,
  )
  const receivedAt = times.find((time) => time !== undefined)
  const reasons = answers.map((answer) => (answer.state === 'missing' ? answer.reason : 'the indexer lacks the block'))
  const isMissing = receivedAt === undefined && chain.configured.indexer
  const unreceived = isMissing ? [{ fields: ['receivedTime'], reason: reasons.join('; ') }] : []
  const { block, cutFields } = blockFromNode(shown, true, receivedAt)
  return { block, missing: [...unreceived, ...lasting(cutFields)] }
}

function nodeSegment(walk: Walk, { blocks, tip }: NodeRun<NodeBlock>): BlockSegment {
  const { anchor, chain, places } = walk
  const [lowest] = blocks
  if (lowest === undefined) throw new Error('a run without a block')
  const walked = blocks
    .filter((block) => blockHeightOf(block) < anchor.below)
    .map((block) => ({
      ...{ height: blockHeightOf(block), stateHash: block.stateHash },
      show: () => showNodeBlock(block, places, chain),
    }))
  walk.anchor = parentOf(lowest)
  walk.wanted -= walked.length
  return { state: 'canonical', blocks: walked.toReversed(), tip, finalHeight: notFinal }
}

/** Where the node's blocks end, once it has said that it does not hold all that the page needs. */
interface LowerEnd extends NodePlace {
  readonly k: number
  /** The root is the oldest block that a node holds: it finds none by its height as deep as that. */
  readonly rootHeight: number
  /** The lowest height at which the node finds a block, or its genesis block. */
  readonly lowestFound: number
}

/** @throws WireError `busy` for a cursor above the tip */
async function lowerEnd(cursor: CursorBlock, chain: Exchange): Promise<LowerEnd> {
  const { data, node, tip: shown } = await ask(chain, nodeGenesis, {})
  if (shown === undefined) throw nodeBusy('the node shows no tip')
  const isAbove = cursor.height > shown.height
  const tip = isAbove && chain.isShared ? (await tipFrom(cursor, chain)).tip : shown
  if (cursor.height > tip.height) throw nodeBusy("the cursor lies above the node's tip")
  const k = data.daemonStatus.consensusConfiguration?.k ?? Number.POSITIVE_INFINITY
  const bottom = data.genesisBlock.protocolState.consensusState.blockchainLength
  const rootHeight = tip.height - k
  return { node, tip, bottom, k, rootHeight, lowestFound: Math.max(bottom, rootHeight + 1) }
}

/** Each indexer as a source. */
const sourcesOf = async ({ chain, places }: Walk, node: Tip): Promise<ChainSources> =>
  chain.configured.indexer
    ? Promise.all(places.map(({ exchange, answer }) => attempt(async () => sourceIn(await answer, node, exchange))))
    : []

function sourceIn(place: Indexed<BlocksPlace>, node: Tip, exchange: Exchange): Promise<ChainSource> {
  if (place.state === 'known') return chainSource(place.value.tip, node, exchange)
  throw indexerBusy(place.state === 'missing' ? place.reason : 'no indexer is configured')
}

function finalHeightOf({ parent, tipHeight }: ChainSource, { k, tip }: LowerEnd): number {
  return parent === undefined ? Math.min(tipHeight, tip.height) - k : parent.height
}

function indexedSegment(walk: Walk, { found, source, under }: IndexedRun<OlderBlock, ChainSource>, end: LowerEnd) {
  const items = found.state === 'canonical' ? found.items : []
  const exchange = askingOnce(source.exchange)
  const blocks = items.map(({ block, blockHeight: height, tipHeight }): WalkedBlock => {
    const { stateHash } = block
    return { height, stateHash, show: () => shownBlock(block, tipHeight, exchange) }
  })
  walk.anchor = under
  walk.wanted -= blocks.length
  return { state: 'canonical', blocks, tip: end.tip, finalHeight: finalHeightOf(source, end) } as const
}

/** The indexers' blocks. */
async function* indexed(walk: Walk, end: LowerEnd): AsyncGenerator<BlockSegment | Replaced> {
  const { anchor, chain } = walk
  if (anchor.below <= 1) return
  const sources = await settledByFork(await sourcesOf(walk, end.tip), anchor.height, chain)
  const [first] = sources
  if (first === undefined) return
  if (knownSources(sources).length === 0 && first.state === 'missing') throw indexerBusy(first.reason)

  for await (const run of indexedRuns(anchor, walk.wanted, sources, blocksBelow, chain)) {
    if (run.found.state === 'replaced' && anchor.isShown) {
      throw nodeBusy(`node and indexer have different blocks at height ${anchor.height}`)
    }
    yield run.found.state === 'replaced' ? { state: 'replaced', tip: end.tip } : indexedSegment(walk, run, end)
    if (run.gap !== undefined) throw indexerBusy(run.gap.message)
  }
}

/**
 * The node's blocks that no indexer has and that it does not find by their heights, each by the hash that the block above
 * names: its root, and what it may have kept from before a hard fork.
 */
async function* heldByHash(walk: Walk, end: LowerEnd): AsyncGenerator<BlockSegment | Replaced> {
  const { chain } = walk
  let { tip } = end
  while (walk.wanted > 0 && walk.anchor.below > Math.max(1, end.rootHeight)) {
    if (!walk.anchor.isShown) {
      const judged = await onNodesChain(walk.anchor, chain)
      if ('state' in judged) {
        yield judged
        return
      }
      tip = judged
    }
    walk.anchor = { ...walk.anchor, isShown: true }
    const run = await readRun(walk.anchor, walk.anchor.height, { ...end, tip }, walkedBlocks, chain)
    if (run === undefined) return
    yield run.state === 'replaced' ? run : nodeSegment(walk, run)
  }
}

/**
 * The segments below a cursor's block. The walk ends at the first block that can be shown.
 *
 * @param wanted the number of blocks: at most a page's and one more
 * @returns `replaced`, and nothing more, where the chain has another block in place of the cursor's
 * @throws WireError where the next segment cannot be shown without a gap
 */
export async function* blockSegments(
  cursor: CursorBlock,
  wanted: number,
  chain: Exchange,
): AsyncGenerator<BlockSegment | Replaced> {
  const anchor = anchorAt(cursor, false)
  const needed = heightsFrom(cursor.height, Math.max(1, cursor.height - wanted))
  const values = heightValues(maxWalkedBlocks, needed)
  const places = askEvery(chain, (each) => queryIndexer(each, blocksPlace, values))
  const walk: Walk = { chain, places, anchor, wanted }
  const whole = await readRun(anchor, neededFrom(walk), undefined, walkedBlocks, chain)
  if (whole !== undefined) {
    yield whole.state === 'replaced' ? whole : nodeSegment(walk, whole)
    return
  }
  let end = await lowerEnd(cursor, chain)
  const { lowestFound } = end
  if (cursor.height >= lowestFound) {
    const part = await readRun(anchor, Math.max(lowestFound, neededFrom(walk)), end, walkedBlocks, chain)
    if (part?.state === 'replaced') {
      yield part
      return
    }
    if (part !== undefined) {
      yield nodeSegment(walk, part)
      end = { ...end, tip: part.tip }
    }
  }
  // The block above the root names it, so that it comes from the node too, which knows more of it than an indexer.
  if (walk.anchor.isShown && walk.anchor.height === end.rootHeight) yield* heldByHash(walk, end)
  yield* indexed(walk, end)
  yield* heldByHash(walk, end)
}
