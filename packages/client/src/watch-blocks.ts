// The best chain block by block, without a gap, from a cursor that the caller keeps.
import { placeAt } from './answer-with-tip.ts'
import { type Clock, minuteMs } from './clock.ts'
import { checkNumbers } from './numbers.ts'
import { type PollOptions, polling } from './polling.ts'
import { type CallOptions, type Reads, unless404 } from './reads.ts'
import type { Block, Summary } from './schema.ts'
import type { Slots } from './slots.ts'

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

export type BlockReads = Pick<Reads, 'block' | 'blockAtHeight' | 'network' | 'summary'>

/** k of mainnet and devnet: no reorganisation there goes deeper. One that does, on another network, needs an older cursor. */
const maxBelow = 290

/** So near the tip a node that lags may not have a block yet. */
const maxLagBlocks = 30

/**
 * So often a question is put again at once where the tip of its answer is too low, after each pause and for each block that was
 * taken: of two daemons behind one address one may stand still, and the next answer comes from the other.
 */
const againAtOnce = 3

/** Blocks that were taken leave so many at most. */
const maxAgain = 30

/** So often a block is asked for under one tip: longer than the minute for which a cache keeps that of a daemon that stopped. */
const maxLooks = 15

/** @returns the state hash that a cursor has at a height; undefined where it does not know it */
const hashAt = ({ height, stateHash, below = [] }: Cursor, at: number): string | undefined =>
  [stateHash, ...below][height - at]

/** What the looks of one watch share. */
interface Look extends CallOptions {
  readonly reads: BlockReads
  readonly confirmations: number
  /** Where to look, and nothing else: no depth is counted from it. */
  readonly tip: Summary
  /** True for as long as a question may be put again at once. */
  readonly mayAskAgain: () => boolean
}

/**
 * What stands at a height under enough others.
 *
 * @returns undefined where the tips of all answers were too low to say so
 * @throws ServiceError with 404 for a height that the service no longer has, and that is not near the tip
 */
async function deepAt(height: number, look: Look): Promise<{ readonly block: Block | undefined } | undefined> {
  const { reads, confirmations, mayAskAgain } = look
  do {
    const place = await placeAt(height, reads.blockAtHeight(height, look))
    const depth = place.depth(confirmations)
    if (depth === undefined) continue
    if (place.absent && depth >= maxLagBlocks) throw place.absent
    return { block: place.block }
  } while (mayAskAgain())
  return undefined
}

/**
 * True where the network's present chain begins with another block than the one that the cursor has there. No depth is needed:
 * a hard fork has decided for that block, and a state hash names the same one in every answer.
 */
async function isForkedAway(cursor: Cursor, { reads, ...call }: Look): Promise<boolean> {
  const { genesisStateHash } = (await reads.network(call)).value
  const genesis = await unless404(reads.block(genesisStateHash, call))
  const own = genesis && hashAt(cursor, genesis.blockHeight)
  return own !== undefined && own !== genesisStateHash
}

/** @throws Error where neither the cursor nor the service knows the parent */
async function lost({ height, stateHash, below }: Cursor, { reads, ...call }: Look): Promise<BlockChange> {
  const block = await unless404(reads.block(stateHash, call))
  const [parent = block?.protocolState.previousStateHash, ...rest] = below ?? []
  if (parent === undefined) {
    throw new Error(`no node holds block ${stateHash}: give an older cursor`)
  }
  return { state: 'orphaned', height, stateHash, block, cursor: { height: height - 1, stateHash: parent, below: rest } }
}

/**
 * The next step above a cursor.
 *
 * @returns `none` without a next step under this tip; undefined where the tips of answers were too low to say, or answers disagree,
 *   as those of an older and a newer cache may
 */
