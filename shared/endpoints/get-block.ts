import { briefOutageSeconds, incompleteMaxAgeSeconds, notFoundCaching } from '../agreements/caching.ts'
import type { Block, BlockResponse } from '../contract/block.ts'
import { type MissingFields, queryIndexer, withMissingFields } from '../indexer/indexed.ts'
import { findOldBlock, oldBlockOperations, receivedTimeOf } from '../indexer/old-block.ts'
import { isStateHash } from '../mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../mapping/block.ts'
import type { Exact } from '../mapping/json.ts'
import { blockAtHeightQuery, findHeldBlock } from '../upstream/held-block.ts'
import { nodeTipQuery, unlabelledNodeQuery } from '../upstream/node-query.ts'
import { called } from '../upstream/wire.ts'
import type { Endpoint, Failure, Success } from './endpoint.ts'

const blockByStateHash = unlabelledNodeQuery('blockByStateHash', '$stateHash: String!', {
  block: called('block(stateHash: $stateHash)', nodeBlock, (block, asked) => block.stateHash === asked.stateHash),
})

/** A block this far below the tip is seldom reorganised; `canonical` may still flip until it is k blocks deep. */
const settledDepth = 10

const caching = {
  recent: {
    maxAgeSeconds: 15,
    staleIfErrorSeconds: briefOutageSeconds,
    when: `the block is less than ${settledDepth} below the tip`,
  },
  settled: {
    maxAgeSeconds: 60,
    staleIfErrorSeconds: briefOutageSeconds,
    when: `it is ${settledDepth} or more below the tip`,
  },
  incomplete: {
    maxAgeSeconds: incompleteMaxAgeSeconds,
    staleIfErrorSeconds: briefOutageSeconds,
    when: 'fields are missing',
  },
}

const noBlock: Failure = {
  status: 404,
  body: { message: 'No blocks found for that state hash.' },
  caching: notFoundCaching,
}

const answerOf = (block: Exact<Block>, depth: number): Success<BlockResponse> => ({
  status: 200,
  body: { block },
  caching: depth < settledDepth ? caching.recent : caching.settled,
})

/** GET /blocks/{state_hash}: a block of the node's frontier, forks included, or an old one from the indexer. */
export const getBlock: Endpoint<'getBlock', { readonly stateHash: string }> = {
  name: 'getBlock',
  method: 'GET',
  path: '/blocks/{state_hash}',
  tag: 'blocks',
  summary: 'One block by its protocol state hash',
  caching: { 200: caching, 404: { missing: notFoundCaching } },
  operations: [blockByStateHash, nodeTipQuery, blockAtHeightQuery, ...oldBlockOperations],

  input: ({ path }) => ({ stateHash: path.state_hash ?? '' }),

  async run({ stateHash }, context) {
    if (!isStateHash(stateHash)) return noBlock
    const [found, received] = await Promise.all([
      findHeldBlock(blockByStateHash, stateHash, context.query),
      queryIndexer(context, receivedTimeOf, { stateHash }),
    ])
    if (found.state === 'not-held') {
      const old = await findOldBlock(stateHash, received, context)
      if (old.state === 'found') return answerOf(old.block, old.depth)
      return old.note === undefined ? noBlock : { ...noBlock, note: old.note }
    }
    const receivedAt = received.state === 'known' ? received.value.block?.receivedTime : undefined
    const reason = received.state === 'missing' ? received.reason : 'the indexer does not have the block'
    const missing: readonly MissingFields[] =
      receivedAt !== undefined || received.state === 'unconfigured' ? [] : [{ fields: ['receivedTime'], reason }]
    const answer = answerOf(blockFromNode(found.block, found.canonical, receivedAt), found.depth)
    return withMissingFields(answer, missing, caching.incomplete)
  },
}
