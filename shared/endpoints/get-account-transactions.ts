import { ask } from '../chain/actions/ask.ts'
import { isLinked } from '../chain/actions/linked-blocks.ts'
import { pooledUserCommands, pooledZkappCommands } from '../chain/actions/recent-commands.ts'
import type { Exchange } from '../chain/port.ts'
import type { AccountTransactions } from '../contract/account-history.ts'
import type { getAccountTransactionsContract } from '../contract/endpoints/get-account-transactions.ts'
import { type CursorBlock, publicKeyForm } from '../contract/forms.ts'
import { accountTransactionsQuery } from '../contract/query/get-account-transactions.ts'
import type { Answer, Failure } from '../http/answer.ts'
import { failureCaching, noStaleness } from '../http/answer-headers.ts'
import { type Anchor, accountCommandOperations, accountPlace, type CommandSource } from '../indexer/account-commands.ts'
import { attempt, lasting, queryIndexer, withMissingFields } from '../indexer/indexed.ts'
import { nodeGenesis } from '../indexer/old-block-questions.ts'
import {
  type CommandSources,
  commandSources,
  floorOf,
  knownSources,
  olderCommands,
  settledByFork,
} from '../indexer/older-commands.ts'
import { askEvery } from '../indexer/responsible-indexers.ts'
import { isPublicKey } from '../mapping/base58check.ts'
import { nodeCommand } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { type QueryOf, queryReader } from '../mapping/query-values.ts'
import { nodeZkappCommand } from '../mapping/zkapp-command.ts'
import type { BareCommand } from '../transactions/bare-commands.ts'
import {
  busy,
  extended,
  heightOf,
  historyBlock,
  historyBlocks,
  latestBlocks,
  lowestToRead,
  type NodeEnd,
  nextHeight,
  placeOf,
} from '../transactions/history-blocks.ts'
import {
  type CommandsOfBlock,
  entriesOfBlock,
  entryOfRow,
  type HistoryEntry,
  newestFirst,
  pageOf,
} from '../transactions/history-entry.ts'
import { pendingBeside, pendingIn } from '../transactions/pending-commands.ts'
import { indexerError } from '../upstream/errors.ts'
import { nodeQuery, nodeTipQuery, nonEmptyChain } from '../upstream/node-query.ts'
import type { Tip } from '../upstream/query.ts'
import { called, listOf, nullable, type Wire } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'
import { current, noAccount } from './no-account.ts'

const endOfChain = {
  bestChain: called(
    'bestChain(maxLength: $maxLength)',
    nullable(listOf(historyBlock)),
    (blocks, { maxLength }) => blocks === null || (blocks.length <= Number(maxLength) && isLinked(blocks)),
  ),
}

/** The latest blocks, and what the account has sent since. */
const latestHistory = nodeQuery('latestHistory', '$publicKey: PublicKey!, $maxLength: Int!', {
  ...endOfChain,
  pooledUserCommands: pooledUserCommands(nodeCommand),
  pooledZkappCommands: pooledZkappCommands(nodeZkappCommand),
})

const caching = {
  recent: { maxAgeSeconds: 5, ...noStaleness },
  final: {
    maxAgeSeconds: 86_400,
    ...noStaleness,
    when: "the cursor's block is so deep that it is final, by the network's own k",
  },
}

const replaced = (tip: Tip): Failure => ({
  tip,
  status: 409,
  body: { message: 'The block of this cursor is not canonical any more.' },
})

/** Only the indexer has what the page needs. */
const lacking = (reason: string) => indexerError('busy', `history: ${reason}`)

const commandsOf = (block: Wire<typeof historyBlock>): CommandsOfBlock => ({
  ...{ height: heightOf(block), stateHash: block.stateHash, atMs: block.protocolState.blockchainState.date },
  ...block.transactions,
})

interface Input extends QueryOf<typeof accountTransactionsQuery> {
  readonly publicKey: string
}

type Page = Exact<AccountTransactions>

/** Commands of the account without a gap, from the page's first height down. */
interface Part {
  readonly entries: readonly HistoryEntry[]
  /** Height of the earliest block that was searched. */
  readonly fromHeight: number
  /** The cursor under which there may be older ones. */
  readonly lowest: CursorBlock | undefined
}

