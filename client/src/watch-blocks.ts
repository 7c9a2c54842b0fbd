// The best chain block by block, without a gap, from a cursor that the caller keeps.
import type { Clock } from './clock.ts'
import { checkNumbers } from './numbers.ts'
import { type PollOptions, polling } from './polling.ts'
import { type CallOptions, type Reads, unless404 } from './reads.ts'
import type { Block, Summary } from './schema.ts'

/** A block that a program has taken. It goes on from there, after a restart too. */
export interface Cursor {
  readonly height: number
  readonly stateHash: string
  /**
   * State hashes of the blocks under it, the highest first, at most 290: a reorganisation is undone by them. Without them
   * the service is asked for the parent of a lost block, which no node may hold any more.
   */
  readonly below?: readonly string[] | undefined
}

/** A step of the best chain. Store `cursor` together with what you make of the step. */
export type BlockChange =
  /** A block on top of the block of the last cursor. */
  | { readonly state: 'added'; readonly block: Block; readonly cursor: Cursor }
  /** A reorganisation has taken the block of the last cursor off the chain. `block` is absent where no node holds it any more. */
  | {
      readonly state: 'orphaned'
      readonly height: number
      readonly stateHash: string
      readonly block?: Block | undefined
      readonly cursor: Cursor
    }

export interface WatchBlocksOptions extends PollOptions {
  /** The block taken last. Without one the watch begins with the newest block. */
  readonly cursor?: Cursor | undefined
  /** Blocks on top of a block before it is handed over, 0 by default. */
  readonly confirmations?: number | undefined
}

export type BlockReads = Pick<Reads, 'block' | 'blockAtHeight' | 'summary'>

/** k of the protocol: no reorganisation goes deeper. */
const maxBelow = 290

/** So near the tip a node that lags may not have a block yet. */
const maxLagBlocks = 30

/** @throws ServiceError with 404 for a height that the service no longer has, and that is not near the tip */
const canonicalAt = (
  reads: BlockReads,
  height: number,
  tip: Summary,
  options: CallOptions,
): Promise<Block | undefined> => {
  const reading = reads.blockAtHeight(height, options)
  return tip.blockchainLength - height < maxLagBlocks ? unless404(reading) : reading.then(({ value }) => value)
}

/** @throws Error where neither the cursor nor the service knows the parent */
async function lost(
  reads: BlockReads,
  { height, stateHash, below }: Cursor,
  options: CallOptions,
): Promise<BlockChange> {
  const block = await unless404(reads.block(stateHash, options))
  const [parent = block?.protocolState.previousStateHash, ...rest] = below ?? []
  if (parent === undefined) {
    throw new Error(`no node holds block ${stateHash}, which was lost at height ${height}: give an older cursor`)
  }
  return { state: 'orphaned', height, stateHash, block, cursor: { height: height - 1, stateHash: parent, below: rest } }
}

/**
 * The next step above a cursor.
 *
 * @param highest height to go to
 * @returns undefined without a next step, or if answers disagree, as those of an older and a newer cache may
 */
async function nextChange(
  reads: BlockReads,
  cursor: Cursor | undefined,
  highest: number,
  tip: Summary,
  options: CallOptions,
): Promise<BlockChange | undefined> {
  const height = cursor ? cursor.height + 1 : highest
  const block = height > 0 && height <= highest ? await canonicalAt(reads, height, tip, options) : undefined
  const isOnTop = !cursor || block?.protocolState.previousStateHash === cursor.stateHash
  if (block && isOnTop) {
    const below = cursor ? [cursor.stateHash, ...(cursor.below ?? [])].slice(0, maxBelow) : []
    return { state: 'added', block, cursor: { height, stateHash: block.stateHash, below } }
  }
  if (!cursor) return undefined
  // A lower tip alone proves nothing, since a node may lag; a hard fork lowers it and puts other blocks under the cursor.
  const compared = Math.min(cursor.height, tip.blockchainLength)
  const own = [cursor.stateHash, ...(cursor.below ?? [])][cursor.height - compared]
  const inItsPlace = own === undefined ? undefined : await canonicalAt(reads, compared, tip, options)
  return inItsPlace && inItsPlace.stateHash !== own ? lost(reads, cursor, options) : undefined
}

/**
 * Each block of the best chain once, in the order of heights, and each that a reorganisation has taken off it, the highest first.
 * The next one is looked for when the one before was taken, and none is skipped, however long that takes.
 *
 * @returns when the signal is aborted
 * @throws what the callback for trouble throws; ServiceError where the service itself refuses a question, such as 404 for a
 *   height that it no longer has; Error where a lost block has no known parent
 */
export async function* blockChanges(
  reads: BlockReads,
  clock: Clock,
  options: WatchBlocksOptions = {},
): AsyncGenerator<BlockChange, void, undefined> {
  const { confirmations = 0, signal } = options
  const { ask, pause } = polling(clock, options)
  let { cursor } = options
  checkNumbers(cursor)
  let tip: Summary | undefined
  /** The tip under which nothing was left to hand over. */
  let doneAt: string | undefined
  while (!signal?.aborted) {
    const change = await ask(async () => {
      tip ??= (await reads.summary(options)).value
      const highest = tip.blockchainLength - confirmations
      const next = tip.stateHash === doneAt ? undefined : await nextChange(reads, cursor, highest, tip, options)
      doneAt = next || (cursor && cursor.height < highest) ? undefined : tip.stateHash
      return next
    })
    if (change) {
      yield change
      cursor = change.cursor
    } else {
      tip = undefined
      await pause()
    }
  }
}

/** Hands over each change, and waits for the callback, whose errors end the watch. */
export async function watchBlocks(
  reads: BlockReads,
  onChange: (change: BlockChange) => unknown,
  clock: Clock,
  options: WatchBlocksOptions = {},
): Promise<void> {
  for await (const change of blockChanges(reads, clock, options)) await onChange(change)
}
