// A walk down the chain by runs of heights. Each run comes from one source and begins below the last block of the run
// before, so there is no gap: the node's latest blocks; the indexers', through a hard fork; and the node's again, if
// every indexer began late. The caller decides what is read.
import type { BlocksByHeight } from '../chain/actions/blocks-by-height.ts'
import { type Anchor, blockHeightOf, type LinkedBlock, parentOf } from '../chain/actions/linked-blocks.ts'
import { type NodeChain, type NodeRun, onNodesChain, type Replaced, readRun } from '../chain/actions/node-run.ts'
import type { ChainView } from '../chain/port.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { nodeBusy } from '../upstream/errors.ts'
import { kOf, type Network } from '../upstream/network.ts'
import { type ChainSource, type ChainSources, settledByFork } from './chain-source.ts'
import { indexedRuns, type Position, type ReadBelow, type RunOfIndexer } from './indexed-runs.ts'

/** Blocks that the node lists, the highest last. */
export interface RunOfNode<Block> extends NodeRun<Block> {
  readonly from: 'node'
  /** The walk had finished with this height and those above. */
  readonly below: number
  readonly lowest: CursorBlock
}

/** Reads the blocks of a node and the items of an indexer. */
interface Reads<Block, Item, Source> {
  readonly nodeBlocks: BlocksByHeight<Block>
  /** The number of blocks that a node lists at once for so many items. */
  blocksFor(wanted: number): number
  readonly readBelow: ReadBelow<Item, Source>
}

interface Start {
  readonly anchor: Anchor
  readonly nodeChain: NodeChain
  readonly wanted: number
  readonly mayList: number
}

export class ChainWalk<Block extends LinkedBlock, Item, Source extends ChainSource> implements Position {
  /** Items that the page still has room for: whoever takes a run counts them before the next one. */
  wanted: number
  anchor: Anchor
  nodeChain: NodeChain
  rest: CursorBlock | undefined
  lowest: CursorBlock | undefined
  /** Blocks that the node may still be asked to list. */
  #mayList: number
  readonly #reads: Reads<Block, Item, Source>
  readonly #chain: ChainView

  constructor(chain: ChainView, reads: Reads<Block, Item, Source>, { anchor, mayList, nodeChain, wanted }: Start) {
    this.wanted = wanted
    this.anchor = anchor
    this.nodeChain = nodeChain
    this.#mayList = mayList
    this.#reads = reads
    this.#chain = chain
  }

  /** The lowest height that the node may still be asked for. */
  get lowestToList(): number {
    return this.anchor.height - this.#mayList + 1
  }

  /** Continues below blocks that a node has shown. */
  taken({ blocks, node, tip }: Omit<NodeRun<Block>, 'state'>): RunOfNode<Block> {
    const [first] = blocks
    if (first === undefined) throw new Error('a run without a block')
    const { doneFrom: below } = this.anchor
    const lowest = { height: blockHeightOf(first), stateHash: first.stateHash }
    this.nodeChain = { ...this.nodeChain, tip }
    this.anchor = parentOf(first)
    this.lowest = lowest
    return { state: 'canonical', from: 'node', blocks, node, tip, below, lowest }
  }

  /**
   * The node's blocks from the anchor's down to a height.
   *
   * @returns undefined if the node does not hold one of them
   */
  async heldDownTo(lowest: number): Promise<RunOfNode<Block> | Replaced | undefined> {
    const count = this.anchor.height - lowest + 1
    this.#mayList -= count
    const mayReadAgain = () => {
      if (this.#mayList < count) return false
      this.#mayList -= count
      return true
    }
    const { nodeBlocks } = this.#reads
    const run = await readRun(this.anchor, lowest, this.nodeChain, nodeBlocks, this.#chain, mayReadAgain)
    return run?.state === 'canonical' ? this.taken(run) : run
  }

  /** The same for blocks that the node has. @throws WireError `busy` if it does not hold one of them */
  async requireDownTo(lowest: number): Promise<RunOfNode<Block> | Replaced> {
    const { height } = this.anchor
    const run = await this.heldDownTo(lowest)
    if (run === undefined) throw nodeBusy(`the node does not hold its blocks from height ${lowest} to ${height}`)
    return run
  }

  /**
   * The node's blocks as far as it holds them: by their heights above its root and down to its genesis block. Its root, and
   * what it may have kept from before a hard fork, it finds by the hash alone, which the block above names.
   *
   * @param k the depth of its root, which is the oldest block that it holds
   * @param isLast no other source has the blocks, so the node is also asked for a cursor's block that it does not find
   */
  async *held(k: number, isLast = false): AsyncGenerator<RunOfNode<Block> | Replaced> {
    while (this.wanted > 0) {
      const { bottom, tip } = this.nodeChain
      const rootHeight = tip.height - k
      const lowestFound = Math.max(rootHeight + 1, bottom)
      const isFound = this.anchor.height >= lowestFound
      if (this.anchor.height < Math.max(1, rootHeight)) return
      if (!isFound && !this.anchor.isProven) {
        if (!isLast) return
        const judged = await onNodesChain(this.anchor, this.#chain)
        if ('state' in judged) {
          yield judged
          return
        }
        this.nodeChain = { ...this.nodeChain, tip: judged }
        this.anchor = { ...this.anchor, isProven: true }
      }
      if (this.anchor.doneFrom <= Math.max(1, rootHeight)) return
      if (this.#mayList < 1) {
        this.rest = this.lowest
        return
      }
      const wantedFrom = this.anchor.doneFrom - this.#reads.blocksFor(this.wanted)
      const lowest = isFound ? Math.max(lowestFound, this.lowestToList, wantedFrom) : this.anchor.height
      const run = await (isFound && isLast ? this.requireDownTo(lowest) : this.heldDownTo(lowest))
      if (run === undefined) return
      yield run
      if (run.state === 'replaced') return
    }
  }

  /**
   * The indexers' runs, and below them the node's. A walk that has given something ends above a gap, and leaves the
   * error to the next page.
   *
   * @param network of the node
   * @throws WireError if nothing can be shown without a gap
   */
  async *settled(
    given: ChainSources<Source>,
    network: Network | undefined,
  ): AsyncGenerator<RunOfNode<Block> | RunOfIndexer<Item, Source> | Replaced> {
    if (this.anchor.doneFrom <= 1) return
    const sources = settledByFork(given, this.anchor.height, network)
    const { readBelow } = this.#reads
    const gap = sources.length > 0 ? yield* indexedRuns(this, sources, readBelow, network) : undefined
    if (this.rest !== undefined) return
    const { lowest } = this
    yield* this.held(kOf(network), true)
    const isEnd = this.lowest === lowest && this.rest === undefined
    if (!isEnd || gap === undefined) return
    if (lowest === undefined) throw gap
    this.rest = lowest
  }
}
