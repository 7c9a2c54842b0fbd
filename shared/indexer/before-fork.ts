// The chain before a hard fork, from an indexer. A fork keeps the old chain up to the parent of the new genesis block and
// discards the blocks above, so some heights exist twice. An indexer that stayed on the old chain knows nothing of that and
// goes on calling the discarded blocks canonical; one that follows the new chain shows nothing near its tip. The parent that
// the node's genesis block names decides for both.
import { ask } from '../chain/actions/ask.ts'
import type { Exchange } from '../chain/port.ts'
import { indexerBusy, type WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import { operation } from '../upstream/operation.ts'
import { called, count, flag, hash, listOf, nullable, shape, shortText, type Wire } from '../upstream/wire.ts'
import { indexerTip } from './indexer-tip.ts'

const genesisBlock = shape({
  protocolState: shape({
    consensusState: shape({ blockchainLength: count, blockHeight: count }),
    previousStateHash: nullable(hash),
  }),
  stateHash: hash,
})

/** The node's genesis block with its parent, and the depth at which a block is final. */
export const forkParentQuery = nodeQuery(
  'forkParent',
  '',
  { daemonStatus: shape({ consensusConfiguration: nullable(shape({ k: count })) }), genesisBlock },
  { needsNoTip: true },
)

/** The same without the network's constants, which cost a node more than all else. */
const genesisParentQuery = nodeQuery('genesisParent', '', { genesisBlock }, { needsNoTip: true })

/** The last block that a hard fork kept. */
export interface ForkParent {
  readonly stateHash: string
  readonly height: number
  /** State hash of the genesis block that it is the parent of. */
  readonly genesisStateHash: string
  /** Undefined where the node does not say. */
  readonly k: number | undefined
}

/**
 * The last block before the node's hard fork.
 *
 * @returns undefined where the node's chain began without one
 * @throws WireError when the node does not answer
 */
export const forkParent = async (chain: Exchange): Promise<ForkParent | undefined> =>
  forkParentIn((await ask(chain, forkParentQuery, {})).data)

/** The same in an answer. */
export function forkParentIn({
  daemonStatus,
  genesisBlock,
}: Wire<typeof forkParentQuery.data>): ForkParent | undefined {
  const { consensusState, previousStateHash } = genesisBlock.protocolState
  const height = consensusState.blockHeight - 1
  if (previousStateHash === null || height < 1) return undefined
  return {
    stateHash: previousStateHash,
    height,
    genesisStateHash: genesisBlock.stateHash,
    k: daemonStatus.consensusConfiguration?.k,
  }
}

/**
 * True for the state hash of the last block before the node's hard fork.
 *
 * @throws WireError when the node does not answer
 */
export async function isForkParent(chain: Exchange, stateHash: string): Promise<boolean> {
  const { consensusState, previousStateHash } = (await ask(chain, genesisParentQuery, {})).data.genesisBlock
    .protocolState
  // The genesis block of a chain that began without a fork names a parent too, which never was.
  return consensusState.blockHeight > 1 && previousStateHash === stateHash
}

/** The last block that a hard fork kept, as an indexer has it. */
const forkParentAtIndexer = operation(
  'indexer',
  'query',
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

export const forkParentOperations = [forkParentQuery, genesisParentQuery, forkParentAtIndexer]

/**
 * The reason why an indexer on the node's network shows nothing at a height before a hard fork: it may have begun with the
 * new chain.
 *
 * @param height undefined where it is not known
 * @returns undefined for a chain that crosses the fork, for a height since the fork, and where there was none
 * @throws WireError when the node or the indexer does not answer
 */
export async function lacksOldChain(exchange: Exchange, height: number | undefined): Promise<WireError | undefined> {
  const parent = await forkParent(exchange)
  return parent === undefined || (height !== undefined && height > parent.height)
    ? undefined
    : lacksChainBelow(exchange, parent)
}

/**
 * The reason why an indexer on the node's network does not reach below a hard fork; undefined if it does.
 *
 * @throws WireError when the indexer does not answer
 */
export async function lacksChainBelow(exchange: Exchange, parent: ForkParent): Promise<WireError | undefined> {
  const { block, tip } = (await ask(exchange, forkParentAtIndexer, { stateHash: parent.stateHash })).data
  // Behind one address may be another indexer, which stayed on the old chain.
  const isOnNetwork = tip?.genesisStateHash === parent.genesisStateHash
  return isOnNetwork && block?.canonical === true
    ? undefined
    : indexerBusy(`the indexer's chain does not reach below the hard fork at ${parent.height}`)
}

/** In this many blocks at the end of its chain an indexer may prefer a sibling, so its `canonical` proves nothing. */
export const unsettledBlocks = 10

/** The heights that are read below the parent: no branch of a working network is longer. */
const branchHeights = 30

/** More rows than this would be a flood of forks. */
const maxBranchBlocks = 400

const branchBlock = shape({
  blockHeight: count,
  canonical: flag,
  protocolState: shape({ previousStateHash: shortText }),
  stateHash: hash,
})

/** The variables of `endOfOldChain`, as a document declares them. */
export const forkVariables = '$branchFrom: Int!, $parentHeight: Int!'

export const valuesOf = ({ height }: ForkParent) => ({
  branchFrom: Math.max(1, height - branchHeights),
  parentHeight: height,
})

/** The old chain's end as an indexer has it: asked in the document of the rows that it judges. */
export const endOfOldChain = {
  branch: called(
    `blocks(limit: ${maxBranchBlocks}, query: {blockHeight_gte: $branchFrom, blockHeight_lte: $parentHeight})`,
    listOf(branchBlock),
    (blocks, { branchFrom, parentHeight }) =>
      blocks.length <= maxBranchBlocks &&
      blocks.every(({ blockHeight }) => blockHeight >= Number(branchFrom) && blockHeight <= Number(parentHeight)),
  ),
  tip: indexerTip,
}

export interface EndOfOldChain {
  readonly branch: Wire<typeof endOfOldChain.branch>
  readonly tip: Wire<typeof endOfOldChain.tip>
}

/** A block of an indexer, with its own view of it. */
interface IndexedBlock {
  readonly stateHash: string
  readonly height: number
  readonly canonical: boolean
}

/** The part of an old chain that a hard fork kept. */
export interface KeptChain {
  /** The state hash of the kept block at a height; undefined where the indexer's `canonical` shows it. */
  stateHashAt(height: number): string | undefined
  /** @throws WireError `busy` where nothing shows it */
  isKept(block: IndexedBlock): boolean
}

/**
 * The chain that ends in the parent. From the parent the `previousStateHash` of each block leads down to one whose
 * `canonical` can be believed: one that the indexer calls canonical, ten or more below its tip. Below that one, and at
 * once where the parent itself is such a block, the indexer's own view holds.
 *
 * @throws WireError `busy` for an indexer that does not hold the parent, or has not reached it
 */
export function keptChain(parent: ForkParent, { branch, tip }: EndOfOldChain): KeptChain {
  if (tip === null) throw indexerBusy('the indexer has no block yet')
  if (tip.blockHeight < parent.height) {
    throw indexerBusy(`the indexer is at block ${tip.blockHeight}, the fork at ${parent.height}`)
  }
  const blocks = new Map(branch.map((block) => [block.stateHash, block]))
  const last = blocks.get(parent.stateHash)
  if (last?.blockHeight !== parent.height) {
    throw indexerBusy(
      `the indexer, of genesis ${tip.genesisStateHash}, does not hold the fork's parent ${parent.stateHash}`,
    )
  }
  const settledHeight = tip.blockHeight - unsettledBlocks
  const walked = new Map<number, string>()
  let block: typeof last | undefined = last
  let isSettled = false
  while (block !== undefined && !isSettled) {
    const { blockHeight, canonical, protocolState, stateHash }: typeof last = block
    walked.set(blockHeight, stateHash)
    isSettled = (canonical && blockHeight <= settledHeight) || blockHeight === 1
    const next = blocks.get(protocolState.previousStateHash)
    block = next?.blockHeight === blockHeight - 1 ? next : undefined
  }
  return {
    stateHashAt: (height) => walked.get(height),
    isKept({ stateHash, height, canonical }) {
      if (height > parent.height) return false
      const kept = walked.get(height)
      if (kept !== undefined) return kept === stateHash
      if (!isSettled)
        throw indexerBusy(`nothing shows which block at height ${height} is an ancestor of the fork's parent`)
      return canonical
    },
  }
}