async function nextChange(cursor: Cursor | undefined, look: Look): Promise<BlockChange | 'none' | undefined> {
  const highest = look.tip.blockchainLength - look.confirmations
  const height = cursor ? cursor.height + 1 : highest
  const isDue = height > 0 && height <= highest
  if (isDue) {
    const place = await deepAt(height, look)
    const block = place?.block
    if (block && (!cursor || block.protocolState.previousStateHash === cursor.stateHash)) {
      const below = cursor ? [cursor.stateHash, ...(cursor.below ?? [])].slice(0, maxBelow) : []
      return { state: 'added', block, cursor: { height, stateHash: block.stateHash, below } }
    }
    if (!place) return undefined
  }
  const otherwise = isDue ? undefined : 'none'
  if (!cursor) return otherwise
  // Below its height another block proves nothing: a node that lags may be on orphans there. Only a hard fork lowers the tip.
  if (highest < cursor.height) return (await isForkedAway(cursor, look)) ? lost(cursor, look) : otherwise
  const place = await deepAt(cursor.height, look)
  if (!place) return undefined
  return place.block && place.block.stateHash !== cursor.stateHash ? lost(cursor, look) : otherwise
}

/**
 * Each block of the best chain once, in the order of heights, and each that a reorganisation has taken off it, the highest first.
 * The next one is looked for when the one before was taken, and none is skipped, however long that takes.
 *
 * A block is taken, and a loss believed, by the tip of the answer that shows it. One whose tip is too low is asked for again: at
 * once three times, then at the next poll, or a minute later where polls are rarer, and by itself: where two daemons answer in turn,
 * and a cache answers the questions that are put again at once, the one after a question for the tip would always come to the daemon
 * that stands still.
 *
 * @returns when the signal is aborted
 * @throws what the callback for trouble throws; ServiceError where the service itself refuses a question, such as 404 for a
 *   height that it no longer has; Error where a lost block has no known parent
 */
export async function* blockChanges(
  reads: BlockReads,
  clock: Clock,
  slots: Slots,
  options: WatchBlocksOptions = {},
): AsyncGenerator<BlockChange, void, undefined> {
  const { confirmations = 0, signal } = options
  const { ask, pause } = polling(clock, slots, options)
  let { cursor } = options
  checkNumbers(cursor)
  let tip: Summary | undefined
  /** At a block that is due under that tip, as far as answers go. */
  let looks = 0
  /** The tip under which nothing was left to hand over. */
  let doneAt: string | undefined
  /** Of the highest tip, as far as it is known: that of a lower one may stand still. */
  let highest = cursor ? cursor.height + confirmations : 0
  let leftAgain = againAtOnce
  const mayAskAgain = () => leftAgain-- > 0

  async function newestTip(): Promise<Summary> {
    let newest: Summary
    do newest = (await reads.summary(options)).value
    while (newest.blockchainLength < highest && mayAskAgain())
    highest = newest.blockchainLength
    return newest
  }

  while (!signal?.aborted) {
    const change = await ask(async () => {
      tip ??= await newestTip()
      if (tip.stateHash === doneAt) return undefined
      const next = await nextChange(cursor, { reads, confirmations, tip, mayAskAgain, signal })
      looks = next ? 0 : looks + 1
      const change = next === 'none' ? undefined : next
      const isLast = change?.state === 'added' && change.cursor.height === tip.blockchainLength - confirmations
      doneAt = next === 'none' || isLast ? tip.stateHash : undefined
      return change
    })
    if (change) {
      yield change
      cursor = change.cursor
      leftAgain = Math.min(Math.max(0, leftAgain) + againAtOnce, maxAgain)
    } else {
      if (looks % maxLooks === 0) tip = undefined
      await pause(tip && 0, tip && minuteMs)
      leftAgain = againAtOnce
    }
  }
}

/** Hands over each change, and waits for the callback, whose errors end the watch. */
export async function watchBlocks(
  reads: BlockReads,
  onChange: (change: BlockChange) => unknown,
  clock: Clock,
  slots: Slots,
  options: WatchBlocksOptions = {},
): Promise<void> {
  for await (const change of blockChanges(reads, clock, slots, options)) await onChange(change)
}
