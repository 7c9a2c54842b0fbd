// Finds out whether a command was included, superseded or expired.
import type { Clock } from './clock.ts'
import { isOwnCommand } from './own-command.ts'
import type { Labelled, Reads } from './reads.ts'
import type { Block, UserCommand } from './schema.ts'
import type { CommandFacts } from './signed-command.ts'
import { type PollOptions, pauseAfter } from './watch-tip.ts'

/** The outcome of a broadcast gives the first two: `{ ...outcome, depth: 3 }`. */
export interface InclusionOptions extends PollOptions {
  /** Hash of the command. Without it the command is recognised by its fields. */
  readonly hash?: string | undefined
  /** When it was first sent, ms since 1970: blocks more than an hour older are not searched. */
  readonly sentAtMs?: number | undefined
  /** Blocks that must be on top of the command's block before it counts as included; 0 by default. */
  readonly depth?: number | undefined
  /** Blocks that must follow before a command counts as superseded or expired; 15 by default. */
  readonly confirmations?: number | undefined
  /** Time to wait, an hour by default. */
  readonly patienceMs?: number | undefined
}

export type Inclusion =
  /** A block of the best chain holds it, below `confirmations` others. With a `failureReason` only its fee was paid. */
  | {
      readonly state: 'included'
      readonly command: UserCommand
      readonly confirmations: number
      readonly failureReason?: string | undefined
    }
  /** Another command used its nonce, so no later block can hold it. `by` is absent if that was a zkApp command. */
  | { readonly state: 'superseded'; readonly by?: UserCommand | undefined }
  /** Its last slot has passed. */
  | { readonly state: 'expired' }
  | { readonly state: 'undecided'; readonly because: Undecided }

/** `history-missing`: its nonce is used, and the service does not hold the blocks in which that happened. */
type Undecided = 'not-included' | 'unconfirmed' | 'history-missing' | 'no-answer'

/** The part of a block that concerns the sender. */
interface Seen {
  readonly stateHash: string
  readonly previousStateHash: string
  readonly height: number
  readonly slot: number
  readonly atMs: number
  readonly commands: readonly UserCommand[]
}

const clockMarginMs = 3_600_000

/** A node holds about as many blocks. */
const maxWalk = 300

const undecided = (because: Undecided): Inclusion => ({ state: 'undecided', because })
const unconfirmed = undecided('unconfirmed')

/** Undefined after a 404. */
const found = <Value>(reading: Promise<Labelled<Value>>): Promise<Labelled<Value> | undefined> =>
  reading.catch((error) => {
    if (Object(error).status === 404) return undefined
    throw error
  })

/** Follows the sender's nonce, and the chain from its tip back wherever that is used, until the state is certain. */
export async function waitForInclusion(
  sent: CommandFacts,
  reads: Pick<Reads, 'account' | 'block' | 'summary'>,
  clock: Clock,
  options: InclusionOptions = {},
): Promise<Inclusion> {
  const { hash, sentAtMs = 0, depth = 0, confirmations = 15 } = options
  const { patienceMs = 3_600_000, pollMs = 10_000, signal } = options
  const seen = new Map<string, Seen>()
  /** The tip under which the nonce was first seen used. */
  let usedAt: Seen | undefined

  async function* chainFrom(tip: string): AsyncGenerator<Seen, void, undefined> {
    for (let stateHash = tip; ; ) {
      const block = seen.get(stateHash) ?? seenIn(await found(reads.block(stateHash, options)), sent.from)
      if (block === undefined) return
      seen.set(stateHash, block)
      yield block
      stateHash = block.previousStateHash
    }
  }

  async function judge(): Promise<Inclusion> {
    const account = await found(reads.account(sent.from, options))
    const tipHash = account?.chain?.stateHash ?? (await reads.summary(options)).value.stateHash
    const isUsed = (account?.value.nonce ?? 0) > sent.nonce
    let tip: Seen | undefined
    let isSameChain = false
    for await (const block of chainFrom(tipHash)) {
      tip ??= block
      const onTop = tip.height - block.height
      if (!isUsed) {
        if (block.slot <= sent.validUntil) return onTop ? unconfirmed : undecided('not-included')
        if (onTop >= confirmations) return { state: 'expired' }
        continue
      }
      usedAt ??= tip
      isSameChain ||= block.stateHash === usedAt.stateHash
      const command = block.commands.find(({ nonce }) => nonce === sent.nonce)
      if (command !== undefined) {
        const isOwn = isOwnCommand(command, sent, hash)
        if (onTop < (isOwn ? depth : confirmations)) return unconfirmed
        return isOwn
          ? { state: 'included', command, confirmations: onTop, failureReason: command.failureReason }
          : { state: 'superseded', by: command }
      }
      // Compares durations, since this machine's clock may be wrong; it may even have been set back.
      const passedMs = clock.now() - sentAtMs
      const isOlder = passedMs >= 0 && block.atMs < tip.atMs - passedMs - clockMarginMs
      const isBeforeSending = isOlder || block.commands.some(({ nonce }) => nonce < sent.nonce)
      if (isBeforeSending || block.height <= 1) {
        // A fork may have used the nonce later.
        if (!isSameChain) usedAt = tip
        return tip.height - usedAt.height < confirmations ? unconfirmed : { state: 'superseded' }
      }
      if (onTop >= maxWalk) break
    }
    return undecided('history-missing')
  }

  const giveUpAt = clock.now() + patienceMs
  let state = undecided('no-answer')
  for (let pauseMs = pollMs; ; ) {
    try {
      state = await judge()
      if (state.state !== 'undecided') return state
      pauseMs = pollMs
    } catch (error) {
      pauseMs = pauseAfter(error, pauseMs, signal)
    }
    if (clock.now() + pauseMs > giveUpAt) return state
    await clock.wait(pauseMs, signal)
  }
}

const seenIn = (read: Labelled<Block> | undefined, sender: string): Seen | undefined =>
  read && {
    stateHash: read.value.stateHash,
    previousStateHash: read.value.protocolState.previousStateHash,
    height: read.value.blockHeight,
    slot: read.value.protocolState.consensusState.slotSinceGenesis,
    atMs: Date.parse(read.value.dateTime),
    commands: read.value.transactions.userCommands.filter(({ from }) => from === sender),
  }
