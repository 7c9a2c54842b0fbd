// A signed command, its variables in a mutation, and the comparison with a node's command.
import type { Signature } from '../contract/signature.ts'
import type { NodeCommand } from './command.ts'
import { memoFromText } from './command.ts'

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
  readonly signature: Signature
  /** The same digits in the other byte order, if a raw signature fits both. */
  readonly otherSignature?: Signature
  /** Advice for the sender if the signature turns out to be wrong. */
  readonly ifInvalid: readonly string[]
}

/** True for a memo with U+FFFD: it may have been signed, or stand for bytes that were not UTF-8. */
export const mayBeDamaged = (memo: string): boolean => memo.includes('\uFFFD')

/** Declarations of the variables that payment and delegation share, for `operation`. */
export const commandVariables =
  '$from: PublicKey!, $to: PublicKey!, $fee: UInt64!, $memo: String, $nonce: UInt32, $validUntil: UInt32, ' +
  '$field: String, $scalar: String, $rawSignature: String'

/** The arguments of the mutation that take them, without the payment's amount. */
export const commandInput = 'from: $from, to: $to, fee: $fee, memo: $memo, nonce: $nonce, validUntil: $validUntil'
export const signatureInput = 'signature: {field: $field, scalar: $scalar, rawSignature: $rawSignature}'

/**
 * Every variable that the mutation declares, each value as the wallet sent it: a changed one would not match the
 * signature. `rawSignature` stays null, since daemons differ in the byte order that they take. The mutation still
 * declares it: clients know its text from the errors that echo it.
 */
const variablesOf = (
  { signature: _signature, otherSignature: _other, ifInvalid: _sentences, ...terms }: SignedCommand,
  { field, scalar }: Signature,
): Readonly<Record<string, string | null>> => ({ ...terms, field, scalar, rawSignature: null })

/** The variables of a submission, and of its second try if a raw signature fits both byte orders. */
export const variablesInEachOrder = (command: SignedCommand) => ({
  variables: variablesOf(command, command.signature),
  ...(command.otherSignature && { otherVariables: variablesOf(command, command.otherSignature) }),
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
