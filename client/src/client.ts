// The client, and everything that the package offers.
import { historyPages, type WalkedPage } from './account-history.ts'
import { createTransport } from './addresses.ts'
import { type Kind, type Outcome, sender } from './broadcast.ts'
import { type DepositStep, type DepositsOptions, depositSteps } from './deposits.ts'
import { type FeeOptions, suggestedFee } from './fee.ts'
import { commandMemories } from './history.ts'
import type { Inclusion, InclusionOptions, SignedCommand } from './inclusion.ts'
import { inclusionLook } from './inclusion-look.ts'
import { networkCheck } from './own-network.ts'
import { type QueueOptions, type QueueService, type QueueStore, sendQueue } from './payment-queue.ts'
import type { PollOptions } from './polling.ts'
import { type CallOptions, createReads, type HistoryOptions, type Labelled, type Reads } from './reads.ts'
import { resendingOf } from './resending.ts'
import type { Block, Summary } from './schema.ts'
import { type SendOptions, sendUntilKnown } from './send-until-known.ts'
import { type DelegationToSend, dataOf, type PaymentToSend } from './signed-command.ts'
import { transactionPath } from './transaction.ts'
import type { ClientOptions } from './transport.ts'
import { type WaitOptions, waitForInclusion, waitForTransaction } from './wait-for-inclusion.ts'
import { type WalkBlocksOptions, walkBlocks } from './walk-blocks.ts'
import { type BlockChange, type WatchBlocksOptions, watchBlocks } from './watch-blocks.ts'
import { watchTip } from './watch-tip.ts'

export interface Client extends Reads {
  /**
   * The fee to sign, in nanomina: what the service suggests for the speed, and never more than `maxFee`.
   *
   * @example
   * const fee = await client.suggestedFee({ maxFee: 20_000_000n })
   */
  suggestedFee(options?: FeeOptions): Promise<bigint>
  /**
   * Rejects with a `NetworkMismatchError` unless the service is on the network that `createClient` was given. Call it before
   * you sign; whatever sends, waits or follows the chain does so itself.
   *
   * @example
   * await client.checkNetwork()
   */
  checkNetwork(options?: CallOptions): Promise<void>
  /** Sends a payment once. */
  broadcastPayment(signed: PaymentToSend, options?: CallOptions): Promise<Outcome>
  /** Sends a delegation once. */
  broadcastDelegation(signed: DelegationToSend, options?: CallOptions): Promise<Outcome>
  /**
   * Sends the same signed command until its outcome is known.
   *
   * @example
   * const outcome = await client.sendUntilKnown(signer.signPayment(payment, privateKey))
   * if (outcome.outcome === 'refused') throw new Error(outcome.message)
   */
  sendUntilKnown(signed: PaymentToSend | DelegationToSend, options?: SendOptions): Promise<Outcome>
  /**
   * Waits until a command is settled: in a block below enough others, or no longer able to be in one. It sends the same
   * bytes again if they are lost.
   *
   * @param hash of the outcome, or of mina-signer: `signer.hashPayment(signed, { berkeley: true })`. Of another form it is
   *   followed too, since the service finds the command by its terms
   *
   * @example
   * const { state } = await client.waitForInclusion(signed, hash, { confirmations: 3 })
   */
  waitForInclusion(
    signed: PaymentToSend | DelegationToSend,
    hash: string,
    options?: InclusionOptions,
  ): Promise<Inclusion>
  /**
   * Waits until a command that somebody else has signed is settled, such as a payment on its way to you. It sends nothing.
   *
   * @example
   * const { state } = await client.waitForTransaction(hash, { onUpdate: ({ confirmations }) => show(confirmations) })
   */
  waitForTransaction(hash: string, options?: WaitOptions): Promise<Inclusion>
  /**
   * The commands of an account, newest first, page after page. Where a reorganisation takes commands back that it has given, it
   * begins again with a page that is `restarted`: forget what came before.
   *
   * @example
   * let count = 0
   * for await (const { value: page } of client.transactionsOf(publicKey)) {
   *   if (page.restarted) count = 0
   *   count += page.transactions.length
   * }
   */
  transactionsOf(publicKey: string, options?: HistoryOptions): AsyncGenerator<Labelled<WalkedPage>, void, undefined>
  /**
   * The blocks of the best chain, newest first, from the tip or below `from`, each the parent of the one before.
   *
   * @throws ServiceError with 409 where a reorganisation has taken off the block under which it goes on
   * @example
   * for await (const { value: block } of client.walkBlocks()) if (block.blockHeight < 500_000) break
   */
  walkBlocks(options?: WalkBlocksOptions): AsyncGenerator<Labelled<Block>, void, undefined>
  /**
   * Sends the commands of one wallet that your store holds, in the order of their nonces, until each has its end. After an
   * outage it sends again from the lowest that no node has.
   *
   * @example
   * await client.sendQueue({ commands: () => db.open(), settle: (command, end) => db.close(command.hash, end) })
   */
  sendQueue(store: QueueStore, options?: QueueOptions): Promise<void>
  /**
   * Calls back with the tip and with each that follows, until the signal is aborted.
   *
   * @example
   * await client.watchTip(({ value }) => console.log(value.blockchainLength), { signal: AbortSignal.timeout(60_000) })
   */
  watchTip(onTip: (tip: Labelled<Summary>) => unknown, options?: PollOptions): Promise<void>
  /**
   * Hands over every block of the best chain, in the order of heights, and every one that a reorganisation takes off it, until
   * the signal is aborted. It goes on from a cursor that you store, skips no block however long your program was away, and
   * outlives trouble of service and network.
   *
   * @example
   * await client.watchBlocks((change) => store.save(change), { cursor: await store.cursor(), confirmations: 15 })
   */
  watchBlocks(onChange: (change: BlockChange) => unknown, options?: WatchBlocksOptions): Promise<void>
  /**
   * The deposits to your keys, block by block under 15 others, and what a reorganisation takes back. It goes on from a cursor that
   * you store, and credits nothing of another network than yours.
   *
   * @example
   * for await (const { state, deposits, stateHash, cursor } of client.deposits({ keys, from })) {
   *   if (state === 'credited') await db.credit(deposits, cursor)
   *   else await db.takeBack(stateHash, cursor)
   * }
   */
  deposits(options: DepositsOptions): AsyncGenerator<DepositStep, void, undefined>
}

