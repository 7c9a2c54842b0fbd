// The state of a command, in types that a caller narrows by `state`, and an absence by `sending`.
import type { TransactionFate, TransactionTerms } from './schema.ts'
import { type DelegationToSend, factsOf, type PaymentToSend } from './signed-command.ts'

type Has<Key extends keyof TransactionFate> = { readonly [Each in Key]-?: NonNullable<TransactionFate[Each]> }
type MayHave<Key extends keyof TransactionFate> = Pick<TransactionFate, Key>

interface Sendings {
  readonly possible: unknown
  readonly 'rival-pending': Has<'by'> & MayHave<'command'>
  readonly 'waits-for-nonce': Has<'missingNonces'>
  readonly 'no-account': unknown
  readonly 'nonce-used': MayHave<'by' | 'command'>
  readonly unknown: MayHave<'by' | 'command'>
}

/** Why a command that was found nowhere can or cannot be sent. */
export type Sending = NonNullable<TransactionFate['sending']>

interface States {
  readonly included: Has<'block' | 'status'> &
    MayHave<'confirmations' | 'final' | 'failureReason' | 'command' | 'chainHash'>
  readonly replaced: Has<'block' | 'confirmations' | 'by'> & MayHave<'command' | 'final'>
  readonly expired: Has<'confirmations'>
  readonly pending: MayHave<'command' | 'chainHash'>
  readonly absent: {
    readonly [Each in Sending]: { readonly sending: Each } & Sendings[Each] & MayHave<'hint'>
  }[Sending]
}

/** The state of a command, with the members that the service gives in that state. */
export type Transaction = {
  readonly [Each in TransactionFate['state']]: { readonly state: Each } & States[Each] &
    Has<'hash' | 'searched'> &
    MayHave<'terms'>
}[TransactionFate['state']]

/** A path with those options that have a value, in the given order: caches know one order. */
export function withQuery(path: string, options: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const texts = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return texts.length > 0 ? `${path}?${texts.join('&')}` : path
}

/**
 * The question for a command.
 *
 * @throws Error for a signed command that cannot be on a chain
 */
export function transactionPath(
  hash: string,
  given: TransactionTerms | PaymentToSend | DelegationToSend | undefined,
): string {
  const { from, nonce, validUntil, to, fee, memo, amount }: Partial<TransactionTerms> =
    given === undefined ? {} : 'signature' in given ? factsOf(given) : given
  const options = { from, nonce, valid_until: validUntil, to, fee, memo, amount }
  return withQuery(`/transactions/${encodeURIComponent(hash)}`, options)
}
