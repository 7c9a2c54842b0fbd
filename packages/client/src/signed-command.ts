// A signed command, in every form that the service takes.
import { memoOnChain } from './memo.ts'
import type { AnySignature, DelegationRequest, PendingCommand, TransactionRequest } from './schema.ts'

/** mina-signer returns decimal digits, but declares all three types. */
type Integer = string | number | bigint

/** The data of a delegation, as mina-signer returns it with memo and validUntil filled in. */
export interface SignerDelegation {
  readonly to: string
  readonly from: string
  readonly fee: Integer
  readonly nonce: Integer
  /** null counts as absent, as it does for the service. */
  readonly memo?: string | null | undefined
  readonly validUntil?: Integer | null | undefined
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

/** The terms in a signed transaction of Rosetta. */
interface RosettaTerms {
  readonly fee: Integer
  readonly nonce: Integer
  readonly memo?: string | null | undefined
  readonly valid_until?: Integer | null | undefined
}

export interface RosettaPayment {
  readonly signature: string
  readonly payment: RosettaTerms & { readonly to: string; readonly from: string; readonly amount: Integer }
}

export interface RosettaDelegation {
  readonly signature: string
  readonly stake_delegation: RosettaTerms & { readonly delegator: string; readonly new_delegate: string }
}

export type PaymentToSend = TransactionRequest | SignerResult<SignerPayment> | RosettaPayment
export type DelegationToSend = DelegationRequest | SignerResult<SignerDelegation> | RosettaDelegation

/** The terms of a command: what its wallet signed, and the chain shows. */
export interface CommandFacts {
  readonly from: string
  readonly to: string
  /** Nanomina; undefined for a delegation. */
  readonly amount: bigint | undefined
  /** Nanomina. */
  readonly fee: bigint
  readonly nonce: number
  /** base58check */
  readonly memo: string
  /** The last slot, counted over hard forks, whose block may hold it. */
  readonly validUntil: number
}

/**
 * The signed part by the names of mina-signer.
 *
 * @throws TypeError for anything else than a signed command
 */
export function dataOf(
  signed: PaymentToSend | DelegationToSend,
): SignerDelegation & { readonly amount?: Integer | undefined } {
  const given: PaymentToSend | DelegationToSend = Object(signed)
  if ('payload' in given) return given.payload
  if ('data' in given) return given.data
  if ('payment' in given && given.payment) {
    const { valid_until: validUntil, ...terms } = given.payment
    return { ...terms, validUntil }
  }
  const { stake_delegation: delegation } = given as Partial<RosettaDelegation>
  if (!delegation) throw new TypeError('not a signed command')
  const { valid_until: validUntil, delegator: from, new_delegate: to, ...terms } = delegation
  return { ...terms, from, to, validUntil }
}

/**
 * @param name of what the caller gave, for the error
 * @throws TypeError unless each is a signed command with its hash
 */
export function checkCommands(name: string, commands: unknown): void {
  const noList = [undefined]
  for (const command of Array.isArray(commands) ? commands : noList) {
    const { signed, hash } = Object(command)
    if (!signed || typeof hash !== 'string') throw new TypeError(`${name} are { signed, hash }`)
    dataOf(signed)
  }
}

/** mina-signer's own default. */
const neverExpires = 4_294_967_295

/** @throws Error for an amount or a fee that is not an integer, or a memo past 32 bytes */
export function factsOf(signed: PaymentToSend | DelegationToSend): CommandFacts {
  const { from, to, amount, fee, nonce, memo, validUntil } = dataOf(signed)
  return {
    from,
    to,
    amount: amount === undefined ? undefined : BigInt(amount),
    fee: BigInt(fee),
    nonce: Number(nonce),
    memo: memoOnChain(memo ?? ''),
    validUntil: Number(validUntil ?? neverExpires),
  }
}

/**
 * The part of a shown command that its signature covers; a zkApp command has no receiver, for one. Only an indexer's command
 * has no id.
 */
type Shown = {
  readonly [Key in 'from' | 'to' | 'amount' | 'fee' | 'nonce' | 'memo' | 'isDelegation' | 'id']?:
    | PendingCommand[Key]
    | undefined
}

/**
 * Compares a command that the service shows with the signed one. Its hash does not decide: mina-signer can make hashes that no
 * node uses, and an indexer may have a wrong one. A zkApp command is always another one.
 *
 * @returns undefined where only the memo differs, and an indexer may have decoded it with a loss
 */
export function isSigned(shown: Shown, sent: CommandFacts): boolean | undefined {
  const { amount = 0n, memo } = sent
  const isEqual =
    (['from', 'to', 'fee', 'nonce'] as const).every((term) => shown[term] === sent[term]) &&
    shown.isDelegation === (sent.amount === undefined) &&
    shown.amount === amount
  if (!isEqual || shown.memo === memo) return isEqual
  return shown.id === undefined ? undefined : false
}
