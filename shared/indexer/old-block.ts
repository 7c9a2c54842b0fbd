// A block outside the node's frontier, from an indexer.
import { namedByNode } from '../chain/actions/find-block.ts'
import { blockHeightOf } from '../chain/actions/linked-blocks.ts'
import type { ChainView, Indexer } from '../chain/port.ts'
import { within } from '../chain/within.ts'
import type { Block } from '../contract/block.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { blockFromIndexer, type IndexerBlock, listsZkapps } from '../mapping/indexer-block.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { finalHeightBelow, kOf, type Network } from '../upstream/network.ts'
import type { Tip } from '../upstream/query.ts'
import {
  type ForkParent,
  forkParentIn,
  type KeptBranch,
  keptBranch,
  lacksChainBelow,
  lacksOldChain,
} from './before-fork.ts'
import { type BlockLookup, type BlockLookups, startLookupByHash, wholeBlockOf } from './block-lookups.ts'
import { atOwnClock } from './epoch-clock.ts'
import { type Attempted, attempt, type Missing, type MissingFields, maxBlocksBehind, undecided } from './indexed.ts'
import { type IndexerTip, otherChain, requireTip } from './indexer-tip.ts'
import { isNearTip, judgeBlockOfIndexer, keptChain, proofHeightFor, requireBranch } from './judge.ts'
import { stakingEpochLengthOf } from './old-block-questions.ts'
import { type Absence, firstFound, isOfNetwork } from './responsible-indexers.ts'
import { withZkappsApart } from './zkapps-apart.ts'

/**
 * When an indexer received a block that a node holds.
 *
 * @returns milliseconds since 1970 of the first indexer that has the block; undefined without an indexer
 */
export async function receivedTimeAt(lookups: BlockLookups, stateHash: string): Promise<Attempted<number | undefined>> {
  if (lookups.length === 0) return { state: 'known', value: undefined }
  let missing: Missing = { state: 'missing', fault: 'unreadable', reason: 'the indexer does not have the block' }
  for (const { receiving } of lookups) {
    const received = await receiving
    if (received.state === 'missing') missing = received
    const receipt = received.state === 'known' && received.value.receipts.find((each) => each.stateHash === stateHash)
    if (receipt) return { state: 'known', value: receipt.receivedTime }
  }
  return missing
}

/** A block of the contract with its depth below the indexer's tip. */
interface FoundOldBlock {
  readonly state: 'found'
  readonly block: Exact<Block>
  readonly depth: number
  /** True if it is below both tips by the network's k, so that neither the block nor `canonical` can change. */
  readonly isFinal: boolean
  /** Of the node's answer that shows whether it is canonical; absent if none had to. */
  readonly tip?: Tip | undefined
  readonly missing: readonly MissingFields[]
}

type OldBlock = FoundOldBlock | { readonly state: 'none' }

const forgotten = () => indexerBusy('the indexer had the block a moment ago')

/** What the nodes show: their tip, and the network of its genesis block if one has described that in time. */
interface NodesWord {
  readonly tip: Tip
  readonly network: Network | undefined
}

/**
 * The answer for a hash that an indexer does not have either.
 *
 * @throws WireError `busy` if that proves nothing: from an indexer of another chain or branch, or from one so far
 *   behind that it may not have reached a block that the node no longer holds
 */
async function absentHash(lookup: BlockLookup, tip: IndexerTip, node: NodesWord): Promise<Absence> {
  const openBefore = await lacksOldChain(lookup, async () => node.network)
  // At about the same height it is on the same chain and has all that the node has forgotten.
  if (Math.abs(tip.blockHeight - node.tip.height) > maxBlocksBehind) requireReach(tip, node)
  return { state: 'none', openBefore }
}

/** @throws WireError `busy` for an indexer that has the block after all, or is on another branch than the node */
async function proveAbsence(lookup: BlockLookup, tip: IndexerTip, node: Tip): Promise<void> {
  const height = proofHeightFor(node, tip.blockHeight)
  const [named, answer] = await Promise.all([namedByNode(lookup.chain, height), lookup.block(height)])
  if (answer.state === 'missing') throw undecided(answer)
  if (answer.value.block !== undefined) throw forgotten()
  requireBranch(named?.stateHash, answer.value)
}

