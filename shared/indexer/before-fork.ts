// The chain before a hard fork, from an indexer. A fork keeps the old chain up to the parent of the new genesis block
// and discards the blocks above, so some heights exist twice. An indexer that stayed on the old chain knows nothing of
// that and still calls the discarded blocks canonical; one that follows the new chain shows nothing near its tip. The
// parent that the node's genesis block names decides for both.

import type { Indexer } from '../chain/port.ts'
import { indexerBusy, nodeBusy, type WireError } from '../upstream/errors.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import type { Network } from '../upstream/network.ts'
import { called, count, flag, hash, listOf, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'
import { attempt, undecided } from './indexed.ts'
import { type IndexerTip, indexerTip, requireTip } from './indexer-tip.ts'
import type { IndexerOfChain } from './responsible-indexers.ts'

/** The last block that a hard fork kept. */
export interface ForkParent {
  readonly stateHash: string
  readonly height: number
  /** State hash of the genesis block that it is the parent of. */
  readonly genesisStateHash: string
}

/**
 * The last block before the node's hard fork.
 *
 * @param network of the node, as far as it has been described in time
 * @returns undefined if the node's chain began without one
 * @throws WireError `busy` if the network is not known
 */
export function forkParentIn(network: Network | undefined): ForkParent | undefined {
  if (network === undefined) throw nodeBusy('no node has described the network in time')
  const { parent, stateHash: genesisStateHash } = network.genesis
  return parent && { ...parent, genesisStateHash }
}

/** The last block that a hard fork kept, as an indexer has it. */
const forkParentAtIndexer = indexerQuery(
  'forkParentAtIndexer',
  '$stateHash: String!',
  shape({
    block: called(
      'block(query: {stateHash: $stateHash})',
      nullable(shape({ canonical: flag, stateHash: hash })),
      (block, asked) => block === null || block.stateHash === asked.stateHash,
    ),
    tip: indexerTip,
  }),
)

/**
 * Why something that an indexer on the node's network lacks may still exist before a hard fork: if there are other indexers,
 * one of them may have stayed on the old chain, and this one may have begun with the new chain.
 *
 * @param network of the node
 * @returns undefined for a chain that crosses the fork, and if there was none
 * @throws WireError when the indexer does not answer; `busy` if no node says in time whether there was a fork
 */
export async function lacksOldChain(
  { chain, indexer }: IndexerOfChain,
  network: () => Promise<Network | undefined>,
): Promise<WireError | undefined> {
  if (chain.indexers.length === 1) return undefined
  const parent = forkParentIn(await network())
  return parent && lacksChainBelow(indexer, parent)
}

/**
 * The reason why an indexer on the node's network does not reach below a hard fork; undefined if it does.
 *
 * @throws WireError when the indexer does not answer
 */
export async function lacksChainBelow(indexer: Indexer, parent: ForkParent): Promise<WireError | undefined> {
  const { block, tip } = (await indexer.ask(forkParentAtIndexer, { stateHash: parent.stateHash })).data
  // Behind one address may be another indexer, which stayed on the old chain.
  const isOnNetwork = tip?.genesisStateHash === parent.genesisStateHash
  return isOnNetwork && block?.canonical === true
    ? undefined
    : indexerBusy(`the indexer's chain does not reach below the hard fork at ${parent.height}`)
}

/** The heights that are learnt below the parent: more than those in which an indexer may prefer a sibling. Below them its word counts. */
const branchHeights = 30

/** More rows than this would be a flood of forks. */
const maxBranchBlocks = 400

/** The blocks around the end of the old chain, each of which names its parent. */
export const branchQuery = indexerQuery(
  'keptBranch',
  '$branchFrom: Int!, $parentHeight: Int!',
  shape({
    blocks: called(
      `blocks(limit: ${maxBranchBlocks}, query: {blockHeight_gte: $branchFrom, blockHeight_lte: $parentHeight})`,
      listOf(shape({ blockHeight: count, protocolState: shape({ previousStateHash: shortText }), stateHash: hash })),
      (blocks, { branchFrom, parentHeight }) =>
        blocks.length <= maxBranchBlocks &&
        blocks.every(({ blockHeight }) => blockHeight >= Number(branchFrom) && blockHeight <= Number(parentHeight)),
    ),
    tip: indexerTip,
  }),
)

export const forkParentOperations = [forkParentAtIndexer, branchQuery]

const lowestOf = ({ height }: ForkParent): number => Math.max(1, height - branchHeights)

export const branchValues = (parent: ForkParent) => ({ branchFrom: lowestOf(parent), parentHeight: parent.height })

/** The last blocks that a hard fork kept. Hash links lead from the parent to each of them, so they can never change. */
export interface KeptBranch {
  readonly parent: ForkParent
  /** The height of the lowest one. */
  readonly lowest: number
  /** By the height, from the lowest one's to the parent's. */
  readonly stateHashes: ReadonlyMap<number, string>
}

/** @throws WireError `busy` for an indexer that has not reached the parent */
export function requireReached(given: IndexerTip | null, { height }: ForkParent): IndexerTip {
  const tip = requireTip(given)
  if (tip.blockHeight >= height) return tip
  throw indexerBusy(`the indexer is at block ${tip.blockHeight}, the fork at ${height}`)
}

/**
 * The branch as one answer shows it. It is shorter for an indexer that began late, whose lowest block is one of the branch.
 *
 * @throws WireError `busy` for an answer without the parent, or with a gap between two blocks of the branch
 */
export function keptBranchIn(parent: ForkParent, { blocks, tip }: Wire<typeof branchQuery.data>): KeptBranch {
  const { genesisStateHash } = requireReached(tip, parent)
  const byHash = new Map(blocks.map((block) => [block.stateHash, block]))
  const lowest = Math.max(lowestOf(parent), Math.min(parent.height, ...blocks.map(({ blockHeight }) => blockHeight)))
  const stateHashes = new Map<number, string>()
  let { stateHash } = parent
  for (let { height } = parent; height >= lowest; height--) {
    const block = byHash.get(stateHash)
    if (block?.blockHeight !== height) {
      const lacking = `block ${stateHash} at ${height}`
      throw indexerBusy(
        `the indexer, of genesis ${genesisStateHash}, lacks the fork's parent or a block below: ${lacking}`,
      )
    }
    stateHashes.set(height, stateHash)
    stateHash = block.protocolState.previousStateHash
  }
  return { parent, lowest, stateHashes }
}

/**
 * The branch that ends in the parent, from an indexer the first time, and then from the memory of the instance. Only a whole one
 * is remembered: another indexer may have what one that began late lacks.
 *
 * @throws WireError when the indexer does not answer; `busy` for one that does not hold the branch from its own beginning
 */
export async function keptBranch({ chain, indexer }: IndexerOfChain, parent: ForkParent): Promise<KeptBranch> {
  const { branches } = chain.kept
  const known = branches.get(parent.stateHash)
  if (known !== undefined) return { parent, lowest: lowestOf(parent), stateHashes: known }
  const answer = await attempt(() => indexer.ask(branchQuery, branchValues(parent)))
  if (answer.state === 'missing') throw undecided(answer)
  const branch = keptBranchIn(parent, answer.value.data)
  if (branch.lowest === lowestOf(parent)) branches.set(parent.stateHash, branch.stateHashes)
  return branch
}
