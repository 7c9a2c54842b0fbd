import { stateHashForm } from '../agreements/base58.ts'
import { briefOutageSeconds, incompleteMaxAgeSeconds, notFoundCaching } from '../agreements/caching.ts'
import type { Block, BlockResponse } from '../contract/block.ts'
import { type MissingFields, queryIndexer, sourceOf, withMissingFields } from '../indexer/indexed.ts'
import { findOldBlock, oldBlockOperations, receivedTimeOf } from '../indexer/old-block.ts'
import { isStateHash } from '../mapping/base58check.ts'
import { blockFromNode, nodeBlock } from '../mapping/block.ts'
import type { Exact } from '../mapping/json.ts'
import { blockAtHeightQuery, findHeldBlock } from '../upstream/held-block.ts'
import { nodeTipQuery, unlabelledNodeQuery } from '../upstream/node-query.ts'
import { called, count, hash, shape } from '../upstream/wire.ts'
import type { Basis, Endpoint, Failure, Success } from './endpoint.ts'

const blockByStateHash = unlabelledNodeQuery('blockByStateHash', '$stateHash: String!', {
  block: called('block(stateHash: $stateHash)', nodeBlock, (block, asked) => block.stateHash === asked.stateHash),
})

/** As much of a block as it takes to know whether it is canonical. */
const heightOfBlock = unlabelledNodeQuery('heightOfBlock', '$stateHash: String!', {
  block: called(
    'block(stateHash: $stateHash)',
    shape({ protocolState: shape({ consensusState: shape({ blockHeight: count }) }), stateHash: hash }),
    (block, asked) => block.stateHash === asked.stateHash,
  ),
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

const cachingAt = (depth: number) => (depth < settledDepth ? caching.recent : caching.settled)

const answerOf = (block: Exact<Block>, depth: number, basis: Basis): Success<BlockResponse> => ({
  status: 200,
  body: { block },
  caching: cachingAt(depth),
  basis,
})

/** GET /blocks/{state_hash}: a block of the node's frontier, forks included, or an old one from the indexer. */
export const getBlock: Endpoint<'getBlock', { readonly stateHash: string }> = {
  name: 'getBlock',
  method: 'GET',
  path: '/blocks/{state_hash}',
  tag: 'blocks',
  summary: 'One block by its protocol state hash',
  caching: { 200: caching, 404: { missing: notFoundCaching } },
  operations: [blockByStateHash, heightOfBlock, nodeTipQuery, blockAtHeightQuery, ...oldBlockOperations],
  identifier: { parameter: 'state_hash', form: stateHashForm, unknown: noBlock },

  input: ({ path }) => ({ stateHash: path.state_hash ?? '' }),

  async currentBasis({ stateHash }, { query, configured }) {
    if (!isStateHash(stateHash)) return undefined
    const found = await findHeldBlock(heightOfBlock, stateHash, query)
    if (found.state === 'not-held') return undefined
    const basis: Basis = [sourceOf(configured), stateHash, String(found.canonical)]
    return { basis, caching: cachingAt(found.depth) }
  },

  async run({ stateHash }, context) {
    if (!isStateHash(stateHash)) return noBlock
    const [found, received] = await Promise.all([
      findHeldBlock(blockByStateHash, stateHash, context.query),
      queryIndexer(context, receivedTimeOf, { stateHash }),
    ])
    if (found.state === 'not-held') {
      const old = await findOldBlock(stateHash, received, context)
      if (old.state === 'found') {
        return answerOf(old.block, old.depth, ['indexer', stateHash, String(old.block.canonical)])
      }
      return old.note === undefined ? noBlock : { ...noBlock, note: old.note }
    }
    const receivedAt = received.state === 'known' ? received.value.block?.receivedTime : undefined
    const reason = received.state === 'missing' ? received.reason : 'the indexer does not have the block'
    const missing: readonly MissingFields[] =
      receivedAt !== undefined || received.state === 'unconfigured' ? [] : [{ fields: ['receivedTime'], reason }]
    const block = blockFromNode(found.block, found.canonical, receivedAt)
    const answer = answerOf(block, found.depth, [sourceOf(context.configured), stateHash, String(found.canonical)])
    return withMissingFields(answer, missing, caching.incomplete)
  },
}
