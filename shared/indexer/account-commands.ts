// The commands of one key in an indexer's blocks, newest first. A bound on the height filters rows and does not seek, so a
// question by the key costs the indexer some 15 µs for each row above the bound: keys with many rows are read by windows
// of heights instead, so that no question holds up others.
import { ask } from '../chain/actions/ask.ts'
import type { Exchange } from '../chain/port.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { type IndexedCommand, indexedCommand, isReceivedBy } from '../mapping/indexer-command.ts'
import { WireError } from '../upstream/errors.ts'
import { operation } from '../upstream/operation.ts'
import type { Tip } from '../upstream/query.ts'
import { called, count, flag, hash, listOf, shape, shortText, type Variables, type Wire } from '../upstream/wire.ts'
import {
  type EndOfOldChain,
  endOfOldChain,
  type ForkParent,
  forkParent,
  forkParentQuery,
  forkVariables,
  keptChain,
  unsettledBlocks,
  valuesOf,
} from './before-fork.ts'
import type { Indexed } from './indexed.ts'
import { indexerTip } from './indexer-tip.ts'

/** How far the indexer has come, and how many commands it has counted for a key. */
export const accountPlace = operation(
  'indexer',
  'query',
  'accountPlace',
  '$publicKey: String!',
  shape({
    accounts: called(
      'accounts(limit: 1, query: {publicKey: $publicKey})',
      listOf(shape({ pk_total_num_user_commands: count, publicKey: shortText })),
      (accounts, asked) => accounts.length <= 1 && accounts.every(({ publicKey }) => publicKey === asked.publicKey),
    ),
    tip: indexerTip,
  }),
  { isPatient: true },
)

export type AccountPlace = Wire<typeof accountPlace.data>

/** More blocks than this at one height would be a flood of forks. */
const maxSiblings = 20

const placedBlock = shape({ blockHeight: count, canonical: flag, stateHash: hash })

type PlacedBlock = Wire<typeof placedBlock>

const blocksAt = (variable: 'height' | 'lowest') =>
  called(
    `blocks(limit: ${maxSiblings}, query: {blockHeight: $${variable}})`,
    listOf(placedBlock),
    (blocks, asked) =>
      blocks.length <= maxSiblings && blocks.every(({ blockHeight }) => blockHeight === asked[variable]),
  )

const anchorFields = {
  /** The blocks at the height under which rows are read. */
  anchor: blocksAt('height'),
  earliest: called('blocks(limit: 1, query: {canonical: true}, sortBy: BLOCKHEIGHT_ASC)', listOf(placedBlock)),
}

/** The forks' rows are left out, or come with the others, where only the fork's parent tells what is canonical. */
type Selected = '' | 'canonical: true, '

const isOrdered = (rows: readonly IndexedCommand[], selected: Selected, { below, limit, lowest = 0 }: Variables) =>
  rows.length <= Number(limit) &&
  rows.every(
    ({ blockHeight, canonical }, index) =>
      blockHeight < Number(below) &&
      blockHeight >= Number(lowest) &&
      blockHeight <= (rows[index - 1]?.blockHeight ?? blockHeight) &&
      (canonical || selected === ''),
  )

const rowsOfKey = (selected: Selected) => ({
  sent: called(
    `transactions(query: {${selected}from: $publicKey, blockHeight_lt: $below}, limit: $limit, sortBy: BLOCKHEIGHT_DESC)`,
    listOf(indexedCommand),
    (rows, asked) => isOrdered(rows, selected, asked) && rows.every(({ sender }) => sender === asked.publicKey),
  ),
  received: called(
    `transactions(query: {${selected}to: $publicKey, blockHeight_lt: $below}, limit: $limit, sortBy: BLOCKHEIGHT_DESC)`,
    listOf(indexedCommand),
    (rows, asked) =>
      isOrdered(rows, selected, asked) && rows.every((row) => isReceivedBy(row, String(asked.publicKey))),
  ),
})

