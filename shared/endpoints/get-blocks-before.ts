import { ask } from '../chain/actions/ask.ts'
import { blockAtHeightQuery } from '../chain/actions/find-block.ts'
import { walkOperations } from '../chain/actions/node-run.ts'
import type { ChainView } from '../chain/port.ts'
import type { BlocksBefore } from '../contract/block.ts'
import type { getBlocksBeforeContract } from '../contract/endpoints/get-blocks-before.ts'
import { type CursorBlock, cursorFrom } from '../contract/forms.ts'
import { blocksBeforeQuery } from '../contract/query/get-blocks-before.ts'
import type { Answer, Failure } from '../http/answer.ts'
import { failureCaching, incompleteMaxAgeSeconds, notFoundCaching } from '../http/answer-headers.ts'
import { blocksBelowCursor, type WalkedBlocks, walkedBlocks } from '../indexer/block-walk.ts'
import { versionFrom, withMissingFields } from '../indexer/indexed.ts'
import { oldBlockOperations } from '../indexer/old-block-questions.ts'
import { olderBlocksOperations } from '../indexer/older-blocks.ts'
import { isStateHash } from '../mapping/base58check.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { count, queryReader } from '../mapping/query-values.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { nodeTipQuery } from '../upstream/node-query.ts'
import { everyForm } from '../upstream/operation.ts'
import { blockCaching, cachingAt } from './block-answer.ts'
import type { Endpoint } from './endpoint.ts'

const noLowerBlock = {
  status: 404,
  body: { message: 'There is no block below height 1.' },
  caching: notFoundCaching,
} as const satisfies Failure

const noCursor = {
  status: 400,
  body: { message: 'cursor must be the height and the state hash of a block, HEIGHT-STATEHASH' },
} as const satisfies Failure

const replaced = { status: 409, body: { message: 'The block of this cursor is not canonical any more.' } } as const

interface Input {
  readonly cursor: CursorBlock
  readonly limit: number
}

/** The time that caches may keep a page below a cursor. */
function cachingOf(cursor: CursorBlock, { finalHeight, tip }: WalkedBlocks, isShort: boolean, chain: ChainView) {
  if (!isShort && cursor.height <= finalHeight) return blockCaching.final
  return chain.isStaleHeight(tip.height)
    ? { ...blockCaching.recent, maxAgeSeconds: incompleteMaxAgeSeconds }
    : cachingAt(tip.height - cursor.height, chain)
}

/** GET /blocks/before/{cursor}: the blocks below one that the caller has, newest first, each the parent of the one before. */
export const getBlocksBefore: Endpoint<typeof getBlocksBeforeContract, Input> = {
  name: 'getBlocksBefore',
  method: 'GET',
  path: '/blocks/before/{cursor}',
  tag: 'blocks',
  summary: 'The blocks below a block, newest first',
  isCostly: true,
  caching: { 200: blockCaching, 404: { missing: notFoundCaching }, '5xx': { failure: failureCaching } },
  operations: everyForm([
    ...[walkedBlocks.operation, ...walkOperations, blockAtHeightQuery],
    ...[...olderBlocksOperations, ...oldBlockOperations],
  ]),
  identifier: { parameter: 'cursor', forms: [{ cursor: true }], unknown: noCursor },
  query: queryReader(blocksBeforeQuery, { count }),

  input({ path, query }) {
    const cursor = cursorFrom(path.cursor ?? '')
    return isStateHash(cursor?.stateHash) ? { ...query, cursor } : undefined
  },

  async run({ cursor, limit }, chain): Promise<Answer<BlocksBefore>> {
    // The node's tip labels the answer, as it does every one about the chain.
    if (cursor.height === 1) return { ...noLowerBlock, tip: (await ask(chain, nodeTipQuery, {})).tip }
    const walked = await blocksBelowCursor(cursor, limit + 1, chain)
    if (walked?.state === 'replaced') return { ...replaced, tip: walked.tip }
    const given = walked?.blocks.slice(0, limit) ?? []
    const last = given.at(-1)
    if (walked === undefined || last === undefined) {
      const publicText = 'Nothing here shows the blocks below this one: it takes an indexer that has them.'
      throw indexerBusy('no upstream has blocks below the cursor', { publicText })
    }
    const shown = await Promise.all(given.map((block) => block.show()))
    const { blocks, isCut, tip } = walked
    const isShort = blocks.length <= limit && last.height > 1
    const hasMore = blocks.length > limit || isCut
    const body: Exact<BlocksBefore> = {
      blocks: shown.map(({ block }) => block),
      ...(hasMore && { next: `${last.height}-${last.stateHash}` }),
      ...(isShort && !hasMore && { endOfKnown: true }),
    }
    const caching = cachingOf(cursor, walked, isShort, chain)
    const answer = { status: 200, body, caching, tip } as const
    const missing = shown.flatMap((each) => each.missing)
    const isFinal = caching === blockCaching.final
    const version = isFinal && versionFrom(chain, 'indexer', `${cursor.height}-${cursor.stateHash}`, String(limit))
    return withMissingFields({ ...answer, ...version }, missing, blockCaching.incomplete)
  },
}
