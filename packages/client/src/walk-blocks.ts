// The chain downwards, block by block, from the tip or from a block that the caller has.
import type { Clock } from './clock.ts'
import { checkNumbers } from './numbers.ts'
import type { BlockName, BlockView, CallOptions, Labelled, Reads, Viewed } from './reads.ts'
import type { Block, BlockHeader } from './schema.ts'
import { ServiceError } from './service-error.ts'

export interface WalkBlocksOptions<View extends BlockView = BlockView> extends CallOptions {
  /** `header` gives a line of each block, a hundred in an answer: for charts and lists. */
  readonly view?: View | undefined
  /** The walk begins below this block. Without one it begins with the newest block. */
  readonly from?: BlockName | undefined
}

/** A node that lags, or one on another branch, may be the one that said so. */
const pauseMs = 2000

/** A 409 under a tip that is too low is asked again so often at once, since another node may be next to answer, */
const againAtOnce = 3

/** and then for a minute. */
const maxPauses = 30

/**
 * Each block once, newest first, each the parent of the one before. It ends with the first block, or with the last that the
 * service can show.
 *
 * @throws ServiceError as the reads, and with 409 where the service says twice that the block under which the walk goes on is not
 *   canonical: a reorganisation has taken it off, or `from` never was a block of this chain. One that took off only blocks
 *   above it goes unnoticed: `watchBlocks` tells of those. Under a lower tip than that of the page with the block a 409 says
 *   nothing; where no other answer comes for a minute, the error is `unavailable`
 */
export async function* walkBlocks<View extends BlockView = 'block'>(
  reads: Pick<Reads, 'blocks' | 'blocksBefore'>,
  clock: Clock,
  { from, view, ...call }: WalkBlocksOptions<View> = {},
): AsyncGenerator<Labelled<Viewed<View>>, void, undefined> {
  const isHeader = view === 'header'
  checkNumbers(from)
  let below = from
  /** The tip under which that block was shown; no lower one can tell that it is not canonical. */
  let shownUnder = from?.height ?? 0
  if (below === undefined) {
    const { value, ...labels } = await reads.blocks(call)
    for (const block of value) {
      yield (
        isHeader ? { ...labels, missingFields: [], value: headerOf(block) } : { ...labels, value: block }
      ) as Labelled<Viewed<View>>
    }
    below = nameOf(value.at(-1))
    shownUnder = labels.chain?.height ?? 0
  }
  let refusals = 0
  let lowRefusals = 0
  while (below && below.height > 1) {
    // The service itself lines up full pages of headers.
    const limit = isHeader ? undefined : limitBelow(below.height)
    const page = await reads.blocksBefore<BlockView>(below, { ...call, view, limit }).catch((error) => {
      if (Object(error).status !== 409) throw error
      return error as ServiceError
    })
    if ('value' in page) {
      const { value, ...labels } = page
      const given = 'headers' in value ? value.headers : value.blocks
      for (const one of given) yield { ...labels, value: one as Viewed<View> }
      below = value.next === undefined ? undefined : nameOf(given.at(-1))
      shownUnder = labels.chain?.height ?? 0
      refusals = lowRefusals = 0
    } else {
      const isLow = (page.chain?.height ?? shownUnder) < shownUnder
      if (isLow) lowRefusals += 1
      else refusals += 1
      if (refusals > 1 || lowRefusals > againAtOnce + maxPauses) {
        const why = isLow ? 'each tip is too low' : 'it is not canonical'
        throw new ServiceError(`no way below block ${below.stateHash}: ${why}`, { status: 409, cause: page })
      }
      if (!isLow || lowRefusals > againAtOnce) await clock.wait(pauseMs, call.signal)
    }
  }
}

/**
 * Of the page below a block: it ends at a multiple of ten, where the full page of any other walk begins. So the pages have the
 * same addresses for every caller and under each new tip, and a cache has them.
 *
 * @returns undefined for a full page
 */
const limitBelow = (height: number): number | undefined => (height - 1) % 10 || undefined

/** The header of a block that came whole. */
const headerOf = ({ protocolState, snarkJobs, transactions, ...block }: Block): BlockHeader => ({
  stateHash: block.stateHash,
  blockHeight: block.blockHeight,
  previousStateHash: protocolState.previousStateHash,
  dateTime: block.dateTime,
  creator: block.creator,
  slot: protocolState.consensusState.slot,
  epoch: protocolState.consensusState.epoch,
  canonical: block.canonical,
  commandCount: transactions.userCommands.length + transactions.zkappCommandCount,
  zkappCommandCount: transactions.zkappCommandCount,
  proofCount: snarkJobs.length,
  coinbase: transactions.coinbase,
})

const nameOf = (block: Block | BlockHeader | undefined): BlockName | undefined =>
  block && { height: block.blockHeight, stateHash: block.stateHash }