const rowsOfHeights = (selected: Selected) => ({
  rows: called(
    `transactions(query: {${selected}blockHeight_gte: $lowest, blockHeight_lt: $below}, limit: $limit, sortBy: BLOCKHEIGHT_DESC)`,
    listOf(indexedCommand),
    (rows, asked) => isOrdered(rows, selected, asked),
  ),
  lowest: blocksAt('lowest'),
})

const keyVariables = '$publicKey: String!, $below: Int!, $limit: Int!, $height: Int!'
const heightsVariables = '$lowest: Int!, $below: Int!, $limit: Int!, $height: Int!'
const patient = { isPatient: true }

const commandsOfKey = operation(
  'indexer',
  'query',
  'accountCommands',
  keyVariables,
  shape({ ...rowsOfKey('canonical: true, '), ...anchorFields, tip: indexerTip }),
  patient,
)

const commandsOfHeights = operation(
  'indexer',
  'query',
  'commandsOfHeights',
  heightsVariables,
  shape({ ...rowsOfHeights('canonical: true, '), ...anchorFields, tip: indexerTip }),
  patient,
)

const commandsOfKeyBeforeFork = operation(
  'indexer',
  'query',
  'accountCommandsBeforeFork',
  `${keyVariables}, ${forkVariables}`,
  shape({ ...rowsOfKey(''), ...anchorFields, ...endOfOldChain }),
  patient,
)

const commandsOfHeightsBeforeFork = operation(
  'indexer',
  'query',
  'commandsOfHeightsBeforeFork',
  `${heightsVariables}, ${forkVariables}`,
  shape({ ...rowsOfHeights(''), ...anchorFields, ...endOfOldChain }),
  patient,
)

export const accountCommandOperations = [
  ...[accountPlace, forkParentQuery],
  ...[commandsOfKey, commandsOfHeights, commandsOfKeyBeforeFork, commandsOfHeightsBeforeFork],
]

/** The blocks of an indexer that are canonical beyond doubt, and what reading a key's commands from them costs. */
export interface CommandSource {
  /** The request, with its questions for an indexer to this one. */
  readonly exchange: Exchange
  /** Height of the highest one. */
  readonly floor: number
  readonly tipHeight: number
  readonly genesisStateHash: string
  /** The fork that ended the chain which the indexer follows; undefined if it follows the node's. */
  readonly parent: ForkParent | undefined
  /** By its heights rather than by the key. */
  readonly isReadByHeights: boolean
}

/** So many rows an indexer passes over in 150 ms, the time that a light question may take. */
const maxPassedRows = 10_000

const busy = (reason: string) => new WireError('busy', `the account's older commands: ${reason}`)

/**
 * The indexer as a source of commands, as far as it is on the node's chain or on the one before its hard fork.
 *
 * @param exchange the request, with its questions for an indexer to this one
 * @throws WireError where it does not answer, or follows a chain that nothing joins to the node's
 */
export async function commandSource(
  place: Indexed<AccountPlace>,
  node: Tip,
  exchange: Exchange,
): Promise<CommandSource> {
  if (place.state === 'unconfigured') throw busy('no indexer is configured')
  if (place.state === 'missing') throw busy(place.reason)
  const { accounts, tip } = place.value
  if (tip === null) throw busy('the indexer has no block yet')
  const { blockHeight: tipHeight, genesisStateHash } = tip
  const isReadByHeights = accounts.some((account) => account.pk_total_num_user_commands > maxPassedRows)
  const source = { exchange, tipHeight, genesisStateHash, isReadByHeights }
  if (genesisStateHash === node.genesisStateHash) {
    return { ...source, floor: tipHeight - unsettledBlocks, parent: undefined }
  }
  const parent = await forkParent(exchange)
  if (parent === undefined || parent.genesisStateHash !== node.genesisStateHash) {
    throw busy(`the indexer is on another chain, of genesis ${genesisStateHash}`)
  }
  return { ...source, floor: parent.height, parent }
}

