// The client, and everything that the package offers.
import type { Outcome } from './broadcast.ts'
import { clientParts, type LightClient } from './client-parts.ts'
import { type DepositStep, type DepositsOptions, depositSteps } from './deposits.ts'
import { commandMemories } from './history.ts'
import type { Inclusion, InclusionOptions, SignedCommand } from './inclusion.ts'
import { inclusionLook } from './inclusion-look.ts'
import { type QueueMemory, type QueueOptions, sendQueue } from './payment-queue.ts'
import type { PollOptions } from './polling.ts'
import type { QueueStore } from './queue-store.ts'
import { resendingOf } from './resending.ts'
import { type SendOptions, sendUntilKnown } from './send-until-known.ts'
import type { DelegationToSend, PaymentToSend } from './signed-command.ts'
import { transactionPath } from './transaction.ts'
import type { ClientOptions } from './transport.ts'
import { waitForInclusion } from './wait-for-inclusion.ts'
import { type BlockChange, type WatchBlocksOptions, watchBlocks } from './watch-blocks.ts'

export interface Client extends LightClient {
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
   * Sends the commands of one wallet that your store holds, in the order of their nonces, until each has its end. After an
   * outage it sends again from the lowest that no node has.
   *
   * @example
   * await client.sendQueue({ commands: () => db.open(), settle: (command, end) => db.close(command.hash, end) })
   */
  sendQueue(store: QueueStore, options?: QueueOptions): Promise<void>
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
  const { clock, reads, once, checked, light, sendOnce, slots } = clientParts(options)
  const isResent = resendingOf(clock)
  const sends = (signed: PaymentToSend | DelegationToSend, more: SendOptions | undefined): Promise<Outcome> =>
    sendUntilKnown(sendOnce(signed, more), clock, more)
  const memories = commandMemories(clock)
  const memory: QueueMemory = { taken: [], latest: new Map() }
  const inclusionService = (signed: PaymentToSend | DelegationToSend, more: PollOptions | undefined) => ({
    ...reads,
    isResent,
    memoryOf: (command: SignedCommand) => memories(transactionPath(command.hash, command.signed)),
    send: (patienceMs: number) => sends(signed, { ...more, patienceMs }),
    transaction: checked(once.transaction, more),
  })
  return {
    ...light,
    sendUntilKnown: async (signed, more) => sends(signed, more),
    waitForInclusion: async (signed, hash, more) =>
      waitForInclusion({ signed, hash }, inclusionService(signed, more), slots, clock, more),
    sendQueue: (store, more) =>
      sendQueue(
        store,
        {
          isResent,
          slots,
          memory,
          account: checked(once.account, more),
          sendOnce: (signed) => sendOnce(signed, more)(),
          lookAt: (command) => {
            const { signed, sentAtTip } = command
            return inclusionLook(command, inclusionService(signed, more), { ...more, sentAtTip }, () => 0)
          },
        },
        clock,
        more,
      ),
    watchBlocks: (onChange, more) => {
      const summary = options.network === undefined ? reads.summary : checked(reads.summary, more)
      return watchBlocks({ ...reads, summary }, onChange, clock, slots, more)
    },
    deposits: (more) => depositSteps({ ...reads, summary: checked(reads.summary, more) }, clock, slots, more),
  }
}

export type { Deposit, DepositStep, DepositsOptions } from './deposits.ts'
// biome-ignore lint/performance/noBarrelFile: an entry of the package, of a few functions that bundlers drop singly
export * from './light.ts'
export type { QueueOptions } from './payment-queue.ts'
export type { QueuedCommand, QueueStore, StoreLease } from './queue-store.ts'
export type { SendOptions } from './send-until-known.ts'
export { StoreInUseError } from './store-in-use-error.ts'
export type { BlockChange, Cursor, WatchBlocksOptions } from './watch-blocks.ts'
