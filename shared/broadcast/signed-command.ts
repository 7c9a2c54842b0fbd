// A signed command in its one form, its variables in a mutation, and the comparison with a node's command.
import type { NodeCommand } from '../mapping/command.ts'
import { memoFromText } from '../mapping/command.ts'

export type CommandKind = 'payment' | 'delegation'

/** One signed command, whatever form it came in. All texts as they came: digits, base58check, memo byte for byte. */
export interface SignedCommand {
  readonly from: string
  readonly to: string
  readonly fee: string
  /** Payments only. */
  readonly amount?: string
  readonly nonce: string
  readonly memo: string
  readonly validUntil: string
  readonly signature: { readonly field: string; readonly scalar: string } | { readonly rawSignature: string }
}

/** Declarations of the variables that payment and delegation share, for `operation`. */
export const commandVariables =
  '$from: PublicKey!, $to: PublicKey!, $fee: UInt64!, $memo: String, $nonce: UInt32, $validUntil: UInt32, ' +
  '$field: String, $scalar: String, $rawSignature: String'

/** The arguments of the mutation that take them, less the payment's amount. */
export const commandInput = 'from: $from, to: $to, fee: $fee, memo: $memo, nonce: $nonce, validUntil: $validUntil'
export const signatureInput = 'signature: {field: $field, scalar: $scalar, rawSignature: $rawSignature}'

/**
 * Every variable that the mutation declares, null where the command does not have it: a daemon refuses an absent one.
 * Values are as the wallet sent them: a changed one would not match the signature.
 */
export const variablesOf = ({ signature, ...command }: SignedCommand): Readonly<Record<string, string | null>> => ({
  ...command,
  field: null,
  scalar: null,
  rawSignature: null,
  ...signature,
})

/**
 * True if a node's command is the signed one: everything that the signature covers but the expiry, which a mutation's
 * answer need not repeat.
 *
 * @param signed the command, or the variables of its mutation
 */
export const isSameCommand = (
  found: NodeCommand,
  signed: { readonly [Term in 'from' | 'to' | 'fee' | 'amount' | 'nonce' | 'memo']?: unknown },
  kind: CommandKind,
): boolean =>
  found.from === signed.from &&
  found.to === signed.to &&
  String(found.fee) === signed.fee &&
  String(found.amount) === (signed.amount ?? '0') &&
  String(found.nonce) === signed.nonce &&
  found.kind === (kind === 'payment' ? 'PAYMENT' : 'STAKE_DELEGATION') &&
  found.memo === memoFromText(String(signed.memo))