/** A page's blocks whose confirmations are those of the network's k. */
interface Finality {
  readonly k: number | undefined
  readonly finalHeight: number
}

const openEnded: Finality = { k: undefined, finalHeight: Number.NEGATIVE_INFINITY }

function confirmationsAt(height: number, tip: Tip, { k = Number.POSITIVE_INFINITY, finalHeight }: Finality) {
  const depth = tip.height - height
  if (height > finalHeight) return { confirmations: Math.min(depth, k) }
  // Final means at least k: a caller's bound that was met once stays met.
  return { confirmations: Number.isFinite(k) ? k : depth, final: true }
}

/** The network's k, where an indexer on the node's network may need it. */
async function depthOfFinality(sources: readonly CommandSource[], chain: Exchange): Promise<number | undefined> {
  if (!sources.some(({ parent }) => parent === undefined)) return undefined
  const { daemonStatus } = (await ask(chain, nodeGenesis, {})).data
  return daemonStatus.consensusConfiguration?.k
}

/** The height up to which the indexers' blocks are final: below both tips by k, or kept by a hard fork. */
function finalityOf(sources: readonly CommandSource[], tip: Tip, networkK: number | undefined): Finality {
  const finalHeights = sources.map(({ parent, tipHeight }) => {
    if (parent !== undefined) return parent.height
    return networkK === undefined ? openEnded.finalHeight : Math.min(tipHeight, tip.height) - networkK
  })
  const k = networkK ?? sources.find(({ parent }) => parent !== undefined)?.parent?.k
  return { k, finalHeight: Math.max(openEnded.finalHeight, ...finalHeights) }
}

/** The first answers of node and indexers. */
interface Look {
  readonly end: NodeEnd
  readonly pending: readonly BareCommand[] | undefined
  /** Empty where no indexer is configured. */
  readonly sources: CommandSources
}

async function lookAt({ publicKey, before }: Input, chain: Exchange): Promise<Look> {
  const askNode = async () => {
    if (before === undefined) {
      const answered = await ask(chain, latestHistory, { publicKey, maxLength: latestBlocks })
      const blocks = nonEmptyChain(answered.data.bestChain)
      const end = { ...placeOf(answered), blocks, isWhole: blocks.length < latestBlocks }
      return { end, pending: pendingIn(answered.data) }
    }
    const place = placeOf(await ask(chain, nodeTipQuery, {}))
    if (before.height > place.tip.height) throw busy("the cursor lies above the node's tip")
    return { end: { ...place, blocks: [], isWhole: false }, pending: undefined }
  }
  const shownByNode = askNode()
  const places = askEvery(chain, (each) => queryIndexer(each, accountPlace, { publicKey }))
  const shown = await shownByNode
  return { ...shown, sources: await commandSources(places, shown.end.tip, chain) }
}

/** The node's blocks down to those that the indexer has beyond doubt, as far as the page needs them. */
async function blocksAboveFloor(input: Input, look: Look, chain: Exchange): Promise<NodeEnd> {
  const { before } = input
  const { end } = look
  const floor = floorOf(look.sources) ?? end.tip.height - latestBlocks
  const top = before?.height ?? end.tip.height
  const from = nextHeight(end, top)
  if (end.isWhole || from <= floor || entriesIn(end, input).length >= input.limit) return end
  if (floor < lowestToRead(end, before) - 1) {
    throw lacking(`the indexer lags: only a node has the latest ${top - floor} blocks`)
  }
  return extended(end, from, floor + 1, chain)
}

/** The account's commands in the node's blocks below the cursor, newest first. */
const entriesIn = ({ blocks }: NodeEnd, { publicKey, before }: Input): readonly HistoryEntry[] =>
  newestFirst(
    blocks
      .filter((block) => heightOf(block) < (before?.height ?? Number.POSITIVE_INFINITY))
      .flatMap((block) => entriesOfBlock(commandsOf(block), publicKey)),
  )

/**
 * True if the node's blocks show that the cursor's block was replaced.
 *
 * @throws WireError `busy` where they do not show its height, or lie behind a height that was seen
 */
