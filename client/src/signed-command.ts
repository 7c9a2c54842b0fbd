// A signed command, in every form that the service takes.
import type { AnySignature, DelegationRequest, TransactionRequest } from './schema.ts'

/** mina-signer returns decimal digits, but declares all three types. */
type Integer = string | number | bigint

/** The data of a delegation, as mina-signer returns it with memo and validUntil filled in. */
export interface SignerDelegation {
  readonly to: string
  readonly from: string
  readonly fee: Integer
  readonly nonce: Integer
  readonly memo?: string | undefined
  readonly validUntil?: Integer | undefined
}

export interface SignerPayment extends SignerDelegation {
  readonly amount: Integer
}

/** The result of `signPayment` and `signStakeDelegation` of mina-signer 1.x to 4.x. */
export interface SignerResult<Data> {
  readonly data: Data
  readonly signature: AnySignature
  readonly publicKey?: string | undefined
}

export type PaymentToSend = TransactionRequest | SignerResult<SignerPayment>
export type DelegationToSend = DelegationRequest | SignerResult<SignerDelegation>

/** The facts that identify a command on the chain. */
export interface CommandFacts {
  readonly from: string
  readonly to: string
  /** Nanomina; undefined for a delegation. */
  readonly amount: bigint | undefined
  /** Nanomina. */
  readonly fee: bigint
  readonly nonce: number
  /** The last slot, counted over hard forks, whose block may hold it. */
  readonly validUntil: number
}

/** The signed part, which has two names. */
export const dataOf = (signed: PaymentToSend | DelegationToSend): SignerDelegation & { readonly amount?: Integer } =>
  'payload' in signed ? signed.payload : signed.data

/** mina-signer's own default. */
const neverExpires = 4_294_967_295

/** @throws Error for an amount or a fee that is not an integer */
export function factsOf(signed: PaymentToSend | DelegationToSend): CommandFacts {
  const { from, to, amount, fee, nonce, validUntil = neverExpires } = dataOf(signed)
  return {
    from,
    to,
    amount: amount === undefined ? undefined : BigInt(amount),
    fee: BigInt(fee),
    nonce: Number(nonce),
    validUntil: Number(validUntil),
  }
}
