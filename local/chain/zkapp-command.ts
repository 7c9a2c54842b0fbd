// A zkApp command: its account updates are not simulated. It pays its fee, and fails if it was made to.
import type { Command } from './command.ts'
import { neverExpires } from './command.ts'
import { zkappCommandHash } from './hashes.ts'

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
  /** Null for one that applies; otherwise the last account update comes first. */
  readonly failures: readonly ZkappFailure[] | null
}

/** A command as it waits in a pool. */
export type QueuedCommand = Command | ZkappCommand

export const isZkapp = (command: QueuedCommand): command is ZkappCommand => command.kind === 'ZKAPP'
export const isUserCommand = (command: QueuedCommand): command is Command => command.kind !== 'ZKAPP'

/** A failure of the second account update, which cancels the first. */
const secondFails: readonly ZkappFailure[] = [
  { index: '2', failures: ['Account_balance_precondition_unsatisfied'] },
  { index: '1', failures: ['Cancelled'] },
]

/** By default it applies and never expires. */
interface ZkappOptions {
  readonly fails?: boolean
  readonly validUntil?: number
  /** Distinguishes commands with the same sender and nonce. */
  readonly label?: string
}

export const createZkappCommand = (
  payment: Pick<ZkappCommand, 'from' | 'fee' | 'nonce'>,
  { fails = false, validUntil = neverExpires, label = '' }: ZkappOptions = {},
): ZkappCommand => ({
  ...payment,
  kind: 'ZKAPP',
  hash: zkappCommandHash(`${payment.from} ${payment.nonce}${label && ` ${label}`}`),
  validUntil,
  failures: fails ? secondFails : null,
})
