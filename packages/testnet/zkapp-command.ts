// A zkApp command: a fee payer and account updates that change balances. Neither its proofs nor its code are simulated.
import type { Command } from './command.ts'
import { neverExpires } from './command.ts'
import { zkappCommandHash } from './hashes.ts'

/** A token id of MINA itself. Every other token belongs to a zkApp. */
export const minaToken = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'

/** A declared change of one account. */
export interface AccountUpdate {
  readonly publicKey: string
  readonly tokenId: string
  /** Nanomina, or the smallest unit of another token; negative for what the account pays. */
  readonly balanceChange: bigint
  /** True if the fee for a new account comes off this change, and not off the other updates'. */
  readonly implicitAccountCreationFee: boolean
}

/** Why an account update failed. */
export interface ZkappFailure {
  /** Number of the account update, in decimal; 0 for the fee payer. */
  readonly index: string
  readonly failures: readonly string[]
}

export interface ZkappCommand {
  readonly kind: 'ZKAPP'
  /** `5J…` */
  readonly hash: string
  /** Pays the fee. */
  readonly from: string
  /** Nanomina. */
  readonly fee: bigint
  readonly nonce: number
  /** Last global slot since genesis at which it may be included. */
  readonly validUntil: number
  /** Readable text, at most 32 bytes of UTF-8. */
  readonly memo: string
  readonly updates: readonly AccountUpdate[]
  /** True if the precondition of its last account update never holds. */
  readonly preconditionFails: boolean
}

/** A zkApp command in a block. */
export interface IncludedZkappCommand extends ZkappCommand {
  /** Null for an applied one; otherwise only the fee was charged, and the last account update comes first. */
  readonly failures: readonly ZkappFailure[] | null
}

/** A command as it waits in a pool. */
export type QueuedCommand = Command | ZkappCommand

export const isZkapp = (command: QueuedCommand): command is ZkappCommand => command.kind === 'ZKAPP'
export const isUserCommand = (command: QueuedCommand): command is Command => command.kind !== 'ZKAPP'

/** An update of MINA, by default one that pays for no new account. */
export const minaUpdate = (
  publicKey: string,
  balanceChange: bigint,
  implicitAccountCreationFee = false,
): AccountUpdate => ({ publicKey, tokenId: minaToken, balanceChange, implicitAccountCreationFee })

/** MINA that move from one key to another. A fee for a new account comes off what the other gets. */
export const transfer = (from: string, to: string, amount: bigint): readonly AccountUpdate[] => [
  minaUpdate(from, -amount),
  minaUpdate(to, amount, true),
]

/** By default it applies, changes no balance, and never expires. */
interface ZkappOptions {
  readonly updates?: readonly AccountUpdate[]
  readonly memo?: string
  readonly fails?: boolean
  readonly validUntil?: number
  /** Distinguishes commands with the same content. */
  readonly label?: string
}

export function createZkappCommand(
  payment: Pick<ZkappCommand, 'from' | 'fee' | 'nonce'>,
  { updates, memo = '', fails = false, validUntil = neverExpires, label = '' }: ZkappOptions = {},
): ZkappCommand {
  const { from, fee, nonce } = payment
  const declared = updates ?? [minaUpdate(from, 0n), minaUpdate(from, 0n)]
  const changes = declared.flatMap((update) => Object.values(update))
  return {
    ...{ kind: 'ZKAPP', from, fee, nonce, validUntil, memo, updates: declared, preconditionFails: fails },
    hash: zkappCommandHash([from, nonce, fee, validUntil, memo, fails, ...changes, label].join(' ')),
  }
}
