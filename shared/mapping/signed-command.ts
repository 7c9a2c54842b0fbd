// A signed command as a wallet sends it: what a schema cannot check of it, and the variables of its mutation.
import type { DelegationRequest, TransactionRequest } from '../contract/broadcast.ts'
import type { Fault } from '../errors.ts'
import { isPublicKey } from './base58check.ts'
import { longestMemo } from './memo.ts'

const canonicalUnsigned = (bits: bigint) => (digits: string) =>
  /^(?:0|[1-9]\d{0,19})$/.test(digits) && BigInt(digits) < 1n << bits

const publicKey = { holds: isPublicKey, problem: 'must be a public key (B62…, 55 characters, with a right checksum)' }
const uint64 = {
  holds: canonicalUnsigned(64n),
  problem: 'must be a whole number from 0 to 18446744073709551615 without sign or leading zeros',
}
const uint32 = {
  holds: canonicalUnsigned(32n),
  problem: 'must be a whole number from 0 to 4294967295 without sign or leading zeros',
}
/** Some daemons raise on other text, or on more digits than a field element has. */
const fieldElement = {
  holds: (digits: string) => /^\d{1,78}$/.test(digits),
  problem: 'must be decimal digits, at most 78',
}
const memo = {
  holds: (memo: string) => memo.isWellFormed() && new TextEncoder().encode(memo).length <= longestMemo,
  problem: `must be well-formed text of at most ${longestMemo} bytes in UTF-8`,
}

const rules = [
  { at: '/publicKey', ...publicKey },
  { at: '/signature/field', ...fieldElement },
  { at: '/signature/scalar', ...fieldElement },
  { at: '/payload/to', ...publicKey },
  { at: '/payload/from', ...publicKey },
  { at: '/payload/fee', ...uint64 },
  { at: '/payload/nonce', ...uint32 },
  { at: '/payload/memo', ...memo },
  { at: '/payload/validUntil', ...uint32 },
] as const

const amountRule = { at: '/payload/amount', ...uint64 } as const

function textAt(body: unknown, pointer: string): string | undefined {
  let value = body
  for (const key of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * What is wrong with the texts of a signed command. Looks only at texts that are there: the schema names the others.
 * The signature itself is left to the node.
 *
 * @param body of any shape
 * @param kind a delegation's `amount` is an unknown key like any other, and ignored
 * @returns every fault
 */
export function signedCommandFaults(body: unknown, kind: 'payment' | 'delegation'): readonly Fault[] {
  const faults: Fault[] = [...rules, ...(kind === 'payment' ? [amountRule] : [])].flatMap(({ at, holds, problem }) => {
    const text = textAt(body, at)
    return text === undefined || holds(text) ? [] : [{ at, problem }]
  })
  const signer = textAt(body, '/publicKey')
  const sender = textAt(body, '/payload/from')
  if (signer !== undefined && sender !== undefined && signer !== sender) {
    faults.push({ at: '/publicKey', problem: 'must be the same as /payload/from' })
  }
  return faults
}

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

/**
 * The command of a body that its schema and `signedCommandFaults` have accepted.
 *
 * @param kind a delegation's `amount` is ignored
 */
export function signedCommandFrom(
  { payload, signature }: TransactionRequest | DelegationRequest,
  kind: 'payment' | 'delegation',
): SignedCommand {
  const { from, to, fee, nonce, memo, validUntil } = payload
  const { field, scalar } = signature
  const command = { from, to, fee, nonce, memo, validUntil, signature: { field, scalar } }
  return kind === 'payment' && 'amount' in payload ? { ...command, amount: payload.amount } : command
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
