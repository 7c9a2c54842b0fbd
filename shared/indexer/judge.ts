// Judges what an indexer shows, for all who use it: is its block on the node's chain? On the node's network, the proof
// is that the indexer calls canonical the node's block at a height that both have settled: one on an abandoned branch
// answers like any other. Before a hard fork, the proof is the blocks that the fork is known to have kept. Each
// document of rows carries its proof: behind one address there may be several replicas.

import { judgeBlock, type NamedByNode, namedByNode } from '../chain/actions/find-block.ts'
import type { Anchor } from '../chain/actions/linked-blocks.ts'
import { awaitedLater } from '../chain/awaited-later.ts'
import { maxSiblings, settledDepth } from '../chain/limits.ts'
import type { Indexer } from '../chain/port.ts'
import { indexerBusy, type WireError } from '../upstream/errors.ts'
import { kOf, type Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { called, count, flag, hash, listOf, shape, type Variables, type Wire } from '../upstream/wire.ts'
import { forkParentIn, type KeptBranch, keptBranch, lacksChainBelow, requireReached } from './before-fork.ts'
import type { ChainSource } from './chain-source.ts'
import { maxBlocksBehind } from './indexed.ts'
import { type IndexerTip, indexerTip } from './indexer-tip.ts'
import type { IndexerOfChain } from './responsible-indexers.ts'

const blockRow = shape({ blockHeight: count, canonical: flag, stateHash: hash })

/** A block with the indexer's own view of it. */
export type BlockRow = Wire<typeof blockRow>

/** The block that the indexer calls canonical at the height of the proof. */
const proofBlock = called(
  'blocks(limit: 1, query: {blockHeight: $proofHeight, canonical: true})',
  listOf(blockRow),
  (blocks, { proofHeight }) =>
    blocks.length <= 1 && blocks.every(({ blockHeight, canonical }) => canonical && blockHeight === proofHeight),
)

export const proofVariable = '$proofHeight: Int!'

/** The variables that a document of rows declares. If `canonical` is null, the rows of forks come too. */
export const judgementVariables = `$canonical: Boolean, ${proofVariable}`

/** The fields that such a document selects besides its rows. */
export const judgementFields = { proof: proofBlock, tip: indexerTip }

export interface Evidence {
  readonly proof: Wire<typeof proofBlock>
  readonly tip: IndexerTip | null
}

/** True for a row that the variables ask for. */
export const isAskedFor = ({ canonical }: { readonly canonical: boolean }, asked: Variables): boolean =>
  canonical || asked.canonical !== true

/** True if a height is so close to an indexer's tip that its `canonical` proves nothing. */
export const isNearTip = (height: number, tip: IndexerTip): boolean => height > tip.blockHeight - settledDepth

/**
 * The height of the proof: the highest that both node and indexer have settled.
 *
 * @param indexerHeight undefined if not known: this then allows for an indexer that is a few blocks behind
 */
export const proofHeightFor = (node: Tip, indexerHeight = node.height - maxBlocksBehind): number =>
  Math.max(1, Math.min(node.height, indexerHeight) - settledDepth)

/**
 * Why an indexer is not believed: at the height of the proof it shows another block than the node, or none.
 *
 * @param nodeHash undefined if the node does not hold the block, which proves nothing
 */
export const otherBranch = (nodeHash: string | undefined, { proof: [block] }: Evidence): WireError | undefined =>
  nodeHash === undefined || block?.stateHash === nodeHash
    ? undefined
    : indexerBusy(`the indexer is on another branch, without block ${nodeHash}`)

/** @throws WireError `busy` for an indexer that is not believed for that reason */
export function requireBranch(nodeHash: string | undefined, evidence: Evidence): void {
  const elsewhere = otherBranch(nodeHash, evidence)
  if (elsewhere !== undefined) throw elsewhere
}

/** What a document is judged by. */
interface Proof {
  readonly evidence: Evidence
  readonly height: number
  /** The node's block at that height; undefined if it does not hold that. */
  readonly named: NamedByNode | undefined
  readonly nodeHeight: number
  /** Of the node, if it is known. */
  readonly network: Network | undefined
}

/**
 * If the node holds no block that the indexer has settled, a hard fork's parent decides, or the depth at which no block
 * can be replaced. Behind one address, a stalled daemon may be the one without it: a node at the tip holds every block
 * less than k below it.
 *
 * @param height of the block that is judged
 * @param tipHeight of the indexer
 * @throws WireError `busy` if nothing shows that the indexer follows the node's chain
 */
async function requireNodeChain(
  { evidence, height: proofHeight, named, nodeHeight, network }: Proof,
  height: number,
  tipHeight: number,
  indexer: Indexer,
): Promise<void> {
  requireBranch(named?.stateHash, evidence)
  if (named !== undefined) return
  const parent = forkParentIn(network)
  const k = kOf(network)
  if (tipHeight - height >= k && proofHeight <= nodeHeight - k) return
  if (parent === undefined || height > parent.height) {
    throw indexerBusy('the indexer lags: nothing shows that the block is on the node’s chain')
  }
  const lacking = await lacksChainBelow(indexer, parent)
  if (lacking !== undefined) throw lacking
}

interface Judgement {
  readonly canonical: boolean
  /** Of the node's answer that shows it; undefined if the hard fork's parent does. */
  readonly shownUnder: Tip | undefined
}

/**
 * Judges a block of an indexer on the node's network. Above the height of the proof the indexer may prefer a sibling,
 * or not have connected the block yet, so the node decides; below a hard fork the indexer's view counts if its chain
 * reaches there.
 *
 * @param tip of the indexer
 * @throws WireError `busy` if neither shows it, or nothing shows that the indexer follows the node's chain
 */
export async function judgeBlockOfIndexer(
  row: BlockRow & { readonly genesisStateHash: string },
  tip: IndexerTip,
  proof: Proof,
  { chain, indexer }: IndexerOfChain,
): Promise<Judgement> {
  const { blockHeight: height, canonical, genesisStateHash, stateHash } = row
  if (height > proof.height || isNearTip(height, tip)) {
    const judged = await judgeBlock(chain, stateHash, height)
    if (judged !== undefined) return judged
    const parent = forkParentIn(proof.network)
    if (parent === undefined || [genesisStateHash, stateHash].includes(parent.genesisStateHash)) {
      throw indexerBusy(`the indexer is at block ${tip.blockHeight}: not known to be canonical at ${height}`)
    }
    if (height > parent.height) return { canonical: false, shownUnder: undefined }
  }
  await requireNodeChain(proof, height, tip.blockHeight, indexer)
  const shownUnder = proof.named?.tip
  if (canonical) return { canonical, shownUnder }
  const parent = forkParentIn(proof.network)
  if (parent === undefined || height > parent.height) return { canonical, shownUnder }
  if (stateHash === parent.stateHash) return { canonical: true, shownUnder }
  const lacking = await lacksChainBelow(indexer, parent)
  if (lacking !== undefined) throw lacking
  return { canonical, shownUnder }
}

/** The chain before a hard fork, as far as one document shows it. */
interface KeptChain {
  /** @throws WireError `busy` if nothing shows it */
  isKept(block: BlockRow): boolean
  /** @throws WireError `busy` for an indexer in which something that the fork kept may be missing */
  requireWhole(): void
}

/**
 * Which blocks of a document a hard fork kept. Those of the branch are known by their hashes. On all others the indexer's word
 * counts only if the same document shows that it follows the kept chain, by the lowest block of the branch, and has reached the
 * parent.
 */
export function keptChain({ parent, lowest, stateHashes }: KeptBranch, { proof: [block], tip }: Evidence): KeptChain {
  const requireWhole = () => {
    const { genesisStateHash } = requireReached(tip, parent)
    if (block?.stateHash === stateHashes.get(lowest)) return
    throw indexerBusy(`the indexer, of genesis ${genesisStateHash}, does not follow the chain of the fork's parent`)
  }
  return {
    requireWhole,
    isKept({ stateHash, blockHeight, canonical }) {
      if (stateHashes.get(blockHeight) === stateHash) return true
      requireWhole()
      return blockHeight < lowest && canonical
    },
  }
}

export const blocksAt = (variable: 'height' | 'lowest') =>
  called(
    `blocks(limit: ${maxSiblings}, query: {blockHeight: $${variable}})`,
    listOf(blockRow),
    (blocks, asked) =>
      blocks.length <= maxSiblings && blocks.every(({ blockHeight }) => blockHeight === asked[variable]),
  )

/** The first block of the indexer's chain; none if it has no block. */
export const earliestBlock = called(
  'blocks(limit: 1, query: {canonical: true}, sortBy: BLOCKHEIGHT_ASC)',
  listOf(blockRow),
)

/** What a document of rows below an anchor shows beside them. */
interface BelowAnchor extends Evidence {
  /** The blocks at the anchor's height. */
  readonly anchor: readonly BlockRow[]
  readonly earliest: readonly BlockRow[]
}

/** Judges the rows of an indexer below an anchor. */
export interface WalkJudge {
  /** Values of the variables that each document declares. */
  readonly variables: { readonly canonical: true | null; readonly proofHeight: number }
  /**
   * @returns `bottom` if the indexer has no block at the anchor's height, and none below
   * @throws WireError `busy` if the indexer has changed since it was chosen, or nothing shows that it follows the
   *   node's chain or which block at the anchor's height is canonical; `isCanonical` too, if nothing shows what a fork
   *   kept
   */
  verdictOn(document: BelowAnchor): Promise<{
    readonly state: 'canonical' | 'replaced' | 'bottom'
    readonly isCanonical: (row: BlockRow) => boolean
  }>
}

/** @throws WireError `busy` if nothing shows which block at the anchor's height is canonical */
function stateOf(
  { height, stateHash }: Anchor,
  { anchor, earliest: [earliest] }: BelowAnchor,
  isCanonical: (block: BlockRow) => boolean,
  settledHeight: number,
) {
  if (earliest === undefined || earliest.blockHeight > height) return 'bottom'
  if (height > settledHeight) throw indexerBusy(`nothing shows which block at height ${height} is canonical`)
  const [canonical, ...others] = anchor.filter(isCanonical)
  if (others.length > 0) throw indexerBusy(`the indexer has two canonical blocks at height ${height}`)
  if (canonical === undefined) throw indexerBusy(`the indexer shows no canonical block at height ${height}`)
  return canonical.stateHash === stateHash ? 'canonical' : 'replaced'
}

/**
 * Judges each document of a run. The node is asked for its block meanwhile; below a block that it has shown, the links
 * are the proof.
 *
 * @throws WireError `busy` for an indexer that does not show what a hard fork kept
 */
export async function judgeForWalk(anchor: Anchor, source: ChainSource): Promise<WalkJudge> {
  const { chain, genesisStateHash, indexer, nodeHeight, parent, settledHeight, tipHeight } = source
  const branch = parent && (await keptBranch(source, parent))
  const height = branch?.lowest ?? Math.max(1, settledHeight)
  const asksNode = branch === undefined && !anchor.isProven
  const naming = asksNode ? awaitedLater(namedByNode(chain, height)) : undefined
  const canonicity = (shown: Evidence) => {
    const { tip } = shown
    if (tip?.genesisStateHash !== genesisStateHash) throw indexerBusy('the indexer has changed its chain')
    if (branch !== undefined) return keptChain(branch, shown).isKept
    if (tip.blockHeight - settledDepth < settledHeight) throw indexerBusy('the indexer has gone back')
    return ({ canonical }: BlockRow) => canonical
  }
  return {
    variables: { canonical: branch === undefined ? true : null, proofHeight: height },
    async verdictOn(document) {
      const isCanonical = canonicity(document)
      const state = stateOf(anchor, document, isCanonical, settledHeight)
      if (naming === undefined || state === 'bottom') return { state, isCanonical }
      const named = await naming
      const network = named === undefined ? await chain.networks.of(genesisStateHash) : undefined
      await requireNodeChain(
        { evidence: document, height, named, nodeHeight, network },
        anchor.height,
        tipHeight,
        indexer,
      )
      return { state, isCanonical }
    },
  }
}
