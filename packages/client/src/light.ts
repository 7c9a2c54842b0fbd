// The entry for apps and pages: reads, whatever follows the chain, and a broadcast that is sent once. What a payer's server needs
// besides is in `client.ts`.
import { clientParts, type LightClient } from './client-parts.ts'
import type { ClientOptions } from './transport.ts'

/**
 * A client of one service for an app: reads, whatever follows the chain, and a broadcast that is sent once. A payer takes
 * `createClient`, which knows what became of a payment whose answer was lost.
 *
 * @example
 * const client = createLightClient({ baseUrl: 'http://127.0.0.1:8080', network: 'testnet' })
 */
export const createLightClient = (options: ClientOptions): LightClient => clientParts(options).light

export type { HistoryWalkOptions, WalkedPage } from './account-history.ts'
// biome-ignore lint/performance/noBarrelFile: an entry of the package, of a few functions that bundlers drop singly
export { formatMina, nanominaOf } from './amounts.ts'
export { isPublicKey } from './base58check.ts'
export type { NotSent, Outcome, Sent } from './broadcast.ts'
export type { ChainLabel } from './chain-label.ts'
export type { LightClient } from './client-parts.ts'
export type { Clock } from './clock.ts'
export type { FeeOptions } from './fee.ts'
export type { Included, Replaced } from './history.ts'
export type { Code, Inclusion, InclusionOptions, SignedCommand, Undecided, Update } from './inclusion.ts'
export { memoOnChain, memoText } from './memo.ts'
export { NetworkMismatchError } from './network-mismatch-error.ts'
export type { PollOptions } from './polling.ts'
export type {
  BlockName,
  BlockView,
  CallOptions,
  HistoryOptions,
  HistoryPage,
  Labelled,
  PageOf,
  Reads,
  Viewed,
} from './reads.ts'
export type * from './schema.ts'
export { type FailureCode, ServiceError } from './service-error.ts'
export type {
  DelegationToSend,
  PaymentToSend,
  RosettaDelegation,
  RosettaPayment,
  SignerDelegation,
  SignerPayment,
  SignerResult,
} from './signed-command.ts'
export type { Sending, Transaction } from './transaction.ts'
export type { ClientOptions, Fetch } from './transport.ts'
export type { WaitOptions } from './wait-for-inclusion.ts'
export type { WalkBlocksOptions } from './walk-blocks.ts'
