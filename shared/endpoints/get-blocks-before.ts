import { ask } from '../chain/actions/ask.ts'
import { blockAtHeightQuery } from '../chain/actions/find-block.ts'
import type { LinkedBlock } from '../chain/actions/linked-blocks.ts'
import { walkOperations } from '../chain/actions/node-run.ts'
import type { ChainView } from '../chain/port.ts'
import type { BlocksOrHeadersBefore } from '../contract/block.ts'
import type { getBlocksBeforeContract } from '../contract/endpoints/get-blocks-before.ts'
import { type CursorBlock, cursorFrom, cursorReplaced } from '../contract/forms.ts'
import { maxHeaders, maxNodeHeaders } from '../contract/limits.ts'
import { blocksBeforeQuery } from '../contract/query/get-blocks-before.ts'
import type { Answer, Failure } from '../http/answer.ts'
import { failureCaching, incompleteMaxAgeSeconds, notFoundCaching } from '../http/answer-headers.ts'
import { headers, wholeBlocks } from '../indexer/block-views.ts'
import { type BlockView, blocksBelowCursor, type PageSize, type WalkedBlocks } from '../indexer/block-walk.ts'
import { versionFrom, withMissingFields } from '../indexer/indexed.ts'
import { oldBlockOperations } from '../indexer/old-block-questions.ts'
import { olderBlocksOperations } from '../indexer/older-blocks.ts'
import { isStateHash } from '../mapping/base58check.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { choiceOption, countOption, queryReader } from '../mapping/query-values.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { nodeTipQuery } from '../upstream/node-query.ts'
import { withTipForms } from '../upstream/operation.ts'
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

interface Input {
  readonly cursor: CursorBlock
  readonly view: 'block' | 'header'
  readonly limit: number
}

/** The time that caches may keep a page below a cursor. */
function cachingOf(
  cursor: CursorBlock,
  { finalHeight, tip }: Pick<WalkedBlocks<unknown>, 'finalHeight' | 'tip'>,
  isShort: boolean,
  chain: ChainView,
) {
  if (!isShort && cursor.height <= finalHeight) return blockCaching.final
  return chain.isStaleHeight(tip.height)
    ? { ...blockCaching.recent, maxAgeSeconds: incompleteMaxAgeSeconds }
    : cachingAt(tip.height - cursor.height, chain)
}

/**
 * The size of a page of headers from an upstream that gives at most `max`. A full page ends just above a multiple of
 * `max`, whatever tip the caller started from, so that callers share cached pages.
 */
const headersFrom = (max: number, { cursor, limit }: Input): number =>
  limit < max ? limit : (cursor.height - 1) % max || max

const sizeOf = (input: Input): PageSize =>
  input.view === 'block'
    ? { ofNode: input.limit, ofIndexer: input.limit }
    : { ofNode: headersFrom(maxNodeHeaders, input), ofIndexer: headersFrom(maxHeaders, input) }

/**
 * A page below a cursor in one view.
 *
 * @param body of its blocks
 * @throws WireError if nothing shows what the page should have
 */
async function pageOf<OfNode extends LinkedBlock, OfIndexer, Shown>(
  shownAs: BlockView<OfNode, OfIndexer, Shown>,
  input: Input,
  chain: ChainView,
  body: (blocks: readonly Exact<Shown>[]) => Exact<BlocksOrHeadersBefore>,
): Promise<Answer<BlocksOrHeadersBefore>> {
  const { cursor, view } = input
  const walked = await blocksBelowCursor(shownAs, cursor, sizeOf(input), chain)
  if (walked?.state === 'replaced') return { status: 409, body: { message: cursorReplaced }, tip: walked.tip }
  const given = walked?.blocks.slice(0, walked.limit) ?? []
  const last = given.at(-1)
  if (walked === undefined || last === undefined) {
    const publicText = 'Nothing here shows the blocks below this one: it takes an indexer that has them.'
    throw indexerBusy('no upstream has blocks below the cursor', { publicText })
  }
  const shown = await Promise.all(given.map((block) => block.show()))
  const { blocks, isCut, limit, tip } = walked
  const isShort = blocks.length <= limit && last.height > 1
  const hasMore = blocks.length > limit || isCut
  const caching = cachingOf(cursor, walked, isShort, chain)
  const answer = {
    status: 200,
    body: {
      ...body(shown.map(({ block }) => block)),
      ...(hasMore && { next: `${last.height}-${last.stateHash}` }),
      ...(isShort && !hasMore && { endOfKnown: true }),
    },
    caching,
    tip,
  } as const
  const missing = shown.flatMap((each) => each.missing)
  const isFinal = caching === blockCaching.final
  const version = isFinal && versionFrom(chain, 'indexer', `${cursor.height}-${cursor.stateHash}`, view, String(limit))
  return withMissingFields<BlocksOrHeadersBefore>({ ...answer, ...version }, missing, blockCaching.incomplete)
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
  operations: withTipForms([
    ...[wholeBlocks.nodeBlocks.operation, headers.nodeBlocks.operation, ...walkOperations, blockAtHeightQuery],
    ...[...olderBlocksOperations, ...oldBlockOperations],
  ]),
  identifier: { parameter: 'cursor', forms: [{ cursor: true }], unknown: noCursor },
  query: queryReader(blocksBeforeQuery, { choice: choiceOption, count: countOption }),

  input({ path, query }) {
    const cursor = cursorFrom(path.cursor ?? '')
    return isStateHash(cursor?.stateHash) ? { ...query, cursor } : undefined
  },

  async run(input, chain): Promise<Answer<BlocksOrHeadersBefore>> {
    // The node's tip labels the answer, as it does every one about the chain.
    if (input.cursor.height === 1) return { ...noLowerBlock, tip: (await ask(chain, nodeTipQuery, {})).tip }
    return input.view === 'header'
      ? pageOf(headers, input, chain, (given) => ({ headers: given }))
      : pageOf(wholeBlocks, input, chain, (blocks) => ({ blocks }))
  },
}
