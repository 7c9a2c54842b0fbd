// The commands that a node shows: those of its pool, and those in the latest blocks of its best chain. Whoever asks for the
// outcome of a broadcast, or later for the fate of a command, judges by them.
import { type ShownCommand, shownCommand } from '../../mapping/command.ts'
import { failureOfZkapp, zkappCommand } from '../../mapping/zkapp-command.ts'
import { nonEmptyChain } from '../../upstream/node-query.ts'
import { called, count, hash, instant, listOf, nullable, shape, text, type Wire } from '../../upstream/wire.ts'

/** Blocks of the best chain that are searched for a command: ten to thirty minutes of them. */
const searchedBlocks = 20

export const blockCommands = shape({ userCommands: listOf(shownCommand), zkappCommands: listOf(zkappCommand) })

const searchedBlock = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count, slotSinceGenesis: count }),
  }),
  stateHash: hash,
  transactions: blockCommands,
})

const zkappsOf = listOf(zkappCommand)
const feePayerOf = ({ zkappCommand: { feePayer } }: Wire<typeof zkappCommand>) => feePayer.body.publicKey

const heightOf = ({ protocolState }: Wire<typeof searchedBlock>) => protocolState.consensusState.blockHeight

/** The latest blocks of the best chain, without a gap: their places tell the confirmations of each. */
export const recentChain = {
  bestChain: called(
    `bestChain(maxLength: ${searchedBlocks})`,
    nullable(listOf(searchedBlock)),
    (blocks) =>
      blocks === null ||
      (blocks.length <= searchedBlocks &&
        blocks.every((block, index) => heightOf(block) === heightOf(blocks[0] ?? block) + index)),
  ),
}

/** Pool and account of the sender in the variable `publicKey`. */
export const senderFields = {
  pooledUserCommands: called(
    'pooledUserCommands(publicKey: $publicKey)',
    listOf(shownCommand),
    (commands, { publicKey }) => commands.every(({ from }) => from === publicKey),
  ),
  pooledZkappCommands: called('pooledZkappCommands(publicKey: $publicKey)', zkappsOf, (commands, { publicKey }) =>
    commands.every((command) => feePayerOf(command) === publicKey),
  ),
  account: called(
    'account(publicKey: $publicKey)',
    nullable(shape({ nonce: count, publicKey: text })),
    (account, { publicKey }) => account === null || account.publicKey === publicKey,
  ),
}

/** The pool's command with the hash in the variable `hash`. */
export const hashFields = {
  userCommandsByHash: called('pooledUserCommands(hashes: [$hash])', listOf(shownCommand), (commands, asked) =>
    commands.every((command) => command.hash === asked.hash),
  ),
  zkappCommandsByHash: called('pooledZkappCommands(hashes: [$hash])', zkappsOf, (commands, asked) =>
    commands.every((command) => command.hash === asked.hash),
  ),
}

/** A command of any kind, by what identifies it. */
export interface Shown {
  readonly hash: string
  /** The public key that pays its fee, and whose nonce it uses. */
  readonly from: string
  readonly nonce: number
  readonly failureReason: string | null
  /** Undefined for a zkApp command. */
  readonly command: ShownCommand | undefined
}

const userShown = (command: ShownCommand): Shown => ({ ...command, command })

const zkappShown = (command: Wire<typeof zkappCommand>): Shown => ({
  hash: command.hash,
  from: feePayerOf(command),
  nonce: command.zkappCommand.feePayer.body.nonce,
  failureReason: failureOfZkapp(command),
  command: undefined,
})

export const shownIn = ({ userCommands, zkappCommands }: Wire<typeof blockCommands>): readonly Shown[] => [
  ...userCommands.map(userShown),
  ...zkappCommands.map(zkappShown),
]

/** A block of the best chain and its commands. */
export interface RecentBlock {
  readonly stateHash: string
  readonly height: number
  /** Since the first genesis, as a command's `validUntil` counts. */
  readonly slot: number
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly commands: readonly Shown[]
}

/** The commands that one answer shows. */
export interface Recent {
  /** The tip last. */
  readonly blocks: readonly [...RecentBlock[], RecentBlock]
  readonly pooled: readonly Shown[]
}

type Fields = typeof senderFields & typeof hashFields

/** The pools in an answer. */
export type PoolData = { readonly [Key in Exclude<keyof Fields, 'account'>]?: Wire<Fields[Key]> }

/** The data of an answer with blocks and pools. */
export type RecentData = { readonly bestChain: Wire<typeof recentChain.bestChain> } & PoolData

const blockOf = ({ protocolState, stateHash, transactions }: Wire<typeof searchedBlock>): RecentBlock => ({
  stateHash,
  height: protocolState.consensusState.blockHeight,
  slot: protocolState.consensusState.slotSinceGenesis,
  atMs: protocolState.blockchainState.date,
  commands: shownIn(transactions),
})

/** The commands that wait in the pools of an answer. */
export function pooledIn(data: PoolData): readonly Shown[] {
  const userCommands = [...(data.userCommandsByHash ?? []), ...(data.pooledUserCommands ?? [])]
  const zkappCommands = [...(data.zkappCommandsByHash ?? []), ...(data.pooledZkappCommands ?? [])]
  return shownIn({ userCommands, zkappCommands })
}

/** @throws WireError `busy` for an answer without a block */
export function recentOf(data: RecentData): Recent {
  const chain = nonEmptyChain(data.bestChain)
  const blocks = chain.map(blockOf) as [...RecentBlock[], RecentBlock]
  return { blocks, pooled: pooledIn(data) }
}

/** A block of the best chain with one of its commands. */
export interface Inclusion {
  readonly block: Pick<RecentBlock, 'stateHash' | 'height' | 'atMs'>
  readonly shown: Shown
  /** Blocks on top of it; 0 at the tip. */
  readonly depth: number
}

/** The newest block with a command that fits. */
export function includedIn({ blocks }: Pick<Recent, 'blocks'>, fits: (shown: Shown) => boolean): Inclusion | undefined {
  for (const [depth, block] of blocks.toReversed().entries()) {
    const shown = block.commands.find(fits)
    if (shown !== undefined) return { block, shown, depth }
  }
  return undefined
}

/** True of every command that uses the nonce of the sender. */
export const usesNonce =
  (from: string, nonce: string) =>
  (shown: Pick<Shown, 'from' | 'nonce'>): boolean =>
    shown.from === from && String(shown.nonce) === nonce