/** Rows of a question: those that are canonical, down to the height above which none is missing. */
interface Reading {
  readonly rows: readonly IndexedCommand[]
  /** No command of this height or above is missing; 0 where the question reached the first block. */
  readonly completeFrom: number
  /** The lowest block whose commands are all there; undefined where the rows name none. */
  readonly lowest: CursorBlock | undefined
  readonly anchor: readonly PlacedBlock[]
  readonly earliest: number | undefined
  readonly isCanonical: (block: PlacedBlock) => boolean
}

interface Asked {
  readonly publicKey: string
  readonly below: number
  readonly limit: number
  /** Of the block under which rows are read. */
  readonly height: number
}

interface AnchorData extends EndOfChain {
  readonly anchor: readonly PlacedBlock[]
  readonly earliest: readonly PlacedBlock[]
}

type EndOfChain = Pick<EndOfOldChain, 'tip'> & Partial<EndOfOldChain>

/** @throws WireError `busy` where the indexer has changed since it was chosen, or cannot show what a fork kept */
function canonicity({ tip, branch }: EndOfChain, source: CommandSource): (block: PlacedBlock) => boolean {
  if (tip === null || tip.genesisStateHash !== source.genesisStateHash) throw busy('the indexer has changed its chain')
  const { parent } = source
  if (parent === undefined || branch === undefined) {
    if (tip.blockHeight - unsettledBlocks < source.floor) throw busy('the indexer has gone back')
    return ({ canonical }) => canonical
  }
  const kept = keptChain(parent, { tip, branch })
  return ({ blockHeight, canonical, stateHash }) => kept.isKept({ stateHash, height: blockHeight, canonical })
}

const blockOf = ({ block, blockHeight, canonical }: IndexedCommand): PlacedBlock => ({
  ...{ blockHeight, canonical, stateHash: block.stateHash },
})

/** A list that reached its limit may lack commands of its last height. */
const completeFromOf = (rows: readonly IndexedCommand[], limit: number, lowest: number): number => {
  const last = rows.at(-1)
  return last === undefined || rows.length < limit ? lowest : last.blockHeight + 1
}

const lowestOf = (rows: readonly IndexedCommand[]): CursorBlock | undefined => {
  const last = rows.toSorted((left, right) => left.blockHeight - right.blockHeight)[0]
  return last && { height: last.blockHeight, stateHash: last.block.stateHash }
}

function readingOf(
  data: AnchorData,
  source: CommandSource,
  given: readonly IndexedCommand[],
  completeFrom: number,
): Reading {
  const isCanonical = canonicity(data, source)
  const rows = given.filter((row) => row.blockHeight >= completeFrom && isCanonical(blockOf(row)))
  const { anchor, earliest } = data
  return { rows, completeFrom, lowest: lowestOf(rows), anchor, earliest: earliest[0]?.blockHeight, isCanonical }
}

async function readByKey(asked: Asked, source: CommandSource): Promise<Reading> {
  const { exchange, parent } = source
  const { data } =
    parent === undefined
      ? await ask(exchange, commandsOfKey, { ...asked })
      : await ask(exchange, commandsOfKeyBeforeFork, { ...asked, ...valuesOf(parent) })
  const { sent, received } = data
  // A payment to oneself is in both, and so is a zkApp command that updates the account of its fee payer.
  const rows = [...new Map([...sent, ...received].map((row) => [`${row.hash} ${row.block.stateHash}`, row])).values()]
  const completeFrom = Math.max(completeFromOf(sent, asked.limit, 0), completeFromOf(received, asked.limit, 0))
  return readingOf(data, source, rows, completeFrom)
}

/** The limit of one dialect, and more than the commands of a block. */
const maxRows = 1000

/** Blocks that one question reads: about 35 ms of full ones. */
const windowBlocks = 20

