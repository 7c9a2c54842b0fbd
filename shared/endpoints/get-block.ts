import { blockAtHeightQuery } from '../chain/look-up.ts'
import { stateHashForm } from '../contract/base58.ts'
import type { getBlockContract } from '../contract/endpoints/get-block.ts'
import {
  briefStaleness,
  type CachePolicy,
  failureCaching,
  incompleteMaxAgeSeconds,
  notFoundCaching,
} from '../http/answer-headers.ts'
import { type MissingFields, queryIndexer, sourceOf, withMissingFields } from '../indexer/indexed.ts'
import { findOldBlock, oldBlockOperations, receivedTimeOf } from '../indexer/old-block.ts'
import { isStateHash } from '../mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../mapping/block.ts'
import { nodeTipQuery, unlabelledNodeQuery } from '../upstream/node-query.ts'
import { called, count, hash, shape } from '../upstream/wire.ts'
import type { Basis, Endpoint, Failure } from './endpoint.ts'

const blockByStateHash = unlabelledNodeQuery('blockByStateHash', '$stateHash: String!', {
  block: called('block(stateHash: $stateHash)', nodeBlock, (block, asked) => block.stateHash === asked.stateHash),
})

/** The fields of a block that show whether it is canonical. */
const heightOfBlock = unlabelledNodeQuery('heightOfBlock', '$stateHash: String!', {
  block: called(
    'block(stateHash: $stateHash)',
    shape({ protocolState: shape({ consensusState: shape({ blockHeight: count }) }), stateHash: hash }),
    (block, asked) => block.stateHash === asked.stateHash,
  ),
})

/** A block this deep is seldom reorganised; `canonical` may still flip until it is final. */
const settledDepth = 10

/** About an hour of blocks: no reorganisation of a working network reaches as deep. */
const deepDepth = 30

const caching = {
  recent: {
    maxAgeSeconds: 15,
    ...briefStaleness,
    when: `the block is less than ${settledDepth} below the tip`,
  },
  settled: { maxAgeSeconds: 60, ...briefStaleness, when: `it is ${settledDepth} or more below the tip` },
  deep: { maxAgeSeconds: 1800, ...briefStaleness, when: `it is ${deepDepth} or more below the tip` },
  final: {
    maxAgeSeconds: 86_400,
    ...briefStaleness,
    when: "it is so deep that it is final, by the network's own k",
  },
  incomplete: { maxAgeSeconds: incompleteMaxAgeSeconds, ...briefStaleness, when: 'fields are missing' },
}

const noBlock: Failure = {
  status: 404,
  body: { message: 'No blocks found for that state hash.' },
  caching: notFoundCaching,
}

function cachingAt(depth: number): CachePolicy {
  if (depth < settledDepth) return caching.recent
  return depth < deepDepth ? caching.settled : caching.deep
}

const cachingOf = ({ depth, isBrief }: { readonly depth: number; readonly isBrief: boolean }): CachePolicy =>
  isBrief ? { ...caching.recent, maxAgeSeconds: incompleteMaxAgeSeconds } : cachingAt(depth)

/** GET /blocks/{state_hash}: a block of the node's frontier, forks included, or an old one from the indexer. */
export const getBlock: Endpoint<typeof getBlockContract, { readonly stateHash: string }> = {
  name: 'getBlock',
  method: 'GET',
  path: '/blocks/{state_hash}',
  tag: 'blocks',
  summary: 'One block by its protocol state hash',
  caching: { 200: caching, 404: { missing: notFoundCaching }, '5xx': { failure: failureCaching } },
  operations: [blockByStateHash, heightOfBlock, nodeTipQuery, blockAtHeightQuery, ...oldBlockOperations],
  identifier: { parameter: 'state_hash', forms: [stateHashForm], unknown: noBlock },

  input: ({ path }) => ({ stateHash: path.state_hash ?? '' }),

  async currentBasis({ stateHash }, chain) {
    if (!isStateHash(stateHash)) return undefined
    const found = await chain.lookUp(stateHash, heightOfBlock)
    if (found.state === 'not-held') return undefined
    const basis: Basis = [sourceOf(chain.configured), stateHash, String(found.canonical)]
    return { basis, caching: cachingOf(found) }
  },

  async run({ stateHash }, chain) {
    if (!isStateHash(stateHash)) return noBlock
    const receiving = queryIndexer(chain, receivedTimeOf, { stateHash })
    // It is awaited later, unless the node fails first.
    receiving.catch(() => undefined)
    const found = await chain.lookUp(stateHash, blockByStateHash)
    if (found.state === 'not-held') {
      const old = await findOldBlock(stateHash, found.tipHeight, receiving, chain)
      if (old.state === 'found') {
        const { block, depth, isFinal, missing } = old
        const basis: Basis = ['indexer', stateHash, String(block.canonical), ...missing.flatMap(({ fields }) => fields)]
        const answer = {
          status: 200,
          body: { block },
          caching: isFinal ? caching.final : cachingAt(depth),
          basis,
        } as const
        return withMissingFields(answer, missing, caching.incomplete)
      }
      return noBlock
    }
    const received = await receiving
    const receivedAt = received.state === 'known' ? received.value.block?.receivedTime : undefined
    const reason = received.state === 'missing' ? received.reason : 'the indexer does not have the block'
    const missing: readonly MissingFields[] =
      receivedAt !== undefined || received.state === 'unconfigured' ? [] : [{ fields: ['receivedTime'], reason }]
    const block = blockFromNode(found.block, found.canonical, receivedAt)
    const basis: Basis = [sourceOf(chain.configured), stateHash, String(found.canonical)]
    const answer = { status: 200, body: { block }, caching: cachingOf(found), basis } as const
    return withMissingFields(answer, missing, caching.incomplete)
  },
}
