// The commands of one key in an indexer's blocks, newest first. A bound on the height filters rows and does not seek,
// so a question by the key costs the indexer about 15 µs for each row above the bound: keys with many rows are read by
// windows of heights instead, so that no question holds up others.

import type { Anchor } from '../chain/actions/linked-blocks.ts'
import { maxRows } from '../chain/limits.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { accountsByKey } from '../mapping/indexer-account.ts'
import { blockOf, eachOnce, type IndexedCommand, indexedCommand, isReceivedBy } from '../mapping/indexer-command.ts'
import { indexerBusy } from '../upstream/errors.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import type { Tip } from '../upstream/query.ts'
import { called, count, listOf, shape, shortText, type Variables, type Wire } from '../upstream/wire.ts'
import { branchQuery } from './before-fork.ts'
import { type ChainSource, type ChainSources, chainSources } from './chain-source.ts'
import { requireIndexed } from './indexed.ts'
import type { RunBelow } from './indexed-runs.ts'
import { indexerTip } from './indexer-tip.ts'
import {
  type BlockRow,
  blocksAt,
  earliestBlock,
  isAskedFor,
  judgeForWalk,
  judgementFields,
  judgementVariables,
  type WalkJudge,
} from './judge.ts'
import type { IndexerAnswer } from './responsible-indexers.ts'

/** The part of a document that shows the anchor, at `$height`, and what its rows are judged by. */
const anchorFields = { anchor: blocksAt('height'), earliest: earliestBlock, ...judgementFields }

/** How far the indexer has come, and how many commands it has counted for a key. */
export const countedCommands = indexerQuery(
  'countedCommands',
  '$publicKey: String!',
  shape({
    accounts: accountsByKey(shape({ pk_total_num_user_commands: count, publicKey: shortText })),
    tip: indexerTip,
  }),
  { isPatient: true },
)

type CountedCommands = Wire<typeof countedCommands.data>

const isOrdered = (rows: readonly IndexedCommand[], asked: Variables) => {
  const { below, limit, lowest = 0 } = asked
  return (
    rows.length <= Number(limit) &&
    rows.every(
      (row, index) =>
        row.blockHeight < Number(below) &&
        row.blockHeight >= Number(lowest) &&
        row.blockHeight <= (rows[index - 1]?.blockHeight ?? row.blockHeight) &&
        isAskedFor(row, asked),
    )
  )
}

const commandsOfKey = indexerQuery(
  'accountCommands',
  `$publicKey: String!, $below: Int!, $limit: Int!, $height: Int!, ${judgementVariables}`,
  shape({
    sent: called(
      'transactions(query: {canonical: $canonical, from: $publicKey, blockHeight_lt: $below}, limit: $limit, sortBy: BLOCKHEIGHT_DESC)',
      listOf(indexedCommand),
      (rows, asked) => isOrdered(rows, asked) && rows.every(({ sender }) => sender === asked.publicKey),
    ),
    received: called(
      'transactions(query: {canonical: $canonical, to: $publicKey, blockHeight_lt: $below}, limit: $limit, sortBy: BLOCKHEIGHT_DESC)',
      listOf(indexedCommand),
      (rows, asked) => isOrdered(rows, asked) && rows.every((row) => isReceivedBy(row, String(asked.publicKey))),
    ),
    ...anchorFields,
  }),
  { isPatient: true },
)

const commandsOfHeights = indexerQuery(
  'commandsOfHeights',
  `$lowest: Int!, $below: Int!, $limit: Int!, $height: Int!, ${judgementVariables}`,
  shape({
    rows: called(
      'transactions(query: {canonical: $canonical, blockHeight_gte: $lowest, blockHeight_lt: $below}, limit: $limit, sortBy: BLOCKHEIGHT_DESC)',
      listOf(indexedCommand),
      isOrdered,
    ),
    lowest: blocksAt('lowest'),
    ...anchorFields,
  }),
  { isPatient: true },
)

export const accountCommandOperations = [countedCommands, branchQuery, commandsOfKey, commandsOfHeights]

/** An indexer as a source of the commands of one key. */
export interface CommandSource extends ChainSource {
  /** True if commands are read by height rather than by key. */
  readonly isReadByHeights: boolean
}

/** The rows that an indexer skips in 150 ms, the time that a light question may take. */
const maxPassedRows = 10_000

/**
 * The indexers as sources of the commands of a key.
 *
 * @param asked every indexer's answer to `countedCommands`
 * @param node its tip
 */
export const commandSources = (
  asked: readonly IndexerAnswer<CountedCommands>[],
  node: Tip,
): Promise<ChainSources<CommandSource>> =>
  chainSources(asked, node, ({ accounts }) => ({
    isReadByHeights: accounts.some((account) => account.pk_total_num_user_commands > maxPassedRows),
  }))

/** Rows of a question: those that are canonical, down to the height above which none is missing. */
interface Reading {
  readonly rows: readonly IndexedCommand[]
  /** No command of this height or above is missing; 0 if the question reached the first block. */
  readonly completeFrom: number
  /** The lowest block whose commands are all there; undefined if the rows name none. */
  readonly lowest: CursorBlock | undefined
  readonly anchor: RunBelow<unknown>['state']
  /** The first block of the indexer's chain. */
  readonly first: CursorBlock | undefined
}