/** @throws WireError `busy` for an indexer of another chain, and for one that has not reached the node's frontier */
function requireReach(own: IndexerTip, { tip, network }: NodesWord): void {
  if (own.genesisStateHash !== tip.genesisStateHash) throw otherChain(own)
  if (own.blockHeight < tip.height - (network?.constants?.k ?? 0)) {
    const heights = `the indexer is at block ${own.blockHeight}, the node at ${tip.height}`
    throw indexerBusy(`${heights}: the block may lie between them`)
  }
}

/** The chain has a block at each height below its tip: an indexer that shows none has a hole, or begins above it. */
const hole = (height: number) => indexerBusy(`the indexer shows no block at ${height}`)

/**
 * The block at a height at which an indexer on the node's network calls none canonical: the parent of the node's hard
 * fork, which the node names, if the indexer holds that.
 *
 * @throws WireError `busy` with the reason in all other cases
 */
async function blockNamedByNode(lookup: BlockLookup, height: number, tip: IndexerTip, node: NodesWord) {
  requireReach(tip, node)
  const parent = forkParentIn(node.network)
  if (parent?.height === height) {
    const found = await findAtIndexer(startLookupByHash(parent.stateHash, lookup), node)
    if (found.state === 'found') return found
  }
  if (parent === undefined || height > parent.height) throw hole(height)
  throw (await lacksChainBelow(lookup.indexer, parent)) ?? hole(height)
}

/** @throws WireError `busy` if an earlier answer of the same request showed the block: another replica gave that */
const absent = async (lookup: BlockLookup, wasThere: boolean, tip: IndexerTip, node: NodesWord) => {
  const { height } = lookup
  if (wasThere) throw forgotten()
  return height === undefined ? absentHash(lookup, tip, node) : blockNamedByNode(lookup, height, tip, node)
}

/** By then, an indexer that is not walking a staking ledger has answered a light question. */
const lightAnswerMs = 150

/** The light answer, if it comes in that time. If not, the next question waits longer, on another connection. */
const promptly = <T>(answer: Promise<T>, chain: ChainView): Promise<T | undefined> =>
  within(chain, answer, lightAnswerMs)

/** Fields that the indexer should have given of a block and did not. */
function missingOf(
  fields: readonly string[],
  epochLength: Attempted<number | undefined>,
  zkapps: Attempted<unknown> | undefined,
): readonly MissingFields[] {
  if (fields.length === 0) return []
  const failed = [epochLength, zkapps].find((each) => each?.state === 'missing')
  if (failed?.state === 'missing') return [{ fields, reason: failed.reason }]
  return [{ fields, reason: 'the indexer has them wrong', isLasting: true }]
}

/** @throws WireError `busy` for an indexer without a block, or not yet far enough above a height */
function reached(given: IndexerTip | null, height: number | undefined): IndexerTip {
  const tip = requireTip(given)
  if (height === undefined || !isNearTip(height, tip)) return tip
  throw indexerBusy(`the indexer is at block ${tip.blockHeight}, too near to ${height}`)
}

/**
 * A block of an indexer in the form of the contract, with the fields that it should have given and did not.
 *
 * @param row its `canonical` is taken as it is
 * @param tipHeight of the indexer
 * @param network the node's, if it is known
 * @throws WireError for a block that cannot be read
 */
export async function shownBlock(row: IndexerBlock, tipHeight: number, network: Network | undefined, indexer: Indexer) {
  const clocked = await attempt(() => atOwnClock(row, indexer, network))
  if (clocked.state === 'missing') throw undecided(clocked)
  const whole = listsZkapps(row) ? undefined : await withZkappsApart(clocked.value, indexer)
  const block = whole?.state === 'known' ? whole.value : clocked.value
  const indexedEpoch = row.protocolState.consensusState.epoch
  const epochLength = await attempt(() => stakingEpochLengthOf(block, indexedEpoch, tipHeight, indexer))
  const mapped = await attempt(async () =>
    blockFromIndexer(block, epochLength.state === 'known' ? epochLength.value : undefined),
  )
  if (mapped.state === 'missing') throw undecided(mapped)
  const { unknownFields } = mapped.value
  return { block: mapped.value.block, missing: missingOf(unknownFields, epochLength, whole) }
}

