// A user command (payment or stake delegation) as the node reports it, and its two forms in the contract: numbers inside
// a block, strings in the answer to a broadcast.

import type { BroadcastResultCommand } from '../contract/command.ts'
import type { UserCommand } from '../contract/user-command.ts'
import type { Exact } from '../json.ts'
import { jsonInteger, tokenNumber } from './units.ts'
import { count, flag, hash, nanomina, shape, text, type Wire } from './wire.ts'

const tokenAccount = shape({ publicKey: text, token: text })

const commandFields = {
  amount: nanomina,
  fee: nanomina,
  feePayer: tokenAccount,
  feeToken: text,
  from: text,
  fromAccount: tokenAccount,
  hash,
  id: text,
  isDelegation: flag,
  kind: text,
  memo: text,
  nonce: count,
  receiver: tokenAccount,
  source: tokenAccount,
  to: text,
  token: text,
  toAccount: tokenAccount,
}

/** Every field that the contract shows of a command, and no other: an unknown field would spoil a sent mutation. */
export const nodeCommand = shape(commandFields)

export type NodeCommand = Wire<typeof nodeCommand>

/** The same with its expiry: all that its signature covers. */
export const expiringCommand = shape({ ...commandFields, validUntil: count })

const tokenAccountFromNode = ({ publicKey, token }: Wire<typeof tokenAccount>) => ({
  publicKey,
  token: tokenNumber(token),
})

/**
 * The result of a broadcast (contract: Broadcast result command).
 *
 * @returns amounts in nanomina as text, token ids as the node reports them
 */
export const broadcastResultFromNode = (command: NodeCommand): Exact<BroadcastResultCommand> => ({
  amount: String(command.amount),
  fee: String(command.fee),
  feePayer: command.feePayer,
  feeToken: command.feeToken,
  from: command.from,
  fromAccount: command.fromAccount,
  hash: command.hash,
  id: command.id,
  isDelegation: command.isDelegation,
  kind: command.kind,
  memo: command.memo,
  nonce: command.nonce,
  receiver: command.receiver,
  source: command.source,
  to: command.to,
  token: command.token,
  toAccount: command.toAccount,
})

/**
 * A command that is in no block yet (contract: UserCommand less the three fields of its block).
 *
 * @returns amounts in nanomina as numbers, 1 for the MINA token
 * @throws WireError for another token than MINA
 */
export const pendingCommandFromNode = (command: NodeCommand) => ({
  amount: jsonInteger(command.amount),
  fee: jsonInteger(command.fee),
  feePayer: tokenAccountFromNode(command.feePayer),
  feeToken: tokenNumber(command.feeToken),
  from: command.from,
  fromAccount: tokenAccountFromNode(command.fromAccount),
  hash: command.hash,
  id: command.id,
  isDelegation: command.isDelegation,
  kind: command.kind,
  memo: command.memo,
  nonce: command.nonce,
  receiver: { publicKey: command.receiver.publicKey },
  source: { publicKey: command.source.publicKey },
  to: command.to,
  toAccount: tokenAccountFromNode(command.toAccount),
  token: tokenNumber(command.token),
})

/** What a command or a SNARK job shows of the block that holds it. */
export interface EnclosingBlock {
  readonly blockHeight: number
  readonly blockStateHash: string
  /** ISO-8601 */
  readonly dateTime: string
}

/**
 * A command of a block (contract: UserCommand).
 *
 * @throws WireError for another token than MINA
 */
export const userCommandFromNode = (command: NodeCommand, block: EnclosingBlock): Exact<UserCommand> => ({
  ...block,
  ...pendingCommandFromNode(command),
})
