// A run of a node's best chain, read downwards from the block that a walk has reached.

import { nodeBusy } from '../../upstream/errors.ts'
import { heightsDown } from '../../upstream/heights.ts'
import { nodeTipQuery } from '../../upstream/node-query.ts'
import type { Tip } from '../../upstream/query.ts'
import type { Wire } from '../../upstream/wire.ts'
import { attemptsPerAddress } from '../address.ts'
import { settledDepth } from '../limits.ts'
import type { Answered } from '../outcome.ts'
import type { ChainView } from '../port.ts'
import { ask } from './ask.ts'
import { canonicalityQuestions } from './block-questions.ts'
import { type BlocksByHeight, readBlocks } from './blocks-by-height.ts'
import { findBlock, namedByNode } from './find-block.ts'
import { type Anchor, isLinked, type LinkedBlock } from './linked-blocks.ts'

/** The chain of the node where a walk began, as its first answer shows it. */
export interface NodeChain {
  readonly node: number
  /** Of the answer that has shown the block of the cursor, once one has. */
  readonly tip: Tip
  /**
   * Height of its genesis block, the lowest that it surely has until its root is higher. A node that kept blocks from
   * before a hard fork has older ones; those are asked for by hash.
   */
  readonly bottom: number
}

/** Blocks of one best chain without a gap. */
export interface NodeRun<Block> {
  readonly state: 'canonical'
  readonly node: number
  /** Of the answer that shows that they are canonical. */
  readonly tip: Tip
  /** The highest last; at least one. */
  readonly blocks: readonly Block[]
}

/** The chain has another block in place of a cursor's. */
export interface Replaced {
  readonly state: 'replaced'
  /** Of the answer that shows the other block. */
  readonly tip: Tip
}

/** What a walk asks nodes besides blocks. */
export const walkOperations = [nodeTipQuery, canonicalityQuestions.byStateHash]

const always = () => true

/** @throws WireError `busy` for an answer without a tip */
export function nodeChainOf({ data, node, tip }: Answered<Wire<typeof nodeTipQuery.data>>): NodeChain {
  if (tip === undefined) throw nodeBusy('the node shows no tip')
  return { node, tip, bottom: data.genesisBlock.protocolState.consensusState.blockchainLength }
}

/**
 * The chain of a node whose tip is at the cursor's height or above: behind one address, the first daemon to get there.
 *
 * @throws WireError `busy` if none does
 */
export async function nodeChainFrom(cursor: Pick<Anchor, 'height'>, chain: ChainView): Promise<NodeChain> {
  for (let round = 0; round < attemptsPerAddress(chain); round++) {
    const nodeChain = nodeChainOf(await ask(chain, nodeTipQuery, {}))
    if (cursor.height <= nodeChain.tip.height) return nodeChain
  }
  throw nodeBusy("the cursor lies above the node's tip")
}

/**
 * True if the answer may be used. Under a lower tip than was seen before, it is accepted from the best listed node;
 * behind a shared address it may come from a stalled daemon, whose last blocks may no longer be canonical.
 */
const counts = (tip: Tip, { height }: Anchor, chain: ChainView): boolean =>
  !chain.isStaleHeight(tip.height) || attemptsPerAddress(chain) === 1 || height <= tip.height - settledDepth

/**
 * Confirms that the chain has abandoned the block of a cursor, after one answer has shown another block at its height:
 * no answer may call the cursor's block canonical. A node with its own address answers for blocks and tip separately,
 * and may reorganise in between. Behind a shared address the first answer may come from a daemon on a fork, so its
 * chain must also be longer than the caller's.
 *
 * @param tip of that answer
 * @throws WireError `busy` if that cannot be known yet
 */
async function isReplaced({ height, stateHash }: Anchor, tip: Tip, chain: ChainView): Promise<boolean> {
  if (attemptsPerAddress(chain) > 1 && tip.height <= height) return false
  const found = await findBlock(chain, stateHash, canonicalityQuestions.byStateHash)
  if (found.state === 'not-held') return true
  return !found.canonical || found.block.protocolState.consensusState.blockHeight !== height
}

/** The block of a cursor's height on the best chain of one answer, and what else the answer shows. */
interface ShownAtCursor<Shown> {
  readonly stateHash: string
  readonly tip: Tip
  readonly shown: Shown
}

/**
 * Judges a cursor by answers that show the block at its height. Behind one address it asks a few times, until an answer
 * decides.
 *
 * @param look undefined if the answer does not show the block
 * @param isHeld true if some daemon surely shows it
 * @param mayLookAgain asked before each further look
 * @returns what the deciding answer shows; undefined if none shows the block
 * @throws WireError `busy` if none decides
 */
