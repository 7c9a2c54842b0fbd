// The chain downwards, block by block, from the tip or from a block that the caller has.
import type { Clock } from './clock.ts'
import { checkNumbers } from './numbers.ts'
import type { BlockName, CallOptions, Labelled, Reads } from './reads.ts'
import type { Block } from './schema.ts'
import { ServiceError } from './service-error.ts'

export interface WalkBlocksOptions extends CallOptions {
  /** The walk begins below this block. Without one it begins with the newest block. */
  readonly from?: BlockName | undefined
}

/** A node that lags, or one on another branch, may be the one that said so. */
const pauseBeforeSecondMs = 2000

/**
 * Each block once, newest first, each the parent of the one before. It ends with the first block, or with the last that the
 * service can show.
 *
 * @throws ServiceError as the reads, and with 409 where the service says twice that the block under which the walk goes on is not
 *   canonical: a reorganisation has taken it off, or `from` never was a block of this chain. One that took off only blocks
 *   above it goes unnoticed: `watchBlocks` tells of those
 */
export async function* walkBlocks(
  reads: Pick<Reads, 'blocks' | 'blocksBefore'>,
  clock: Clock,
  { from, ...call }: WalkBlocksOptions = {},
): AsyncGenerator<Labelled<Block>, void, undefined> {
  checkNumbers(from)
  let below = from
  if (below === undefined) {
    const { value, ...labels } = await reads.blocks(call)
    for (const block of value) yield { ...labels, value: block }
    const newest = value.at(-1)
    below = newest && { height: newest.blockHeight, stateHash: newest.stateHash }
  }
  let isSecond = false
  while (below && below.height > 1) {
    const { height, stateHash }: BlockName = below
    const page = await reads.blocksBefore(below, call).catch((error) => {
      if (Object(error).status !== 409) throw error
      if (!isSecond) return undefined
      const message = `block ${stateHash} at height ${height} is not canonical: begin again at a newer block`
      throw new ServiceError(message, { status: 409, cause: error })
    })
    isSecond = page === undefined
    if (page) {
      const { value, ...labels } = page
      for (const block of value.blocks) yield { ...labels, value: block }
      const last = value.next === undefined ? undefined : value.blocks.at(-1)
      below = last && { height: last.blockHeight, stateHash: last.stateHash }
    } else await clock.wait(pauseBeforeSecondMs, call.signal)
  }
}
