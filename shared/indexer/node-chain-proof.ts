// Proof that an indexer follows the node's chain: it calls canonical the block that the node has at a height. An indexer on a
// branch that the network has left answers like any other, and calls that branch canonical.
import { requiredNetwork } from '../chain/actions/network.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { kOf } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import { called, count, flag, hash, listOf, shape, type Wire } from '../upstream/wire.ts'
import { forkParentIn, lacksChainBelow, unsettledBlocks } from './before-fork.ts'
import { maxBlocksBehind } from './indexed.ts'
import type { IndexerOfChain } from './responsible-indexers.ts'

/** The block that the indexer calls canonical at the height of the proof: in the document of the rows that it vouches for. */
export const proofBlock = called(
  'blocks(limit: 1, query: {blockHeight: $proofHeight, canonical: true})',
  listOf(shape({ blockHeight: count, canonical: flag, stateHash: hash })),
  (blocks, { proofHeight }) =>
    blocks.length <= 1 && blocks.every(({ blockHeight, canonical }) => canonical && blockHeight === proofHeight),
)

export const proofVariable = '$proofHeight: Int!'

/**
 * The height of the proof: the highest that both node and indexer have settled.
 *
 * @param indexerHeight undefined where it is not known: then an indexer that is a few blocks behind is allowed for
 */
export const proofHeightFor = (node: Tip, indexerHeight = node.height - maxBlocksBehind): number =>
  Math.max(1, Math.min(node.height, indexerHeight) - unsettledBlocks)

/** The blocks of node and indexer at the height of the proof. */
export interface Proof {
  readonly height: number
  /** Undefined where the node does not hold the block. */
  readonly nodeHash: string | undefined
  readonly shown: Wire<typeof proofBlock>
}

/** @throws WireError `busy` for an indexer that does not have the node's block at the height of the proof */
export function requireProof({ nodeHash, shown: [block] }: Proof): void {
  if (nodeHash !== undefined && block?.stateHash !== nodeHash) {
    throw indexerBusy(`the indexer is on another branch, without block ${nodeHash}`)
  }
}

/**
 * Judges an indexer by a block that it shows. Where the node holds no block that the indexer has settled, a hard fork's parent
 * decides, or the depth at which no block can be replaced. Behind one address a daemon that stands still may be the one that
 * does not hold it: a node at the tip holds every block above k below it.
 *
 * @param depth of the block below the indexer's tip
 * @param nodeHeight of the tip that the answer rests on
 * @param genesisStateHash of that tip's network
 * @throws WireError `busy` where nothing shows that the indexer follows the node's chain
 */
export async function requireNodeChain(
  proof: Proof,
  {
    height,
    depth,
    nodeHeight,
    genesisStateHash,
  }: {
    readonly height: number
    readonly depth: number
    readonly nodeHeight: number
    readonly genesisStateHash: string
  },
  { chain, indexer }: IndexerOfChain,
): Promise<void> {
  requireProof(proof)
  if (proof.nodeHash !== undefined) return
  const network = await requiredNetwork(chain, genesisStateHash)
  const k = kOf(network)
  if (depth >= k && proof.height <= nodeHeight - k) return
  const parent = forkParentIn(network)
  if (parent === undefined || height > parent.height) {
    throw indexerBusy('the indexer lags: nothing shows that the block is on the node’s chain')
  }
  const lacking = await lacksChainBelow(indexer, parent)
  if (lacking !== undefined) throw lacking
}