async function judgeCursor<Shown>(
  anchor: Anchor,
  look: () => Promise<ShownAtCursor<Shown> | undefined>,
  isHeld: boolean,
  chain: ChainView,
  mayLookAgain = always,
): Promise<ShownAtCursor<Shown> | Replaced | undefined> {
  let reason: string | undefined
  for (let round = 0; round < attemptsPerAddress(chain) && (round === 0 || mayLookAgain()); round++) {
    const answer = await look()
    if (answer === undefined) {
      if (isHeld || reason !== undefined) continue
      return undefined
    }
    const { stateHash, tip } = answer
    if (stateHash === anchor.stateHash) {
      if (counts(tip, anchor, chain)) return answer
      reason = 'the node that shows the block of the cursor lies behind'
    } else {
      const isOther = !chain.isStaleHeight(tip.height) && (await isReplaced(anchor, tip, chain))
      // Another daemon may have shown a higher tip since.
      if (isOther && !chain.isStaleHeight(tip.height)) return { state: 'replaced', tip }
      reason = 'the node that shows another block lies behind, or on another branch'
    }
  }
  if (reason !== undefined) throw nodeBusy(reason)
  return undefined
}

interface RunQuestion<Block> {
  /** The lowest height, at most the anchor's. */
  readonly lowest: number
  /** Its block, if the node does not find that by height. */
  readonly rootHash: string | undefined
  readonly questions: BlocksByHeight<Block>
}

async function readFrom<Block extends LinkedBlock>(
  anchor: Anchor,
  { lowest, rootHash, questions }: RunQuestion<Block>,
  chain: ChainView,
) {
  const read = await readBlocks(chain, questions, {
    heights: heightsDown(anchor.height, lowest),
    root: rootHash === undefined ? undefined : { height: lowest, stateHash: rootHash },
    // Their links to known blocks prove that these are of the same chain.
    isUnderKnown: anchor.isProven,
  })
  if (read !== undefined && !isLinked(read.blocks)) throw nodeBusy('the blocks of two answers do not fit together')
  return read
}

/**
 * The node's blocks from the anchor's down to a height. A node does not find its root by height, so the genesis block
 * is asked for by hash, and so is the anchor's if it is the only one.
 *
 * @param nodeChain absent before the first answer: then the anchor is a cursor's, which may be above or below the
 *   node's blocks
 * @param lowest at most the anchor's height; below the node's bottom equal to it, for the one block of a proven anchor
 * @param mayReadAgain asked before the blocks are read again because the answer does not decide about a cursor
 * @returns `replaced` if the anchor is a cursor's, and the node shows another block in its place; undefined if the node
 *   does not hold one of the blocks
 * @throws WireError `busy` if the blocks do not fit those known, or the node that shows another block is behind
 */
export async function readRun<Block extends LinkedBlock>(
  anchor: Anchor,
  lowest: number,
  nodeChain: Pick<NodeChain, 'tip' | 'bottom'> | undefined,
  questions: BlocksByHeight<Block>,
  chain: ChainView,
  mayReadAgain = always,
): Promise<NodeRun<Block> | Replaced | undefined> {
  const onlyHash = anchor.isProven && lowest === anchor.height ? anchor.stateHash : undefined
  const rootHash = lowest === nodeChain?.bottom ? nodeChain.tip.genesisStateHash : onlyHash
  const read = () => readFrom(anchor, { lowest, rootHash, questions }, chain)
  if (anchor.isProven) {
    const shown = await read()
    if (shown === undefined || nodeChain === undefined) return undefined
    if (shown.blocks.at(-1)?.stateHash !== anchor.stateHash) {
      throw nodeBusy(`the node has another block at height ${anchor.height}`)
    }
    return { state: 'canonical', node: shown.node, tip: nodeChain.tip, blocks: shown.blocks }
  }
  const look = async () => {
    const shown = await read()
    if (shown === undefined) return undefined
    const { blocks, tip } = shown
    const highest = blocks.at(-1)
    if (tip === undefined || highest === undefined) throw nodeBusy('the node shows no tip')
    return { stateHash: highest.stateHash, tip, shown }
  }
  const judged = await judgeCursor(anchor, look, nodeChain !== undefined, chain, mayReadAgain)
  if (judged === undefined || 'state' in judged) return judged
  const { node, blocks } = judged.shown
  return { state: 'canonical', node, tip: judged.tip, blocks }
}

/**
 * Judges the block of a cursor that the node does not find by height: the block above names it.
 *
 * @returns the tip of the answer; `replaced` if the node's chain has another block there
 * @throws WireError `busy` if nothing shows it
 */
export async function onNodesChain(anchor: Anchor, chain: ChainView): Promise<Tip | Replaced> {
  const look = async () => {
    const named = await namedByNode(chain, anchor.height)
    return named && { ...named, shown: undefined }
  }
  const judged = await judgeCursor(anchor, look, true, chain)
  if (judged === undefined) throw nodeBusy(`nothing shows the block of the cursor at height ${anchor.height}`)
  return 'state' in judged ? judged : judged.tip
}