async function readByHeights(asked: Asked, source: CommandSource): Promise<Reading> {
  const { exchange, parent } = source
  const { publicKey, ...bounds } = asked
  const lowest = Math.max(1, asked.below - windowBlocks)
  const variables = { ...bounds, lowest, limit: maxRows }
  const { data } =
    parent === undefined
      ? await ask(exchange, commandsOfHeights, variables)
      : await ask(exchange, commandsOfHeightsBeforeFork, { ...variables, ...valuesOf(parent) })
  const reading = readingOf(data, source, data.rows, completeFromOf(data.rows, maxRows, lowest))
  const ofKey = reading.rows.filter((row) => row.sender === publicKey || isReceivedBy(row, publicKey))
  const isWhole = reading.completeFrom === lowest
  const bottom = data.lowest.find(reading.isCanonical)
  if (!isWhole) return { ...reading, rows: ofKey }
  const isFirst = lowest <= (reading.earliest ?? 1)
  const named = bottom && { height: bottom.blockHeight, stateHash: bottom.stateHash }
  return { ...reading, rows: ofKey, completeFrom: isFirst ? 0 : lowest, lowest: named ?? reading.lowest }
}

/** More rows than a page has, so that a block of several commands seldom takes a second question. */
const spareRows = 50

/** Further ones come with the next page. */
const maxQuestions = 4

/** Commands below a block. */
export interface CommandsBelow {
  /** Of the block: without rows where the indexer's chain has another one in its place, or begins above it. */
  readonly state: 'canonical' | 'replaced' | 'bottom'
  readonly rows: readonly IndexedCommand[]
  /** The lowest block whose commands are all there; undefined where the indexer has no older ones. */
  readonly lowest: CursorBlock | undefined
  /** Height of the earliest block that the rows reach. */
  readonly fromHeight: number
}

/** The block under which commands are read. */
export interface Anchor extends CursorBlock {
  /** Rows of lower heights than this. */
  readonly below: number
}

/**
 * @returns `bottom` where the indexer has no block there, and none below
 * @throws WireError `busy` where nothing shows which block of its height is canonical
 */
function stateOfAnchor(
  { height, stateHash }: Anchor,
  { anchor, earliest, isCanonical }: Reading,
  floor: number,
): CommandsBelow['state'] {
  if (earliest === undefined || earliest > height) return 'bottom'
  if (height > floor) throw busy(`nothing shows which block at height ${height} is canonical`)
  const canonical = anchor.find(isCanonical)
  if (canonical === undefined) throw busy(`the indexer shows no canonical block at height ${height}`)
  return canonical.stateHash === stateHash ? 'canonical' : 'replaced'
}

/**
 * The newest commands of a key below a block, as many as asked for or a few more, without a gap.
 *
 * @throws WireError when the indexer gives no answer, or nothing shows that the block is on its chain
 */
export async function commandsBelow(
  { publicKey, limit, anchor }: { readonly publicKey: string; readonly limit: number; readonly anchor: Anchor },
  source: CommandSource,
): Promise<CommandsBelow> {
  const read = source.isReadByHeights ? readByHeights : readByKey
  const found: IndexedCommand[] = []
  let { below } = anchor
  let rowLimit = Math.min(maxRows, limit + spareRows)
  let lowest: CursorBlock | undefined
  for (let questions = 0; questions < maxQuestions && found.length < limit; questions++) {
    const reading = await read({ publicKey, below, limit: rowLimit, height: anchor.height }, source)
    const state = stateOfAnchor(anchor, reading, source.floor)
    if (state !== 'canonical') return { state, rows: [], lowest: undefined, fromHeight: anchor.below }
    found.push(...reading.rows)
    if (reading.completeFrom === 0) {
      const fromHeight = Math.min(reading.earliest ?? below, below)
      return { state, rows: found, lowest: undefined, fromHeight }
    }
    if (reading.completeFrom < below) {
      below = reading.completeFrom
      lowest = reading.lowest ?? lowest
    } else {
      if (rowLimit === maxRows) throw busy(`more than ${maxRows} commands at a height below ${below}`)
      rowLimit = maxRows
    }
  }
  if (lowest === undefined) throw busy('the indexer names no block that the page could end at')
  return { state: 'canonical', rows: found, lowest, fromHeight: lowest.height }
}