interface Question {
  readonly publicKey: string
  readonly below: number
  readonly limit: number
  /** The block under which rows are read. */
  readonly anchor: Anchor
  readonly judge: WalkJudge
}

const cursorOf = ({ blockHeight, stateHash }: BlockRow): CursorBlock => ({ height: blockHeight, stateHash })

/** A list that reached its limit may lack commands of its last height. */
const completeFromOf = (rows: readonly IndexedCommand[], limit: number, lowest: number): number => {
  const last = rows.at(-1)
  return last === undefined || rows.length < limit ? lowest : last.blockHeight + 1
}

const lowestOf = (rows: readonly IndexedCommand[]): CursorBlock | undefined =>
  rows.map((row) => cursorOf(blockOf(row))).toSorted((left, right) => left.height - right.height)[0]

/** @throws WireError if rows contradict each other, or nothing shows that the anchor is on the node's chain */
async function readingOf(
  data: Parameters<WalkJudge['verdictOn']>[0],
  { judge }: Question,
  given: readonly IndexedCommand[],
  completeFrom: number,
) {
  const { isCanonical, state } = await judge.verdictOn(data)
  const rows = given.filter((row) => row.blockHeight >= completeFrom && isCanonical(blockOf(row)))
  const stateHashes = new Map(rows.map(({ block, blockHeight }) => [blockHeight, block.stateHash]))
  const sibling = rows.find(({ block, blockHeight }) => block.stateHash !== stateHashes.get(blockHeight))
  if (sibling !== undefined) throw indexerBusy(`the indexer has two canonical blocks at height ${sibling.blockHeight}`)
  const [first] = data.earliest.map(cursorOf)
  return { rows, completeFrom, lowest: lowestOf(rows), anchor: state, first, isCanonical }
}

async function readByKey(asked: Question, source: CommandSource): Promise<Reading> {
  const { anchor, judge, ...bounds } = asked
  const variables = { ...bounds, height: anchor.height, ...judge.variables }
  const data = await requireIndexed(source.indexer, commandsOfKey, variables)
  const { sent, received } = data
  // A self-payment is in both, and so is a zkApp command that updates its fee payer's account.
  const rows = [...new Map([...sent, ...received].map((row) => [`${row.hash} ${row.block.stateHash}`, row])).values()]
  const completeFrom = Math.max(completeFromOf(sent, asked.limit, 0), completeFromOf(received, asked.limit, 0))
  return readingOf(data, asked, rows, completeFrom)
}

/** Blocks that one question reads: about 35 ms of full ones. */
const windowBlocks = 20

async function readByHeights(asked: Question, source: CommandSource): Promise<Reading> {
  const { publicKey, below, anchor, judge } = asked
  const lowest = Math.max(1, below - windowBlocks)
  const variables = { lowest, below, limit: maxRows, height: anchor.height, ...judge.variables }
  const data = await requireIndexed(source.indexer, commandsOfHeights, variables)
  const reading = await readingOf(data, asked, data.rows, completeFromOf(data.rows, maxRows, lowest))
  const rows = reading.rows.filter((row) => row.sender === publicKey || isReceivedBy(row, publicKey))
  if (reading.completeFrom !== lowest) return { ...reading, rows }
  const isFirst = lowest <= (reading.first?.height ?? 1)
  const [bottom = reading.lowest] = data.lowest.filter(reading.isCanonical).map(cursorOf)
  return { ...reading, rows, completeFrom: isFirst ? 0 : lowest, lowest: bottom }
}

/** More rows than a page has, so that a block of several commands seldom takes a second question. */
const spareRows = 50

/** The next page asks further ones. */
const maxQuestions = 4

/**
 * The newest commands of a key below a block, as many as wanted or a few more, without a gap.
 *
 * @throws WireError when the indexer gives no answer or contradicts itself, or nothing shows that the block is on its chain
 */
export async function commandsBelow(
  publicKey: string,
  anchor: Anchor,
  wanted: number,
  source: CommandSource,
): Promise<RunBelow<IndexedCommand>> {
  const read = source.isReadByHeights ? readByHeights : readByKey
  const items: IndexedCommand[] = []
  let below = anchor.doneFrom
  let limit = Math.min(maxRows, wanted + spareRows)
  let lowest: CursorBlock | undefined
  const judge = await judgeForWalk(anchor, source)
  for (let questions = 0; questions < maxQuestions && items.length < wanted; questions++) {
    const reading = await read({ publicKey, below, limit, anchor, judge }, source)
    const { anchor: state, completeFrom, first } = reading
    if (state !== 'canonical') return { state }
    items.push(...reading.rows)
    if (completeFrom === 0 && first !== undefined)
      return { state, items: eachOnce(items), lowest: first, isFirst: true }
    if (completeFrom < below) {
      below = completeFrom
      lowest = reading.lowest ?? lowest
    } else {
      if (limit === maxRows) throw indexerBusy(`more than ${maxRows} commands at a height below ${below}`)
      limit = maxRows
    }
  }
  if (lowest === undefined) throw indexerBusy('the indexer names no block that the page could end at')
  return { state: 'canonical', items: eachOnce(items), lowest, isFirst: false }
}
