// Which command used a nonce, by blocks older than those in which the service looks for commands.
import { placeAt } from './answer-with-tip.ts'
import type { NotSent } from './broadcast.ts'
import type { ChainLabel } from './chain-label.ts'
import { type Clock, hourMs, minuteMs, type Pauses, pausesOf, type Rest, restOf } from './clock.ts'
import type { CallOptions, Reads } from './reads.ts'
import type { AnyCommand } from './schema.ts'
import { ServiceError } from './service-error.ts'
import { type CommandFacts, isSigned } from './signed-command.ts'
import type { Transaction } from './transaction.ts'

/** A state without the question that it answers. */
type Bare<State> = Omit<State, 'hash' | 'terms' | 'searched'>

/**
 * A command in a block of the best chain. Where the block is `final`, `confirmations` is a
 * lower bound, the network's k; a service of an earlier release leaves it out; `chainHash` is there where
 * the chain knows the command by another hash than the given one.
 */
export type Included = Bare<Extract<Transaction, { state: 'included' }>>

/**
 * Another command used its nonce. Its sender is yours, so **you signed it too**: compare `command` with what you wanted before
 * you sign another one.
 *
 * `by`, `block` and `command` are absent where older blocks show neither the command nor another one with its nonce: a zkApp
 * command of another sender has raised the nonce, or these blocks list no zkApp commands.
 */
export interface Replaced {
  readonly state: 'replaced'
  /** With `isNamed` the hash by which you know that command; otherwise the chain's, which your signer may never have made. */
  readonly by?: string | undefined
  /** With `isNamed`: the chain's hash of that command. */
  readonly chainHash?: string | undefined
  /**
   * True where it has the terms of a command that you named: one of `rivals`, or of the store. Absent, it says nothing: you may
   * have signed it in another program.
   */
  readonly isNamed?: true | undefined
  /** True, or absent: an indexer alone shows that command, and its hash of it can be wrong. */
  readonly hashFromIndexer?: boolean | undefined
  readonly command?: AnyCommand | undefined
  readonly block?: Included['block'] | undefined
  readonly confirmations: number
  /** True, or absent: no reorganisation can reach that block. */
  readonly final?: boolean | undefined
}

/** Under so many blocks an owner may sign again: under fewer a reorganisation may still let the old command be paid. */
export const minConfirmations = 15

/** A node of mainnet or devnet holds 291 blocks: as many as their k below its tip, and the tip. */
const maxBlocks = 300

/**
 * The result of reading older blocks for a nonce: the command that used it, `no command` where none did, `nothing` where they
 * prove nothing, or `changed` where a reorganisation came between two answers and a block may have been skipped.
 */
type Shown = Included | Replaced | 'no command' | 'nothing' | 'changed'

type Tip = Pick<ChainLabel, 'height' | 'stateHash'>

/** Blocks that were read, each the parent of the one before, from a tip down. */
interface Walk {
  readonly tip: Tip | undefined
  /** To be read next, and the block that stands there below that tip. */
  height: number
  parent: string | undefined
  /** That tip was so deep on the best chain that it is not asked for again: the node forgets it. */
  isSettled?: boolean
}

/** The client's knowledge of a command. It is kept between waits, since one may end before enough blocks are on top. */
export interface CommandMemory {
  /** What a search has found, and the block on which it rests: that of the command, or else the tip of the search. */
  known?: { readonly at: Tip; readonly shown: Included | Replaced } | undefined
  /**
   * Broken off by trouble, or where the service has no more blocks, and to be taken up: a node that fails now and then would
   * else never show hundreds of blocks.
   */
  walk?: Walk | undefined
  /** The latest search came to nothing; its answers contradicted each other. */
  isVain?: boolean | undefined
  isTorn?: boolean | undefined
  readonly rest: Rest
  /** After trouble: hundreds of blocks are not read again at once. */
  readonly pauses: Pauses
  /** Of the latest sending, where it failed. After a refusal the next one has to wait. */
  standing?: NotSent | undefined
  readonly sendPauses: Pauses
  /** It was in a block under as many others as its rivals need. Unless that is final, it counts only while the block stands. */
  settled?: Included
}

const maxMemories = 1000

/** @returns the memory of a command, by the question for it. Beyond a thousand the oldest is forgotten */
export function commandMemories(clock: Clock): (question: string) => CommandMemory {
  const memories = new Map<string, CommandMemory>()
  return (question) => {
    const memory = memories.get(question) ?? {
      rest: restOf(clock),
      pauses: pausesOf(clock),
      sendPauses: pausesOf(clock),
    }
    memories.delete(question)
    memories.set(question, memory)
    for (const oldest of memories.keys()) if (memories.size > maxMemories) memories.delete(oldest)
    return memory
  }
}

/** Blocks on top of one of the best chain, 0 at least, by the tip of the answer that shows it; undefined for any other block. */
export async function depthOf(
  { height, stateHash }: Tip,
  reads: Pick<Reads, 'block'>,
  options: CallOptions,
): Promise<number | undefined> {
  const place = await placeAt(height, reads.block(stateHash, options))
  return place.block?.canonical ? (place.depth() ?? 0) : undefined
}