/** The block with a hash, or the kept one at a height: in the branch the indexer may prefer another one. */
async function readOldChain({ indexer, height, block }: BlockLookup, { lowest, stateHashes }: KeptBranch) {
  const kept = height === undefined ? undefined : stateHashes.get(height)
  const answer = await (kept === undefined ? block(lowest) : wholeBlockOf(kept, lowest, indexer))
  if (answer.state === 'missing') throw undecided(answer)
  return answer.value
}

/**
 * Behind one address there may be an indexer of each chain, and one may cross the fork between two questions. A block
 * of the new chain above the fork must not count as one that the fork discarded.
 *
 * @throws WireError `busy` for a block of the new chain, or under a tip of it
 */
function notOfNewChain(block: IndexerBlock, tip: IndexerTip | null, { genesisStateHash }: ForkParent): void {
  if ([tip?.genesisStateHash, block.genesisStateHash, block.stateHash].includes(genesisStateHash)) {
    throw indexerBusy('the indexer is on the new chain and was on the old one')
  }
}

/**
 * A block of the chain before the node's hard fork, judged by the fork's parent: from an indexer that stayed there, or from
 * one on the node's network whose own view proves nothing so close to its tip. Its absence says nothing about a height above
 * the fork, or about a hash that may belong to a block of the new chain which the node no longer holds.
 *
 * @throws WireError `busy` if the indexer cannot know: it is of another chain, or behind the fork
 */
async function findInOldChain(
  lookup: BlockLookup,
  indexerTip: IndexerTip,
  { tip: node, network }: NodesWord,
  wasThere: boolean,
): Promise<FoundOldBlock | Absence> {
  const parent = forkParentIn(network)
  if (parent === undefined) throw otherChain(indexerTip)
  const isAfterFork = lookup.height !== undefined && lookup.height > parent.height
  if (isAfterFork) return { state: 'none', openSince: otherChain(indexerTip) }
  const branch = await keptBranch(lookup, parent)
  const read = await readOldChain(lookup, branch)
  const { block, tip } = read
  const chain = keptChain(branch, read)
  if (block === undefined) {
    if (wasThere) throw forgotten()
    const kept = lookup.height ?? [...branch.stateHashes].find(([, stateHash]) => stateHash === lookup.stateHash)?.[0]
    if (kept !== undefined) throw hole(kept)
    chain.requireWhole()
    const nodeHoldsAllNew = node.height - parent.height <= (network?.constants?.k ?? 0)
    return { state: 'none', ...(!nodeHoldsAllNew && { openSince: otherChain(indexerTip) }) }
  }
  const { canonical, stateHash } = block
  const height = blockHeightOf(block)
  if (height > parent.height) notOfNewChain(block, tip, parent)
  const isKept = chain.isKept({ stateHash, blockHeight: height, canonical })
  const shown = await shownBlock({ ...block, canonical: isKept }, tip?.blockHeight ?? 0, network, lookup.indexer)
  return { state: 'found', depth: node.height - height, isFinal: true, ...shown }
}

/**
 * True if the parent of the node's hard fork decides what is canonical: for an indexer that stayed on the old chain,
 * and for one on the new chain near its tip at heights below the fork, of which the node holds no block.
 *
 * @param height undefined if not known
 * @throws WireError `busy` if no node says in time whether there was a fork
 */
function isJudgedByFork(height: number | undefined, own: IndexerTip, { tip, network }: NodesWord): boolean {
  if (own.genesisStateHash !== tip.genesisStateHash) return true
  if (height === undefined || !isNearTip(height, own)) return false
  const parent = forkParentIn(network)
  return parent !== undefined && height <= parent.height
}

/**
 * A block that the node does not hold, at one indexer.
 *
 * @throws WireError when the indexer gives no answer, another block, or one that cannot be read, and if its answer
 *   leaves open whether there is such a block or whether it is canonical
 */
