// Whether a node holds a command: its sender's pool and the latest blocks of the best chain, in one question.
import type { Ask } from './endpoint.ts'
import { WireError } from './errors.ts'
import { type NodeCommand, nodeCommand } from './mapping/command.ts'
import { memoFromText } from './mapping/memo.ts'
import type { SignedCommand } from './mapping/signed-command.ts'
import { called, count, listOf, nullable, operation, shape } from './mapping/wire.ts'
import { dataOf, listed } from './reply.ts'

/** Some ten to thirty minutes of blocks. */
const latestBlocks = 20

export const findCommand = operation(
  'node',
  'query',
  'findCommand',
  '$publicKey: PublicKey!',
  shape({
    pooledUserCommands: called('pooledUserCommands(publicKey: $publicKey)', listOf(nodeCommand)),
    bestChain: called(
      `bestChain(maxLength: ${latestBlocks})`,
      nullable(listOf(shape({ transactions: shape({ userCommands: listOf(nodeCommand) }) }))),
    ),
    account: called('account(publicKey: $publicKey)', nullable(shape({ nonce: nullable(count) }))),
  }),
)

export type CommandKind = 'payment' | 'delegation'

/** What the node says of a command. */
export type Sighting =
  | { readonly state: 'held'; readonly command: NodeCommand }
  | {
      readonly state: 'not-held'
      /** The ledger is past the command's nonce: a command with that nonce was included before. */
      readonly nonceIsUsed: boolean
      /** Another command with that nonce waits in the pool; other nodes may not have heard of it yet. */
      readonly nonceIsQueued: boolean
      /** The ledger has an account of the sender. */
      readonly senderIsKnown: boolean
    }
  | { readonly state: 'unanswered'; readonly reason: string }

/** Whether a node's command is the one that was signed: everything that the signature covers but the expiry. */
export const isSameCommand = (found: NodeCommand, command: SignedCommand, kind: CommandKind): boolean =>
  found.from === command.from &&
  found.to === command.to &&
  found.fee === BigInt(command.fee) &&
  found.amount === BigInt(command.amount ?? 0) &&
  String(found.nonce) === command.nonce &&
  found.kind === (kind === 'payment' ? 'PAYMENT' : 'STAKE_DELEGATION') &&
  found.memo === memoFromText(command.memo)

/** Looks for a command once. An upstream's trouble comes back as a value. */
export async function lookForCommand(command: SignedCommand, kind: CommandKind, ask: Ask): Promise<Sighting> {
  try {
    const reply = await ask(findCommand, { publicKey: command.from })
    const { pooledUserCommands, bestChain, account } = dataOf(findCommand, reply)
    const included = listed(bestChain).flatMap(({ transactions }) => transactions.userCommands)
    const found = [...pooledUserCommands, ...included].find((candidate) => isSameCommand(candidate, command, kind))
    if (found !== undefined) return { state: 'held', command: found }
    return {
      state: 'not-held',
      nonceIsUsed: BigInt(command.nonce) < BigInt(account?.nonce ?? 0),
      senderIsKnown: account !== null,
      nonceIsQueued: pooledUserCommands.some(({ nonce }) => String(nonce) === command.nonce),
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { state: 'unanswered', reason: error.message }
  }
}
