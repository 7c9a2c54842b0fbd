// The answers of the endpoints that show one block.

import type { NamedBlock } from '../chain/actions/block-questions.ts'
import type { FoundBlock } from '../chain/actions/find-block.ts'
import { settledDepth } from '../chain/limits.ts'
import type { ChainView } from '../chain/port.ts'
import type { BlockResponse } from '../contract/block.ts'
import type { Answer, CurrentVersion, Failure } from '../http/answer.ts'
import { briefStaleness, type CachePolicy, finalCaching, incompleteMaxAgeSeconds } from '../http/answer-headers.ts'
import type { BlockLookups } from '../indexer/block-lookups.ts'
import { lasting, type MissingFields, sourceOf, versionFrom, withMissingFields } from '../indexer/indexed.ts'
import { findOldBlock, receivedTimeAt } from '../indexer/old-block.ts'
import { blockFromNode, type NodeBlock } from '../mapping/block.ts'

/**
 * At this depth one block in 500,000 is reorganised, by the odds in Mina's documentation for slots of 180 s, filled at the
 * protocol's target rate. A cached copy may then be wrong for half an hour.
 */
const deepDepth = 30

export const blockCaching = {
  recent: {
    maxAgeSeconds: 15,
    ...briefStaleness,
    when: `the block is less than ${settledDepth} below the tip`,
  },
  settled: { maxAgeSeconds: 60, ...briefStaleness, when: `it is ${settledDepth} or more below the tip` },
  deep: {
    maxAgeSeconds: 1800,
    ...briefStaleness,
    when: `it is ${deepDepth} or more below the tip, which is at most five slots old`,
  },
  final: finalCaching('it', briefStaleness),
  incomplete: { maxAgeSeconds: incompleteMaxAgeSeconds, ...briefStaleness, when: 'fields are missing' },
}

/** The caching of a block that is not final. A hard fork discards the end of a halted chain, however deep. */
export function cachingAt(depth: number, { isHalted }: ChainView): CachePolicy {
  if (depth < settledDepth) return blockCaching.recent
  return depth < deepDepth || isHalted ? blockCaching.settled : blockCaching.deep
}

type Held<Block> = Extract<FoundBlock<Block>, { readonly state: 'held' }>

const cachingOf = ({ depth, isBrief }: Held<unknown>, chain: ChainView): CachePolicy =>
  isBrief ? { ...blockCaching.recent, maxAgeSeconds: incompleteMaxAgeSeconds } : cachingAt(depth, chain)

const versionOf = ({ block, canonical }: Held<NamedBlock>, chain: ChainView) =>
  versionFrom(chain, sourceOf(chain), block.stateHash, String(canonical))

/**
 * The version of the answer for a block that a node holds.
 *
 * @param find asks for the block's name
 */
export async function currentVersionOf(
  find: () => Promise<FoundBlock<NamedBlock>>,
  chain: ChainView,
): Promise<CurrentVersion | undefined> {
  if (chain.indexers.length > 1) return undefined
  const found = await find()
  if (found.state !== 'held') return undefined
  const { version } = versionOf(found, chain)
  return version && { version, caching: cachingOf(found, chain), tip: found.tip }
}

async function heldAnswer(
  found: Held<NodeBlock>,
  lookups: BlockLookups,
  chain: ChainView,
): Promise<Answer<BlockResponse>> {
  const received = await receivedTimeAt(lookups, found.block.stateHash)
  const unreceived: readonly MissingFields[] =
    received.state === 'missing' ? [{ fields: ['receivedTime'], reason: received.reason }] : []
  const receivedAt = received.state === 'known' ? received.value : undefined
  const { block, cutFields } = blockFromNode(found.block, found.canonical, receivedAt)
  const missing = [...unreceived, ...lasting(cutFields)]
  const answer = {
    status: 200,
    body: { block },
    caching: cachingOf(found, chain),
    ...versionOf(found, chain),
    tip: found.tip,
  } as const
  return withMissingFields(answer, missing, blockCaching.incomplete)
}

/**
 * The answer for a block, from the node that holds it or from the indexer.
 *
 * @param none the answer if neither has it
 * @throws WireError if the indexer leaves open whether there is such a block
 */
export async function blockAnswer(
  found: FoundBlock<NodeBlock>,
  lookups: BlockLookups,
  chain: ChainView,
  none: Failure,
): Promise<Answer<BlockResponse>> {
  if (found.state === 'held') return heldAnswer(found, lookups, chain)
  const old = await findOldBlock(lookups, found.tip)
  if (old.state === 'none') return none
  const { block, depth, isFinal, missing, tip } = old
  const version = versionFrom(chain, 'indexer', block.stateHash, String(block.canonical))
  const caching = isFinal ? blockCaching.final : cachingAt(depth, chain)
  return withMissingFields({ status: 200, body: { block }, caching, ...version, tip }, missing, blockCaching.incomplete)
}