function isReplaced({ blocks, tip }: NodeEnd, before: CursorBlock, chain: Exchange): boolean {
  const shown = blocks.find((block) => heightOf(block) === before.height)
  if (shown === undefined) throw busy(`nothing shows the block of the cursor at height ${before.height}`)
  if (shown.stateHash === before.stateHash) return false
  if (chain.isStaleHeight(tip.height)) throw busy('the node that shows another block lies behind')
  return true
}

/** The page, from the commands that were found without a gap. */
function answerOf(
  { limit, before }: Input,
  { pending, sources }: Look,
  ends: readonly NodeEnd[],
  { entries, fromHeight, lowest }: Part,
  finality: Finality,
): Answer<AccountTransactions> {
  const given = pageOf(entries, limit)
  const last = given.at(-1)
  const isCut = last !== undefined && given.length < entries.length
  const end = isCut ? last : lowest
  const { tip } = ends[ends.length - 1] as NodeEnd
  const waiting = pending === undefined ? undefined : pendingBeside(given, pending)
  const body: Page = {
    transactions: given.map(({ height, item }) => ({ ...item, ...confirmationsAt(height, tip, finality) })),
    ...waiting?.body,
    searched: {
      pool: pending !== undefined,
      fromHeight: end?.height ?? fromHeight,
      toHeight: before === undefined ? tip.height : before.height - 1,
      nodes: new Set(ends.map(({ node }) => node)).size,
      indexer: knownSources(sources).length > 0,
    },
    ...(end !== undefined && { next: `${end.height}-${end.stateHash}` }),
  }
  const isFinal = before !== undefined && before.height <= finality.finalHeight
  const answer = { status: 200, body, caching: isFinal ? caching.final : caching.recent, tip } as const
  const lacking = [...given.flatMap(({ unknownFields }) => unknownFields), ...(waiting?.cutFields ?? [])]
  return withMissingFields(answer, lasting(lacking), caching.recent)
}

/** The block under which the indexer is asked: the parent of the node's oldest one, or the cursor's. */
function anchorOf(oldest: NodeEnd['blocks'][number] | undefined, before: CursorBlock | undefined): Anchor {
  if (oldest !== undefined) {
    const below = heightOf(oldest)
    return { height: below - 1, stateHash: oldest.protocolState.previousStateHash, below }
  }
  if (before === undefined) throw new Error('neither a block nor a cursor')
  return { ...before, below: before.height }
}

/** What the page rests on. */
interface Ground {
  /** Every answer of a node, in their order. */
  readonly ends: readonly NodeEnd[]
  /** The one with the blocks that count. */
  readonly above: NodeEnd
  /** True if the indexer alone has the blocks below the cursor. */
  readonly isOld: boolean
}

/** True if the indexers have the cursor's block and those below it beyond doubt. */
function isIndexed(before: CursorBlock | undefined, sources: CommandSources): boolean {
  const floor = floorOf(sources)
  return before !== undefined && floor !== undefined && before.height <= floor
}

/**
 * True if the node has no blocks from before a hard fork, and the indexers' own view settles none of the page's: they followed
 * the fork, and the new chain is still short.
 */
function needsFork(input: Input, { sources }: Look, above: NodeEnd): boolean {
  const floor = floorOf(sources)
  const [oldest] = above.blocks
  if (floor === undefined || oldest === undefined || !above.isWhole) return false
  return heightOf(oldest) - 1 > floor && entriesIn(above, input).length < input.limit
}

/** The node's blocks that the page needs, and where the indexers' blocks begin below them. */
async function groundOf(input: Input, look: Look, chain: Exchange): Promise<{ look: Look; ground: Ground }> {
  const { before } = input
  const { end } = look
  if (isIndexed(before, look.sources)) return { look, ground: { ends: [end], above: end, isOld: true } }

  const above = await blocksAboveFloor(input, look, chain)
  const ends = above === end ? [end] : [end, above]
  if (!needsFork(input, look, above)) return { look, ground: { ends, above, isOld: false } }

  const oldest = above.blocks[0] as Wire<typeof historyBlock>
  const next = Math.min(before?.height ?? Number.POSITIVE_INFINITY, heightOf(oldest) - 1)
  const sources = await settledByFork(look.sources, next, chain)
  const isOld = isIndexed(before, sources)
  return { look: { ...look, sources }, ground: { ends, above: isOld ? { ...above, blocks: [] } : above, isOld } }
}

