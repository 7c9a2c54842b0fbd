import { ask } from '../chain/actions/ask.ts'
import { newestBlocks, newestBlocksOperations, type Place } from '../chain/actions/newest-blocks.ts'
import { type KeptBlocks, maxKeptLength, type NewestBlock } from '../chain/kept-blocks.ts'
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
import type { PrintedJson } from '../mapping/exact-json.ts'
import { jsonOfBlock, KeptJson } from '../mapping/printed-block.ts'
import { countOption, type QueryOf, queryReader } from '../mapping/query-values.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { nodeTipQuery, nonEmptyChain } from '../upstream/node-query.ts'
import { called, isoInstant, listOf, shape, shortText } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

/** Forks too: if the indexer prefers a sibling of the node's tip, the tip is not canonical to it. */
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
async function receivedTimesOf(places: readonly Place[], chain: ChainView) {
  const heights = places.map(({ height }) => height)
  const variables = {
    lowest: Math.min(...heights),
    highest: Math.max(...heights),
    limit: places.length * maxSiblings,
  }
  const times = new Map<string, number>()
  let reason: string | undefined
  for (const indexer of chain.indexers) {
    const answer = await queryIndexer(indexer, receivedTimesBetween, variables)
    if (answer.state === 'known') {
      for (const { receivedTime, stateHash } of answer.value.blocks) times.set(stateHash, receivedTime)
    }
    if (places.every(({ stateHash }) => times.has(stateHash))) return { times, reason: undefined }
    reason = answer.state === 'missing' ? answer.reason : (reason ?? 'the indexer does not have every block')
  }
  return { times, reason }
}

/**
 * The body, newest block first. Most answers equal the one before, whose text is kept and returned.
 *
 * @param blocks oldest first
 * @param times as of `receivedTimesOf`
 */
function jsonOf(blocks: readonly NewestBlock[], times: ReadonlyMap<string, number>, kept: KeptBlocks): PrintedJson {
  const of = blocks.map(({ stateHash }) => `${stateHash} ${times.get(stateHash)}`).join()
  if (kept.body?.of === of) return kept.body.json
  const texts = blocks.map(({ stateHash, printed }) => jsonOfBlock(printed, times.get(stateHash)))
  // Joined by plus, a megabyte is copied once, when it is printed; `join` copies it too.
  const json = new KeptJson(`{"blocks":[${texts.reduce((older, newer) => `${newer},${older}`)}]}`)
  if (json.text.length <= maxKeptLength) kept.body = { of, json }
  return json
}

/** GET /blocks: the latest blocks of the best chain, newest first. Contract gap: the option is called `limit`. */
export const getBlocks: Endpoint<typeof getBlocksContract, QueryOf<typeof blocksQuery>> = {
  name: 'getBlocks',
  method: 'GET',
  path: '/blocks',
  tag: 'blocks',
  summary: 'Latest blocks on the canonical chain, newest first',
  caching: { 200: caching, '5xx': { failure: failureCaching } },
  operations: [...newestBlocksOperations, nodeTipQuery, receivedTimesBetween],

  query: queryReader(blocksQuery, { count: countOption }),

  input: ({ query }) => query,

  async currentVersion({ limit }, chain) {
    if (chain.indexers.length > 1) return undefined
    const { data, tip } = await ask(chain, nodeTipQuery, {})
    const [{ stateHash }] = nonEmptyChain(data.bestChain)
    chain.shownTip = tip
    return { version: [sourceOf(chain), String(limit), stateHash], caching: caching.complete }
  },

  async run({ limit }, chain) {
    const { blocks, beside, tip } = await newestBlocks(chain, limit, (places) => receivedTimesOf(places, chain))
    const { times, reason } = beside
    const body = jsonOf(blocks, times, chain.kept.blocks)
    const unreceived: readonly MissingFields[] = reason === undefined ? [] : [{ fields: ['receivedTime'], reason }]
    const missing = [...unreceived, ...lasting(blocks.flatMap(({ printed }) => printed.cutFields))]
    const version = versionFrom(chain, sourceOf(chain), String(limit), blocks.at(-1)?.stateHash ?? '')
    const answer = { status: 200, body, caching: caching.complete, ...version, ...(tip && { tip }) } as const
    return withMissingFields(answer, missing, caching.incomplete)
  },
}