async function findAtIndexer(lookup: BlockLookup, node: NodesWord): Promise<FoundOldBlock | Absence> {
  const received = await promptly(lookup.receiving, lookup.chain)
  if (received?.state === 'missing') throw undecided(received)
  if (received?.state === 'known') {
    const { tip: own } = received.value
    if (own !== null && isJudgedByFork(lookup.height, own, node)) {
      return findInOldChain(lookup, own, node, received.value.isThere)
    }
    const tip = reached(own, lookup.height)
    if (!received.value.isThere) {
      if (lookup.height === undefined) await proveAbsence(lookup, tip, node.tip)
      return absent(lookup, false, tip, node)
    }
  }
  return readAtIndexer(lookup, node, received?.value)
}

/** @param light the indexer's light answer, or an earlier one to the same question */
async function readAtIndexer(
  lookup: BlockLookup,
  node: NodesWord,
  light: { readonly isThere: boolean; readonly tip: IndexerTip | null } | undefined,
): Promise<FoundOldBlock | Absence> {
  const { network } = node
  const nodeHeight = node.tip.height
  const wasThere = light?.isThere === true
  const proofHeight = proofHeightFor(node.tip, light?.tip?.blockHeight)
  const [named, answer] = await Promise.all([namedByNode(lookup.chain, proofHeight), lookup.block(proofHeight)])
  if (answer.state === 'missing') throw undecided(answer)
  const { value: evidence } = answer
  const { block, tip: own } = evidence
  const knownHeight = lookup.height ?? (block && blockHeightOf(block))
  if (own !== null && isJudgedByFork(knownHeight, own, node)) {
    return findInOldChain(lookup, own, node, wasThere || block !== undefined)
  }
  const tip = reached(own, lookup.height)
  if (light === undefined && proofHeightFor(node.tip, tip.blockHeight) < proofHeight) {
    return readAtIndexer(lookup, node, { isThere: block !== undefined, tip })
  }
  if (block === undefined) {
    requireBranch(named?.stateHash, evidence)
    return absent(lookup, wasThere, tip, node)
  }
  const height = blockHeightOf(block)
  const proof = { evidence, height: proofHeight, named, nodeHeight, network }
  const { canonical, shownUnder } = await judgeBlockOfIndexer({ ...block, blockHeight: height }, tip, proof, lookup)
  const shown = await shownBlock({ ...block, canonical }, tip.blockHeight, network, lookup.indexer)
  const depth = Math.max(0, tip.blockHeight - height)
  const isFinal = height <= finalHeightBelow(tip.blockHeight, nodeHeight, kOf(network))
  return { state: 'found', depth, isFinal, tip: shownUnder, ...shown }
}

/** Sorts several, those on the node's network first: their chain may cross the fork, and needs no comparison. */
async function inOrder(lookups: BlockLookups, node: Tip): Promise<BlockLookups> {
  if (lookups.length === 1) return lookups
  const received = await Promise.all(lookups.map(({ receiving, chain }) => promptly(receiving, chain)))
  const isOnNetwork = received.map((answer) => answer !== undefined && isOfNetwork(answer, node.genesisStateHash))
  return [...lookups.filter((_, index) => isOnNetwork[index]), ...lookups.filter((_, index) => !isOnNetwork[index])]
}

/**
 * A block that the node does not hold.
 *
 * @param node its tip
 * @throws WireError when no indexer has it and one of them gives no answer, another block, or one that cannot be read,
 *   and if their answers leave open whether there is such a block or whether it is canonical
 */
export async function findOldBlock(lookups: BlockLookups, node: Tip): Promise<OldBlock> {
  const [first] = lookups
  if (first === undefined) return { state: 'none' }
  const { chain, stateHash } = first
  const [ordered, network] = await Promise.all([inOrder(lookups, node), chain.networks.of(node.genesisStateHash)])
  const found = await firstFound(ordered, (lookup) => findAtIndexer(lookup, { tip: node, network }))
  if (found.state === 'unknown') throw found.error
  // It exists, since the node names it.
  if (found.state === 'none' && stateHash !== undefined && forkParentIn(network)?.stateHash === stateHash) {
    throw indexerBusy("no indexer holds the hard fork's parent")
  }
  return found
}
