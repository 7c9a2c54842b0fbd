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

/**
 * The question for a command; its options are in the order in which caches know them.
 *
 * @throws Error for a signed command that cannot be on a chain
 */
export function transactionPath(
  hash: string,
  given: TransactionTerms | PaymentToSend | DelegationToSend | undefined,
): string {
  const path = `/transactions/${encodeURIComponent(hash)}`
  if (given === undefined) return path
  const { from, nonce, validUntil, ...further } = 'signature' in given ? factsOf(given) : given
  const { to, fee, memo, amount } = further
  const options = Object.entries({ from, nonce, valid_until: validUntil, to, fee, memo, amount })
  const texts = options.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return `${path}?${texts.join('&')}`
}
