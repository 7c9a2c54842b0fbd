// An account's commands below the blocks of a node, from one or several indexers. The one on the node's network has those
// since a hard fork; below the fork's parent any that holds the parent may have them. The two meet at the parent, which the
// node names. Where one indexer ends and another may go on but does not answer, the history has a gap and is not shown.
import type { Exchange } from '../chain/port.ts'
import { indexerError, WireError } from '../upstream/errors.ts'
import type { Tip } from '../upstream/query.ts'
import {
  type AccountPlace,
  type Anchor,
  type CommandSource,
  type CommandsBelow,
  commandSource,
  commandsBelow,
} from './account-commands.ts'
import { type ForkParent, forkParent } from './before-fork.ts'
import { type Attempted, attempt } from './indexed.ts'
import type { Asked } from './responsible-indexers.ts'

/** What each configured indexer is as a source of commands, or why it is none now. */
export type CommandSources = readonly Attempted<CommandSource>[]

/**
 * The indexers as sources of commands.
 *
 * @param asked every indexer for its place
 * @param node its tip
 * @returns an empty list where no indexer is configured
 */
export const commandSources = async (
  asked: readonly Asked<AccountPlace>[],
  node: Tip,
  { configured }: Exchange,
): Promise<CommandSources> =>
  configured.indexer
    ? Promise.all(asked.map(({ exchange, answer }) => attempt(async () => commandSource(await answer, node, exchange))))
    : []

export const knownSources = (sources: CommandSources): readonly CommandSource[] =>
  sources.flatMap((source) => (source.state === 'known' ? [source.value] : []))

/** Height of the highest block that an indexer has beyond doubt; undefined where none is a source. */
export function floorOf(sources: CommandSources): number | undefined {
  const floors = knownSources(sources).map(({ floor }) => floor)
  return floors.length === 0 ? undefined : Math.max(...floors)
}

/**
 * The sources for a block and those below it. An indexer that followed the node through a hard fork has settled no block near
 * its tip, so of those before the fork the parent tells which are kept.
 *
 * @param height that a page goes down from
 * @throws WireError when the node does not answer
 */
export async function settledByFork(sources: CommandSources, height: number, chain: Exchange): Promise<CommandSources> {
  const isOpen = ({ floor, parent }: CommandSource) => parent === undefined && floor < height
  if (!knownSources(sources).some(isOpen)) return sources
  const parent = await forkParent(chain)
  if (parent === undefined || parent.height < height) return sources
  return sources.map((each) =>
    each.state === 'known' && isOpen(each.value)
      ? { ...each, value: { ...each.value, floor: parent.height, parent } }
      : each,
  )
}

const isBeforeFork = ({ parent }: CommandSource, { height }: Anchor): boolean =>
  parent !== undefined && height <= parent.height

/** Those that may hold the block: before the hard fork the one that stayed there first, as the node's word proves it. */
function responsibleFor(anchor: Anchor, sources: CommandSources): CommandSources {
  if (sources.length === 1) return sources
  const old = sources.filter((each) => each.state === 'known' && isBeforeFork(each.value, anchor))
  const onNetwork = sources.filter((each) => each.state === 'known' && each.value.parent === undefined)
  return [...old, ...onNetwork, ...sources.filter(({ state }) => state === 'missing')]
}

interface Question {
  readonly publicKey: string
  readonly limit: number
  readonly anchor: Anchor
}

/** Of the indexers that were asked, the one that reaches lowest. */
interface Reading {
  readonly found: CommandsBelow
  readonly source: CommandSource
  /** Why another one, which may reach lower, gave no answer. */
  readonly failure: WireError | undefined
}

/** True where the indexer has no older blocks, though the chain has. */
const endsEarly = ({ state, lowest, fromHeight }: CommandsBelow): boolean =>
  state !== 'replaced' && lowest === undefined && fromHeight > 1

const reachesLower = (found: CommandsBelow, than: CommandsBelow): boolean =>
  found.state === 'canonical' && (than.state === 'bottom' || found.fromHeight < than.fromHeight)

/** @throws WireError where no indexer gives an answer */
async function readLowest(question: Question, sources: CommandSources): Promise<Reading> {
  let best: Omit<Reading, 'failure'> | undefined
  let failure: WireError | undefined
  for (const each of responsibleFor(question.anchor, sources)) {
    try {
      if (each.state === 'missing') throw indexerError('busy', each.reason)
      const { value: source } = each
      const found = await commandsBelow(question, source)
      if (!endsEarly(found)) return { found, source, failure: undefined }
      if (best === undefined || reachesLower(found, best.found)) best = { found, source }
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      failure ??= error
    }
  }
  if (best !== undefined) return { ...best, failure }
  throw failure ?? indexerError('busy', `no indexer has block ${question.anchor.height}`)
}

/** Commands below a block, from all indexers that it takes. */
export interface OlderCommands extends CommandsBelow {
  readonly sources: readonly CommandSource[]
  /** Why older ones may be missing although `lowest` names no block to go on from. */
  readonly gap: WireError | undefined
}

function gapBelow({ found, failure }: Reading, parent: ForkParent | undefined): WireError | undefined {
  if (!endsEarly(found) || failure !== undefined) return failure
  const isOpen = parent !== undefined && (found.state === 'bottom' || found.fromHeight > parent.height)
  return isOpen
    ? indexerError(
        'busy',
        `no indexer's chain reaches from ${found.fromHeight} below the hard fork at ${parent.height}`,
      )
    : undefined
}

/**
 * The newest commands of a key below a block, as many as asked for or a few more. A single indexer is asked as if there
 * were no other.
 *
 * @param sources at least one
 * @throws WireError when no indexer gives an answer, or nothing shows that the block is on its chain
 */
export async function olderCommands(
  question: Question,
  sources: CommandSources,
  chain: Exchange,
): Promise<OlderCommands> {
  const reading = await readLowest(question, sources)
  const { found, source } = reading
  const whole = { ...found, sources: [source], gap: undefined }
  if (sources.length === 1 || !endsEarly(found)) return whole

  const parent = await forkParent(chain)
  const { anchor, limit } = question
  const reachesFork = found.state === 'canonical' && parent !== undefined && found.fromHeight <= parent.height + 1
  if (!reachesFork || anchor.height <= parent.height) return { ...whole, gap: gapBelow(reading, parent) }

  const genesis = { height: parent.height + 1, stateHash: parent.genesisStateHash }
  const rows = found.rows.filter(({ blockHeight }) => blockHeight >= genesis.height)
  if (rows.length >= limit) return { ...whole, rows, lowest: genesis, fromHeight: genesis.height }
  const below = { height: parent.height, stateHash: parent.stateHash, below: genesis.height }
  const older = await readLowest({ ...question, limit: limit - rows.length, anchor: below }, sources)
  if (older.found.state === 'replaced') throw indexerError('busy', "the indexer does not keep the hard fork's parent")
  return {
    ...older.found,
    state: 'canonical',
    rows: [...rows, ...older.found.rows],
    sources: [source, older.source],
    gap: gapBelow(older, parent),
  }
}