/** The page: the node's blocks, and below them the indexer's. */
async function pageUnder(
  input: Input,
  look: Look,
  { ends, above, isOld }: Ground,
  chain: Exchange,
): Promise<Answer<AccountTransactions>> {
  const { publicKey, limit, before } = input
  const { sources } = look
  if (before !== undefined && !isOld && isReplaced(above, before, chain)) return replaced(above.tip)

  const known = knownSources(sources)
  const newest = entriesIn(above, input)
  const [oldest] = above.blocks
  const searchedFrom = oldest === undefined ? (before?.height ?? 0) : heightOf(oldest)
  const part = (lowest?: CursorBlock) => ({ entries: newest, fromHeight: searchedFrom, lowest })
  if (newest.length >= limit) {
    const hasOlder = sources.length > 0 && (known.length === 0 || searchedFrom > 1)
    return answerOf(input, look, ends, part(hasOlder ? newest.at(-1) : undefined), openEnded)
  }
  const [first] = sources
  if (known.length === 0 && first?.state === 'missing') throw lacking(first.reason)
  if (first === undefined || searchedFrom <= 1) return answerOf(input, look, ends, part(), openEnded)

  const anchor = anchorOf(oldest, before)
  const [older, networkK] = await Promise.all([
    attempt(async () => {
      const found = await olderCommands({ publicKey, limit: limit - newest.length, anchor }, sources, chain)
      return { ...found, entries: found.rows.map((row) => entryOfRow(row, publicKey)) }
    }),
    depthOfFinality(known, chain),
  ])
  if (older.state === 'missing') throw lacking(older.reason)
  if (older.value.state === 'replaced' && isOld) return replaced(above.tip)
  if (older.value.state === 'replaced') throw busy(`node and indexer have different blocks at height ${anchor.height}`)
  const { lowest, fromHeight, gap } = older.value
  const isBottom = lowest === undefined && fromHeight > 1
  // A node finds no block by its height as deep as its root, and the root by its hash alone.
  const rootHeight = above.tip.height - (networkK ?? Number.POSITIVE_INFINITY)
  const lowestRead = lowestToRead(above, before)
  const lowestHeld = Math.max(lowestRead, rootHeight + 1)
  const next = nextHeight(above, before?.height ?? above.tip.height)
  if (isBottom && !above.isWhole && lowestHeld < fromHeight && next >= lowestHeld) {
    // The indexer began so late that the node has blocks from before it.
    const longer = await extended(above, next, lowestHeld, chain)
    const longest = rootHeight < lowestRead ? longer : await extended(longer, rootHeight, rootHeight, chain)
    return pageUnder(input, look, { ends: [...ends, longest], above: longest, isOld: false }, chain)
  }
  if (gap !== undefined) throw lacking(gap.message)
  const entries = newestFirst([...newest, ...older.value.entries])
  const finality = finalityOf(older.value.sources, above.tip, networkK)
  return answerOf(input, look, ends, { entries, fromHeight, lowest }, finality)
}

/** GET /accounts/{public_key}/transactions: the commands of an account, newest first, without a gap. */
export const getAccountTransactions: Endpoint<typeof getAccountTransactionsContract, Input> = {
  name: 'getAccountTransactions',
  method: 'GET',
  path: '/accounts/{public_key}/transactions',
  tag: 'accounts',
  summary: 'The commands of an account, newest first',
  isCostly: true,
  caching: { 200: caching, 404: { missing: current }, '5xx': { failure: failureCaching } },
  operations: [latestHistory, historyBlocks.operation, nodeTipQuery, nodeGenesis, ...accountCommandOperations],
  identifier: { parameter: 'public_key', forms: [publicKeyForm], unknown: noAccount },

  query: queryReader(accountTransactionsQuery),

  input: ({ path, query }) => ({ publicKey: path.public_key ?? '', ...query }),

  async run(input, chain) {
    if (!isPublicKey(input.publicKey)) return noAccount
    const { look, ground } = await groundOf(input, await lookAt(input, chain), chain)
    return pageUnder(input, look, ground, chain)
  },
}
