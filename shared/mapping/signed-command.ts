// A signed command in its one form, and how it goes into a mutation.

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
 * Every variable that the mutation declares, null where the command has none: a daemon misses one that is absent. Every
 * value as the wallet sent it: a changed one would not match the signature.
 */
export const variablesOf = ({ signature, ...command }: SignedCommand): Readonly<Record<string, string | null>> => ({
  ...command,
  field: null,
  scalar: null,
  rawSignature: null,
  ...signature,
})
