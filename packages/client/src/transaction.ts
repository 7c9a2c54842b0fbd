// The state of a command, in types that a caller narrows by `state`, and an absence by `sending`.
import { checkNumbers } from './numbers.ts'
import { type TransactionFate, type TransactionOptions, type TransactionTerms, transactionQuery } from './schema.ts'
import { type DelegationToSend, factsOf, type PaymentToSend } from './signed-command.ts'

type Has<Key extends keyof TransactionFate> = { readonly [Each in Key]-?: NonNullable<TransactionFate[Each]> }
type MayHave<Key extends keyof TransactionFate> = Pick<TransactionFate, Key>

interface Sendings {
  readonly possible: unknown
  readonly 'rival-pending': Has<'by'> & MayHave<'command'>
  readonly 'waits-for-nonce': Has<'missingNonces'>
  readonly 'no-account': unknown
  readonly 'nonce-used': MayHave<'by' | 'command' | 'hashFromIndexer'>
  readonly unknown: MayHave<'by' | 'command' | 'hashFromIndexer'>
}

/** Why a command that was found nowhere can or cannot be sent. */
export type Sending = NonNullable<TransactionFate['sending']>

interface States {
  readonly included: Has<'block' | 'status'> &
    MayHave<'confirmations' | 'final' | 'failureReason' | 'command' | 'chainHash' | 'hashFromIndexer'>
  readonly replaced: Has<'block' | 'confirmations' | 'by'> & MayHave<'command' | 'final' | 'hashFromIndexer'>
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
 * A path with those of its options that have a value.
 *
 * @param names of the options in a query, in the one order that caches know; `valid_until` is the member `validUntil`
 * @throws RangeError unless the limit is a whole number of at least 0
 */
export function withQuery(path: string, names: readonly string[], options: object | undefined): string {
  checkNumbers(options)
  const texts = names.flatMap((name) => {
    const value = Object(options)[name.replace(/_./, ([, letter = '']) => letter.toUpperCase())]
    return value === undefined ? [] : `${name}=${encodeURIComponent(value)}`
  })
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
  const terms: TransactionOptions | undefined = given && 'signature' in given ? factsOf(given) : given
  return withQuery(`/transactions/${encodeURIComponent(hash)}`, transactionQuery, terms)
}
