// The checks of a submitted command that do not need the sender's account.
import type { Signature } from '../command.ts'
import { memoLimitBytes, neverExpires } from '../command.ts'
import type { CommandInput } from './pool.ts'
import { minimumFee, refusals } from './refusals.ts'

/** A payment to submit. Amounts in nanomina. The nonce defaults to the next free one, `validUntil` to never. */
export interface PaymentInput {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly fee: bigint
  readonly nonce?: number | null | undefined
  readonly memo?: string | null | undefined
  readonly validUntil?: number | null | undefined
}

/** A delegation to submit; `to` is the new delegate. */
export type DelegationInput = Omit<PaymentInput, 'amount'>

/** Decimal digits; or 128 hexadecimal digits, which take precedence, each half with its least significant byte first. */
export interface SignatureInput {
  readonly field?: string | null | undefined
  readonly scalar?: string | null | undefined
  readonly rawSignature?: string | null | undefined
}

/** @returns the signature in decimal digits, or the daemon's refusal */
function readSignature({ field, scalar, rawSignature }: SignatureInput): Signature | { readonly refused: string } {
  if (rawSignature != null) {
    if (!/^[0-9a-f]{128}$/i.test(rawSignature)) return { refused: refusals.rawSignature }
    const digits = (hexadecimal: string) => BigInt(`0x${hexadecimal.match(/../g)?.reverse().join('')}`).toString()
    return { field: digits(rawSignature.slice(0, 64)), scalar: digits(rawSignature.slice(64)) }
  }
  return field == null || scalar == null ? { refused: refusals.incompleteSignature } : { field, scalar }
}

/** A submission in the pool's form, or the daemon's refusal. */
export function readSubmission(
  kind: CommandInput['kind'],
  input: PaymentInput,
  given: SignatureInput | null | undefined,
): { readonly command: CommandInput; readonly signature: Signature } | { readonly refused: string } {
  if (given == null) return { refused: refusals.noSignature }
  const signature = readSignature(given)
  if ('refused' in signature) return signature
  if (input.fee < minimumFee) return { refused: refusals.fee(input.fee) }
  const memo = input.memo ?? ''
  if (Buffer.byteLength(memo) > memoLimitBytes) return { refused: refusals.memo }
  const { from, to, amount, fee } = input
  const validUntil = input.validUntil ?? neverExpires
  return { command: { kind, from, to, amount, fee, memo, validUntil, nonce: input.nonce ?? undefined }, signature }
}