/**
 * A command that no block holds is `replaced` only where that is proven: every block was read down to an earlier command of the
 * sender, to the tip at which it was first sent, or to the first one. No clock says how far to read.
 *
 * @param memory of earlier searches for the same command
 * Every depth is counted by the answer that shows the block: behind one address another daemon may have given the tip.
 *
 * @returns a search to call again until its result has enough confirmations. It is given the first height that the service has
 *   searched, the tip's height, and the tip. It says `nothing` where the service does not have the blocks, or where nothing
 *   proves that a command is another one, and then reads none for an hour; undefined where it has to be called again
 */
export function historySearch(
  sent: CommandFacts,
  reads: Pick<Reads, 'block' | 'blockAtHeight'>,
  memory: CommandMemory,
  { sentAtTip, ...options }: CallOptions & { readonly sentAtTip?: Tip | undefined },
): (
  hash: string,
  fromHeight: number,
  toHeight: number,
  tip: ChainLabel | undefined,
) => Promise<Included | Replaced | 'nothing' | undefined> {
  const { rest, pauses } = memory

  async function stands(walk: Walk | undefined): Promise<boolean> {
    if (!walk?.tip || walk.isSettled) return walk?.isSettled === true
    const depth = await depthOf(walk.tip, reads, options)
    walk.isSettled = depth !== undefined && depth >= minConfirmations
    return depth !== undefined
  }

  async function follow(walk: Walk, hash: string, toHeight: number): Promise<Shown> {
    const from = walk.tip?.height ?? toHeight
    for (; walk.height > 0; walk.height--) {
      const { height, parent } = walk
      if (from - height >= maxBlocks) return 'nothing'
      const shown = await placeAt(height, reads.blockAtHeight(height, options))
      const depth = shown.depth()
      const { block } = shown
      if (!block && depth === undefined) {
        throw new ServiceError(`no block at height ${height} yet`, { status: 503 })
      }
      if (!block) return 'nothing'
      const { stateHash, blockHeight, dateTime, transactions, protocolState } = block
      // Of another chain, whatever it holds.
      if (parent !== undefined && parent !== stateHash) return 'changed'
      const zkapps = transactions.zkappCommands?.filter(({ feePayer }) => feePayer.publicKey === sent.from) ?? []
      const commands = transactions.userCommands.filter(({ from }) => from === sent.from)
      const place = { block: { stateHash, blockHeight, dateTime }, confirmations: depth ?? 0 }
      const command = commands.find(({ nonce }) => nonce === sent.nonce)
      if (command) {
        const isKnown = command.hash === hash
        const isOwn = isKnown || isSigned(command, sent)
        if (isOwn === undefined) return 'nothing'
        const hashFromIndexer = isKnown || command.id !== undefined ? undefined : true
        if (!isOwn) return { state: 'replaced', ...place, by: command.hash, hashFromIndexer, command }
        const chainHash = isKnown ? undefined : command.hash
        const { status, failureReason } = command
        return { state: 'included', ...place, status, failureReason, command, chainHash, hashFromIndexer }
      }
      const zkapp = zkapps.find(({ nonce }) => nonce === sent.nonce)
      if (zkapp) return { state: 'replaced', ...place, by: zkapp.hash, command: zkapp }
      walk.parent = protocolState.previousStateHash
      const isEarlier = [...commands, ...zkapps].some(({ nonce }) => nonce < sent.nonce)
      if (isEarlier || stateHash === sentAtTip?.stateHash) return 'no command'
      pauses.end()
    }
    return 'no command'
  }

  return async (hash, fromHeight, toHeight, tip) => {
    const { known } = memory
    const confirmations = known && (await depthOf(known.at, reads, options))
    if (known && confirmations !== undefined) return { ...known.shown, confirmations }
    memory.known = undefined
    if (!rest.isOver() || !pauses.isOver()) return memory.isVain ? 'nothing' : undefined
    pauses.begin()
    // It begins at the tip, though the service has searched the latest blocks: only parents link the older ones to that tip,
    // which an indexer on a dead branch, or another node, may show of another chain.
    // One that found no older block goes on where it ended: a search of an hour later need not read hundreds of them anew.
    if (memory.isVain && !(await stands(memory.walk))) memory.walk = undefined
    memory.walk ??= { tip, height: tip?.height ?? toHeight, parent: tip?.stateHash }
    const { walk } = memory
    const isSentSince =
      sentAtTip && sentAtTip.height >= fromHeight && (await depthOf(sentAtTip, reads, options)) !== undefined
    const shown = isSentSince ? 'no command' : await follow(walk, hash, toHeight)
    if (shown === 'no command') {
      memory.known = walk.tip && { at: walk.tip, shown: { state: 'replaced', confirmations: 0 } }
    } else if (typeof shown === 'object' && shown.block) {
      memory.known = { at: { height: shown.block.blockHeight, stateHash: shown.block.stateHash }, shown }
    }
    pauses.end()
    if (shown !== 'nothing') memory.walk = undefined
    // Blocks that do not fit together twice are not a reorganisation.
    memory.isVain = shown === 'nothing' || (shown === 'changed' && memory.isTorn)
    memory.isTorn = shown === 'changed'
    rest.begin(memory.isVain ? hourMs : memory.isTorn ? minuteMs : 0)
    return memory.isVain ? 'nothing' : memory.known?.shown
  }
}
