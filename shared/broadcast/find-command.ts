// Whether a node holds a command: its sender's pool and the latest blocks of the best chain, in one question.

import { searchedBlocks } from '../agreements/limits.ts'
import { expiringCommand, type NodeCommand } from '../mapping/command.ts'
import { memberOf } from '../mapping/json.ts'
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import type { CallLimits, QueryUpstream } from '../upstream/query.ts'
import { dataOf, nonEmptyChain } from '../upstream/reply.ts'
import { called, count, hash, instant, listOf, nullable, shape, text, type Wire } from '../upstream/wire.ts'
import { type CommandKind, isSameCommand, type SignedCommand } from './signed-command.ts'

const searchedBlock = shape({
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count }),
  }),
  stateHash: hash,
  transactions: shape({ userCommands: listOf(expiringCommand) }),
})

export const findCommandQuery = nodeQuery('findCommand', '$publicKey: PublicKey!', {
  pooledUserCommands: called(
    'pooledUserCommands(publicKey: $publicKey)',
    listOf(expiringCommand),
    (commands, { publicKey }) => commands.every(({ from }) => from === publicKey),
  ),
  bestChain: called(`bestChain(maxLength: ${searchedBlocks})`, nullable(listOf(searchedBlock))),
  account: called(
    'account(publicKey: $publicKey)',
    nullable(shape({ nonce: count, publicKey: text })),
    (account, { publicKey }) => account === null || account.publicKey === publicKey,
  ),
})

/** What the node says of a command. */
export type Sighting =
  | { readonly state: 'held'; readonly command: NodeCommand }
  | {
      readonly state: 'not-held'
      /** The ledger is past the command's nonce: a command with that nonce was included before. */
      readonly nonceIsUsed: boolean
      /** How deep the block lies that holds a rival, another command of the sender with that nonce; the tip is at 0. */
      readonly takenAtDepth: number | undefined
      /** A rival waits in the pool; other nodes may not have heard of it yet. */
      readonly nonceIsQueued: boolean
      /** The ledger has an account of the sender. */
      readonly senderIsKnown: boolean
      /** Height of the node's best tip. */
      readonly height: number
    }
  | {
      readonly state: 'unanswered'
      readonly reason: string
      /** There was no connection to the node. */
      readonly isUnsent?: boolean
    }

const listIn = (value: unknown, key: string): readonly unknown[] => {
  const list = memberOf(value, key)
  return Array.isArray(list) ? list : []
}

/** Each command in pool and blocks that can be read, even from a partial answer: what a node shows, it holds. */
const shownCommands = (data: unknown): readonly Wire<typeof expiringCommand>[] =>
  [
    ...listIn(data, 'pooledUserCommands'),
    ...listIn(data, 'bestChain').flatMap((block) => listIn(memberOf(block, 'transactions'), 'userCommands')),
  ].flatMap((shown) => {
    try {
      return [expiringCommand.read(shown, 'command')]
    } catch {
      return []
    }
  })

/**
 * Looks for a command once. It is held if any part of the answer shows it; only a whole answer proves that it is not.
 * Upstream trouble comes back as a value.
 */
export async function findCommand(
  command: SignedCommand,
  kind: CommandKind,
  query: QueryUpstream,
  limits: CallLimits,
): Promise<Sighting> {
  try {
    const asked = { publicKey: command.from }
    const reply = await query(findCommandQuery, asked, limits)
    const found = shownCommands(reply.data).find(
      (shown) => isSameCommand(shown, command, kind) && String(shown.validUntil) === command.validUntil,
    )
    if (found !== undefined) return { state: 'held', command: found }
    const { pooledUserCommands, bestChain, account } = dataOf(findCommandQuery, asked, reply)
    const blocks = nonEmptyChain(bestChain)
    const { protocolState } = blocks[blocks.length - 1] ?? blocks[0]
    const isRival = ({ from, nonce }: NodeCommand) => from === command.from && String(nonce) === command.nonce
    const takenAt = blocks.findIndex(({ transactions }) => transactions.userCommands.some(isRival))
    return {
      state: 'not-held',
      nonceIsUsed: BigInt(command.nonce) < BigInt(account?.nonce ?? 0),
      senderIsKnown: account !== null,
      nonceIsQueued: pooledUserCommands.some(isRival),
      takenAtDepth: takenAt === -1 ? undefined : blocks.length - 1 - takenAt,
      height: protocolState.consensusState.blockHeight,
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { state: 'unanswered', reason: error.message, isUnsent: error.isUnsent }
  }
}
