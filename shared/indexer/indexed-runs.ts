// Runs of heights below a node's blocks, from one or several indexers. The one on the node's network has those since a hard
// fork; below the fork's parent any that holds the parent may have them. The two meet at the parent, which the node names.
// Where one indexer ends and another may go on but does not answer, there is a gap, and the walk must not pass it.
import { type Anchor, anchorAt } from '../chain/actions/linked-blocks.ts'
import type { Exchange } from '../chain/port.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { indexerBusy, WireError } from '../upstream/errors.ts'
import { type ForkParent, forkParent } from './before-fork.ts'
import type { ChainSource, ChainSources } from './chain-source.ts'

export interface Placed {
  readonly blockHeight: number
}

/** The blocks that an indexer has below an anchor, without a gap. */
export type RunBelow<Item> =
  | {
      readonly state: 'canonical'
      readonly items: readonly Item[]
      /** The lowest block whose items are all there. */
      readonly lowest: CursorBlock
      /** True if it is the first block of the indexer's chain. */
      readonly isFirst: boolean
    }
  /** The indexer's chain has another block in the anchor's place, or begins above it. */
  | { readonly state: 'replaced' | 'bottom' }

/** Reads at one indexer, as many items as are wanted or a few more; fewer where that would cost too much. */
export type ReadBelow<Item, Source> = (anchor: Anchor, wanted: number, source: Source) => Promise<RunBelow<Item>>

/** A run with the indexer that it comes from. */
export interface IndexedRun<Item, Source> {
  readonly found: RunBelow<Item>
  readonly source: Source
  /** Why older blocks may be missing although the indexer names none to go on from. */
  readonly gap: WireError | undefined
  /** The block under which the next source has to go on. */
  readonly under: Anchor
}

const isBeforeFork = ({ parent }: ChainSource, { height }: Anchor): boolean =>
  parent !== undefined && height <= parent.height

/** Those that may hold the block: before the hard fork the one that stayed there first, as the node's word proves it. */
function responsibleFor<Source extends ChainSource>(
  anchor: Anchor,
  sources: ChainSources<Source>,
): ChainSources<Source> {
  if (sources.length === 1) return sources
  const old = sources.filter((each) => each.state === 'known' && isBeforeFork(each.value, anchor))
  const onNetwork = sources.filter((each) => each.state === 'known' && each.value.parent === undefined)
  return [...old, ...onNetwork, ...sources.filter(({ state }) => state === 'missing')]
}

/** Of the indexers that were asked, the one that reaches lowest. */
interface Reading<Item, Source> {
  readonly found: RunBelow<Item>
  readonly source: Source
  /** Why another one, which may reach lower, gave no answer. */
  readonly failure: WireError | undefined
}

/** True where the indexer has no older blocks, though the chain has. */
const endsEarly = (found: RunBelow<unknown>): boolean =>
  found.state === 'bottom' || (found.state === 'canonical' && found.isFirst && found.lowest.height > 1)

const reachesLower = (found: RunBelow<unknown>, than: RunBelow<unknown>): boolean =>
  found.state === 'canonical' && (than.state !== 'canonical' || found.lowest.height < than.lowest.height)

/** @throws WireError where no indexer gives an answer */
async function readLowest<Item, Source extends ChainSource>(
  anchor: Anchor,
  wanted: number,
  sources: ChainSources<Source>,
  read: ReadBelow<Item, Source>,
): Promise<Reading<Item, Source>> {
  let best: Omit<Reading<Item, Source>, 'failure'> | undefined
  let failure: WireError | undefined
  for (const each of responsibleFor(anchor, sources)) {
    try {
      if (each.state === 'missing') throw indexerBusy(each.reason)
      const { value: source } = each
      const found = await read(anchor, wanted, source)
      if (!endsEarly(found)) return { found, source, failure: undefined }
      if (best === undefined || reachesLower(found, best.found)) best = { found, source }
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      failure ??= error
    }
  }
  if (best !== undefined) return { ...best, failure }
  throw failure ?? indexerBusy(`no indexer has block ${anchor.height}`)
}

function gapBelow({ found, failure }: Reading<unknown, unknown>, parent: ForkParent | undefined) {
  if (!endsEarly(found) || failure !== undefined) return failure
  if (parent === undefined || (found.state === 'canonical' && found.lowest.height <= parent.height)) return undefined
  const ending = found.state === 'canonical' ? `ends at ${found.lowest.height}` : 'has none of these blocks'
  return indexerBusy(`every indexer's chain ${ending}, above the hard fork at ${parent.height}`)
}

const under = (anchor: Anchor, found: RunBelow<unknown>): Anchor =>
  found.state === 'canonical' ? anchorAt(found.lowest, true) : anchor

/**
 * The runs below a block, the second one from before the hard fork. A single indexer is asked as if there were no other.
 *
 * @param wanted the number of items; the walk stops after the run that has them
 * @param sources at least one
 * @throws WireError when no indexer gives an answer, or nothing shows that the anchor is on its chain
 */
export async function* indexedRuns<Item extends Placed, Source extends ChainSource>(
  anchor: Anchor,
  wanted: number,
  sources: ChainSources<Source>,
  read: ReadBelow<Item, Source>,
  chain: Exchange,
): AsyncGenerator<IndexedRun<Item, Source>> {
  const reading = await readLowest(anchor, wanted, sources, read)
  const { found, source } = reading
  const whole = { found, source, gap: undefined, under: under(anchor, found) }
  if (sources.length === 1 || !endsEarly(found)) {
    yield whole
    return
  }
  const parent = await forkParent(chain)
  const genesisHeight = (parent?.height ?? 0) + 1
  const crosses = found.state === 'canonical' && found.lowest.height <= genesisHeight && anchor.height >= genesisHeight
  if (parent === undefined || !crosses) {
    yield { ...whole, gap: gapBelow(reading, parent) }
    return
  }
  const items = found.items.filter(({ blockHeight }) => blockHeight >= genesisHeight)
  const genesis = { height: genesisHeight, stateHash: parent.genesisStateHash }
  const last: Anchor = { height: parent.height, stateHash: parent.stateHash, below: genesisHeight, isShown: true }
  yield { source, found: { ...found, items, lowest: genesis, isFirst: false }, gap: undefined, under: last }

  const older = await readLowest(last, wanted - items.length, sources, read)
  if (older.found.state === 'replaced') throw indexerBusy("the indexer does not keep the hard fork's parent")
  yield { found: older.found, source: older.source, gap: gapBelow(older, parent), under: under(last, older.found) }
}
