import { ask } from '../chain/actions/ask.ts'
import { latestBlocks } from '../chain/actions/latest-blocks.ts'
import { blockHeightOf } from '../chain/actions/linked-blocks.ts'
import { maxSiblings } from '../chain/limits.ts'
import type { ChainView } from '../chain/port.ts'
import type { getBlocksContract } from '../contract/endpoints/get-blocks.ts'
import { blocksQuery } from '../contract/query/get-blocks.ts'
import { briefStaleness, failureCaching, incompleteMaxAgeSeconds } from '../http/answer-headers.ts'
import {
  lasting,
  type MissingFields,
  queryIndexer,
  sourceOf,
  versionFrom,
  withMissingFields,
} from '../indexer/indexed.ts'
import { blockFromNode } from '../mapping/block.ts'
import { count, type QueryOf, queryReader } from '../mapping/query-values.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { nodeTipQuery, nonEmptyChain, tipOf } from '../upstream/node-query.ts'
import { called, isoInstant, listOf, shape, shortText, type Variables } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

/** Not only canonical ones: where the indexer prefers a sibling of the node's tip, the tip is not canonical to it. */
const receivedTimesBetween = indexerQuery(
  'receivedTimesBetween',
  '$lowest: Int!, $highest: Int!, $limit: Int!',
  shape({
    blocks: called(
      'blocks(limit: $limit, query: {blockHeight_gte: $lowest, blockHeight_lte: $highest})',
      listOf(shape({ receivedTime: isoInstant, stateHash: shortText })),
      (blocks, { limit }) => blocks.length <= Number(limit),
    ),
  }),
)

const caching = {
  complete: { maxAgeSeconds: 5, ...briefStaleness },
  incomplete: { maxAgeSeconds: incompleteMaxAgeSeconds, ...briefStaleness, when: 'fields are missing' },
}

/**
 * When these blocks were received: from one indexer after the other, until none is missing.
 *
 * @returns milliseconds since 1970 by state hash, and why some are missing
 */
async function receivedTimesOf(stateHashes: readonly string[], variables: Variables, chain: ChainView) {
  const times = new Map<string, number>()
  let reason: string | undefined
  for (const indexer of chain.indexers) {
    const answer = await queryIndexer(indexer, receivedTimesBetween, variables)
    if (answer.state === 'known') {
      for (const { receivedTime, stateHash } of answer.value.blocks) times.set(stateHash, receivedTime)
    }
    if (stateHashes.every((stateHash) => times.has(stateHash))) return { times, reason: undefined }
    reason = answer.state === 'missing' ? answer.reason : (reason ?? 'the indexer does not have every block')
  }
  return { times, reason }
}

/** GET /blocks: the latest blocks of the best chain, newest first. Contract gap: the option is called `limit`. */
export const getBlocks: Endpoint<typeof getBlocksContract, QueryOf<typeof blocksQuery>> = {
  name: 'getBlocks',
  method: 'GET',
  path: '/blocks',
  tag: 'blocks',
  summary: 'Latest blocks on the canonical chain, newest first',
  caching: { 200: caching, '5xx': { failure: failureCaching } },
  operations: [latestBlocks, nodeTipQuery, receivedTimesBetween],

  query: queryReader(blocksQuery, { count }),

  input: ({ query }) => query,

  async currentVersion({ limit }, chain) {
    if (chain.indexers.length > 1) return undefined
    const [{ stateHash }] = nonEmptyChain((await ask(chain, nodeTipQuery, {})).data.bestChain)
    return { version: [sourceOf(chain), String(limit), stateHash], caching: caching.complete }
  },

  async run({ limit }, chain) {
    const { data: node } = await ask(chain, latestBlocks, { maxLength: limit })
    const bestChain = nonEmptyChain(node.bestChain)
    const stateHashes = bestChain.map(({ stateHash }) => stateHash)
    const received = await receivedTimesOf(
      stateHashes,
      {
        lowest: blockHeightOf(bestChain[0]),
        highest: blockHeightOf(tipOf(bestChain)),
        limit: bestChain.length * maxSiblings,
      },
      chain,
    )
    const shown = bestChain.map((block) => blockFromNode(block, true, received.times.get(block.stateHash)))
    const blocks = shown.map(({ block }) => block).reverse()
    const { reason } = received
    const unreceived: readonly MissingFields[] = reason === undefined ? [] : [{ fields: ['receivedTime'], reason }]
    const missing = [...unreceived, ...lasting(shown.flatMap(({ cutFields }) => cutFields))]
    const version = versionFrom(chain, sourceOf(chain), String(limit), tipOf(bestChain).stateHash)
    const answer = { status: 200, body: { blocks }, caching: caching.complete, ...version } as const
    return withMissingFields(answer, missing, caching.incomplete)
  },
}
