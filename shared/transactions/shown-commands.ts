// The commands among which a question for a fate searches: those of a node's pool and of its latest blocks.
import {
  type FoundIn,
  newestChain,
  pooledUserCommands,
  pooledZkappCommands,
  senderAccount,
} from '../chain/actions/recent-commands.ts'
import { ledgerNoncesIn, type ShownCommand, shownCommand, shownInPool } from '../mapping/command.ts'
import { payerOf } from '../mapping/paid-zkapp.ts'
import { failureOfZkapp, type NodeZkappCommand, nodeZkappCommand } from '../mapping/zkapp-command.ts'
import { nonEmptyChain } from '../upstream/node-query.ts'
import { called, count, hash, instant, listOf, shape, type Wire } from '../upstream/wire.ts'

export const blockCommands = shape({ userCommands: listOf(shownCommand), zkappCommands: listOf(nodeZkappCommand) })

const searchedBlock = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count, slotSinceGenesis: count }),
  }),
  stateHash: hash,
  transactions: blockCommands,
})

export const recentChain = { bestChain: newestChain(searchedBlock) }

/** Pool and account of the sender in the variable `publicKey`. */
export const senderFields = {
  pooledUserCommands: pooledUserCommands(shownInPool),
  pooledZkappCommands: pooledZkappCommands(nodeZkappCommand),
  account: senderAccount,
}

/** The pool's command with the hash in the variable `hash`. */
export const hashFields = {
  userCommandsByHash: called('pooledUserCommands(hashes: [$hash])', listOf(shownInPool), (commands, asked) =>
    commands.every((command) => command.hash === asked.hash),
  ),
  zkappCommandsByHash: called('pooledZkappCommands(hashes: [$hash])', listOf(nodeZkappCommand), (commands, asked) =>
    commands.every((command) => command.hash === asked.hash),
  ),
}

/** A command of any kind, by what identifies it. */
export interface CommandInBlock {
  readonly hash: string
  /** The public key that pays its fee, and whose nonce it uses. */
  readonly from: string
  readonly nonce: number
  readonly failureReason: string | null
  /** Undefined for a zkApp command. */
  readonly command: ShownCommand | undefined
  /** Undefined for a payment or delegation. */
  readonly zkapp: NodeZkappCommand | undefined
}

const userShown = (command: ShownCommand): CommandInBlock => ({ ...command, command, zkapp: undefined })

const zkappShown = (command: NodeZkappCommand): CommandInBlock => ({
  hash: command.hash,
  ...payerOf(command),
  failureReason: failureOfZkapp(command),
  command: undefined,
  zkapp: command,
})

export const shownIn = ({ userCommands, zkappCommands }: Wire<typeof blockCommands>): readonly CommandInBlock[] => [
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
  readonly commands: readonly CommandInBlock[]
}

/** The commands that one answer shows. */
export interface Recent {
  /** The tip last. */
  readonly blocks: readonly [...RecentBlock[], RecentBlock]
  readonly pooled: readonly CommandInBlock[]
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

/** The nonces in the ledger that the commands in the pools of an answer show of their senders. */
export function poolNoncesIn(data: PoolData): ReadonlyMap<string, number> {
  return ledgerNoncesIn([...(data.userCommandsByHash ?? []), ...(data.pooledUserCommands ?? [])])
}

export function pooledIn(data: PoolData): readonly CommandInBlock[] {
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

/**
 * Joins blocks that were read again after the tip moved to an earlier answer that has one of them.
 *
 * @returns undefined if no earlier answer does
 */
export function joinedTo(earlier: readonly Recent['blocks'][], newest: Recent['blocks']): Recent['blocks'] | undefined {
  for (const [index, { stateHash }] of newest.entries()) {
    for (const blocks of earlier) {
      const meeting = blocks.findIndex((block) => block.stateHash === stateHash)
      if (meeting !== -1)
        return [...blocks.slice(0, meeting), ...newest.slice(index)] as [...RecentBlock[], RecentBlock]
    }
  }
  return undefined
}

/** A block of the best chain with one of its commands. */
export type Inclusion = FoundIn<Pick<RecentBlock, 'stateHash' | 'height' | 'atMs'>, CommandInBlock>
