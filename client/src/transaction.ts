// The state of a command, in types that a caller narrows by `state`, and an absence by `sending`.
import type { TransactionFate, TransactionTerms } from './schema.ts'

type Has<Key extends keyof TransactionFate> = { readonly [Each in Key]-?: NonNullable<TransactionFate[Each]> }
type MayHave<Key extends keyof TransactionFate> = Pick<TransactionFate, Key>

interface Sendings {
  readonly possible: unknown
  readonly 'rival-pending': Has<'by'>
  readonly 'waits-for-nonce': Has<'missingNonces'>
  readonly 'no-account': unknown
  readonly 'nonce-used': unknown
  readonly unknown: unknown
}

/** Why a command that was found nowhere can or cannot be sent. */
export type Sending = NonNullable<TransactionFate['sending']>

interface States {
  readonly included: Has<'block'> & MayHave<'confirmations' | 'final' | 'failureReason' | 'command'>
  readonly replaced: Has<'block' | 'confirmations' | 'by'>
  readonly expired: Has<'confirmations'>
  readonly pending: MayHave<'command'>
  readonly absent: { readonly [Each in Sending]: { readonly sending: Each } & Sendings[Each] }[Sending]
}

/** The state of a command, with the members that the service gives in that state. */
export type Transaction = {
  readonly [Each in TransactionFate['state']]: { readonly state: Each } & States[Each] &
    Has<'hash' | 'searched'> &
    MayHave<'terms'>
}[TransactionFate['state']]

/** The options are in the order in which caches know them. */
export const transactionPath = (hash: string, terms: TransactionTerms | undefined): string =>
  `/transactions/${encodeURIComponent(hash)}${
    terms ? `?from=${terms.from}&nonce=${terms.nonce}&valid_until=${terms.validUntil}` : ''
  }`
