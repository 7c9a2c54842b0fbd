// The calls of the light client, and the pieces from which the whole one makes its further calls.
import { type HistoryWalkOptions, historyPages, type WalkedPage } from './account-history.ts'
import { createTransport } from './addresses.ts'
import { type Kind, type Outcome, sender } from './broadcast.ts'
import type { Clock } from './clock.ts'
import { type FeeOptions, suggestedFee } from './fee.ts'
import type { Inclusion } from './inclusion.ts'
import { networkCheck } from './own-network.ts'
import type { PollOptions } from './polling.ts'
import { type BlockView, type CallOptions, createReads, type Labelled, type Reads, type Viewed } from './reads.ts'
import type { Summary } from './schema.ts'
import { type DelegationToSend, dataOf, type PaymentToSend } from './signed-command.ts'
import { type Slots, slotsOf } from './slots.ts'
import type { ClientOptions, Transport } from './transport.ts'
import { type WaitOptions, waitForTransaction } from './wait-for-inclusion.ts'
import { type WalkBlocksOptions, walkBlocks } from './walk-blocks.ts'
import { watchTip } from './watch-tip.ts'

export interface LightClient extends Reads {
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
   * Waits until a command that somebody else has signed is settled, such as a payment on its way to you. It sends nothing.
   *
   * @example
   * const { state } = await client.waitForTransaction(hash, { onUpdate: ({ confirmations }) => show(confirmations) })
   */
  waitForTransaction(hash: string, options?: WaitOptions): Promise<Inclusion>
  /**
   * The commands of an account, newest first, page after page. Where a reorganisation takes commands back that it has given, it
   * begins again with a page that is `restarted`: forget what came before. `from` and `to` take a part of it by time.
   *
   * @example
   * let count = 0
   * for await (const { value: page } of client.transactionsOf(publicKey)) {
   *   if (page.restarted) count = 0
   *   count += page.transactions.length
   * }
   */
  transactionsOf(publicKey: string, options?: HistoryWalkOptions): AsyncGenerator<Labelled<WalkedPage>, void, undefined>
  /**
   * The blocks of the best chain, newest first, from the tip or below `from`, each the parent of the one before.
   *
   * @throws ServiceError with 409 where a reorganisation has taken off the block under which it goes on
   * @example
   * for await (const { value: block } of client.walkBlocks()) if (block.blockHeight < 500_000) break
   * // A thousand in some 25 requests.
   * for await (const { value: header } of client.walkBlocks({ view: 'header' })) if (isDrawn(header)) break
   */
  walkBlocks<View extends BlockView = 'block'>(
    options?: WalkBlocksOptions<View>,
  ): AsyncGenerator<Labelled<Viewed<View>>, void, undefined>
  /**
   * Calls back with the tip and with each that follows, until the signal is aborted.
   *
   * @example
   * await client.watchTip(({ value }) => console.log(value.blockchainLength), { signal: AbortSignal.timeout(60_000) })
   */
  watchTip(onTip: (tip: Labelled<Summary>) => unknown, options?: PollOptions): Promise<void>
}

type Signed = PaymentToSend | DelegationToSend

interface ClientParts {
  readonly clock: Clock
  readonly reads: Reads
  /** For what repeats its questions itself. */
  readonly once: Reads
  /** The same read, of the caller's network alone. */
  readonly checked: <Given extends readonly unknown[], Value>(
    read: (...given: Given) => Promise<Labelled<Value>>,
    more?: CallOptions,
  ) => (...given: Given) => Promise<Labelled<Value>>
  readonly light: LightClient
  readonly slots: Slots
  readonly sendOnce: (signed: Signed, more: PollOptions | undefined) => () => Promise<Outcome>
}

/** The pieces of a client of one service, of which `light` is what an app needs. */
export function clientParts(options: ClientOptions): ClientParts {
  const { clock, send } = createTransport(options)
  const slots = slotsOf(clock)
  const transport: Transport = {
    clock,
    async send(path, more) {
      const answer = await send(path, more)
      slots.note(answer)
      return answer
    },
  }
  const reads = createReads(transport, options.retries)
  const once = createReads(transport, 0)
  const readNetwork: Reads['network'] = async (call) => {
    const network = await reads.network(call)
    slots.durationMs = network.value.slotDurationMs
    return network
  }
  const checkNetwork = networkCheck(options, readNetwork, clock)
  const checked: ClientParts['checked'] =
    (read, more, tip?: string) =>
    async (...given) => {
      await checkNetwork(more, false, tip)
      const reading = read(...given)
      const { chain } = await reading.catch(Object)
      tip = chain?.stateHash
      // Its tip may be that of another network.
      if (tip) await checkNetwork(more, false, tip)
      return reading
    }
  const sendsOnce = (kind: Kind, signed: Signed, more: PollOptions | undefined) =>
    sender(transport, checkNetwork, kind, signed, more)
  const light: LightClient = {
    ...reads,
    suggestedFee: (more) => suggestedFee(reads.fees, more),
    checkNetwork: (call) => checkNetwork(call, true),
    broadcastPayment: async (signed, call) => sendsOnce('transaction', signed, call)(),
    broadcastDelegation: async (signed, call) => sendsOnce('delegation', signed, call)(),
    waitForTransaction: async (hash, more) =>
      waitForTransaction(hash, checked(once.transaction, more), slots, clock, more),
    transactionsOf: (publicKey, more) => historyPages(reads, publicKey, more),
    walkBlocks: (more) => walkBlocks(reads, clock, more),
    watchTip: (onTip, more) => watchTip(reads.summary, onTip, clock, slots, more),
  }
  return {
    clock,
    reads,
    once,
    checked,
    light,
    slots,
    sendOnce: (signed: Signed, more: PollOptions | undefined) =>
      sendsOnce('amount' in dataOf(signed) ? 'transaction' : 'delegation', signed, more),
  }
}