/**
 * A client of one service.
 *
 * Reads reject with a `ServiceError`. Whatever becomes of a command that may have been sent is its outcome, and rejects with
 * nothing. Before that a call rejects with a `NetworkMismatchError`, or with the reason of its signal.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8080', network: 'testnet' })
 * const { value: account, ageMs } = await client.account(publicKey)
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const { clock } = transport
  const reads = createReads(transport, options.retries)
  /** For what repeats its questions itself. */
  const once = createReads(transport, 0)
  const isResent = resendingOf(clock)
  const checkNetwork = networkCheck(options.network, reads.network, clock)
  /** The same read, of the caller's network alone. */
  const checked =
    <Given extends readonly unknown[], Value>(read: (...given: Given) => Promise<Value>, more?: CallOptions) =>
    async (...given: Given): Promise<Value> => {
      await checkNetwork(more)
      return read(...given)
    }
  const kindOf = (signed: PaymentToSend | DelegationToSend): Kind =>
    'amount' in dataOf(signed) ? 'transaction' : 'delegation'
  const sendsOnce = (kind: Kind, signed: PaymentToSend | DelegationToSend, more: PollOptions | undefined) =>
    sender(transport, checkNetwork, kind, signed, more)
  const sends = (signed: PaymentToSend | DelegationToSend, more: SendOptions | undefined): Promise<Outcome> =>
    sendUntilKnown(sendsOnce(kindOf(signed), signed, more), clock, more)
  const memories = commandMemories(clock)
  const inclusionService = (signed: PaymentToSend | DelegationToSend, more: PollOptions | undefined) => ({
    ...reads,
    isResent,
    memoryOf: (command: SignedCommand) => memories(transactionPath(command.hash, command.signed)),
    send: (patienceMs: number) => sends(signed, { ...more, patienceMs }),
    transaction: checked(once.transaction, more),
  })
  return {
    ...reads,
    suggestedFee: (more) => suggestedFee(reads.fees, more),
    checkNetwork: (call) => checkNetwork(call, true),
    broadcastPayment: async (signed, call) => sendsOnce('transaction', signed, call)(),
    broadcastDelegation: async (signed, call) => sendsOnce('delegation', signed, call)(),
    sendUntilKnown: async (signed, more) => sends(signed, more),
    waitForInclusion: async (signed, hash, more) =>
      waitForInclusion({ signed, hash }, inclusionService(signed, more), clock, more),
    waitForTransaction: async (hash, more) => waitForTransaction(hash, checked(once.transaction, more), clock, more),
    sendQueue: (store, more) => {
      const sendOnce: QueueService['sendOnce'] = (signed) => sendsOnce(kindOf(signed), signed, more)()
      const lookAt: QueueService['lookAt'] = (command) => {
        const { signed, sentAtTip } = command
        return inclusionLook(command, inclusionService(signed, more), clock, { ...more, sentAtTip }, 0)
      }
      const account = checked(once.account, more)
      return sendQueue(store, { account, sendOnce, lookAt, isResent }, clock, more)
    },
    transactionsOf: (publicKey, more) => historyPages(reads, publicKey, more),
    deposits: (more) => depositSteps({ ...reads, summary: checked(reads.summary, more) }, clock, more),
    walkBlocks: (more) => walkBlocks(reads, clock, more),
    watchTip: (onTip, more) => watchTip(reads.summary, onTip, clock, more),
    watchBlocks: (onChange, more) => {
      const summary = options.network === undefined ? reads.summary : checked(reads.summary, more)
      return watchBlocks({ ...reads, summary }, onChange, clock, more)
    },
  }
}

export type { WalkedPage } from './account-history.ts'
// biome-ignore lint/performance/noBarrelFile: the package's one entry, of a few functions that bundlers drop singly
export { formatMina, nanominaOf } from './amounts.ts'
export { isPublicKey } from './base58check.ts'
export type { NotSent, Outcome, Sent } from './broadcast.ts'
export type { Clock } from './clock.ts'
export type { Deposit, DepositStep, DepositsOptions } from './deposits.ts'
export type { FeeOptions } from './fee.ts'
export type { Included, Replaced } from './history.ts'
export type { Inclusion, InclusionOptions, SignedCommand, Undecided, Update } from './inclusion.ts'
export { memoOnChain, memoText } from './memo.ts'
export { NetworkMismatchError } from './network-mismatch-error.ts'
export type { QueuedCommand, QueueOptions, QueueStore } from './payment-queue.ts'
export type { PollOptions } from './polling.ts'
export type {
  BlockName,
  CallOptions,
  ChainLabel,
  HistoryOptions,
  HistoryPage,
  Labelled,
  Reads,
} from './reads.ts'
export type * from './schema.ts'
export type { SendOptions } from './send-until-known.ts'
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
export type { BlockChange, Cursor, WatchBlocksOptions } from './watch-blocks.ts'
