// The owner's store of a queue, and its lease: one queue at a time may use it.
import { type Clock, minuteMs, type Signal } from './clock.ts'
import type { Inclusion, InclusionOptions, SignedCommand } from './inclusion.ts'
import { StoreInUseError } from './store-in-use-error.ts'

/** A signed command that waits for its end; its hash is as `waitForInclusion` takes it. */
export interface QueuedCommand extends SignedCommand, Pick<InclusionOptions, 'sentAtTip' | 'sentAtMs'> {
  /** True from the first call of `sending` on: then a refusal is not an end, since an earlier sending may have arrived. */
  readonly maySent?: boolean | undefined
}

/** Yours: what is in it survives a restart. */
export interface QueueStore {
  /** The commands of one wallet that have no end yet, in any order. It is asked in every round: add to it at any time. */
  commands(): Promise<readonly QueuedCommand[]>
  /** Keeps the end of one, which is not among `commands` any more. */
  settle(command: QueuedCommand, end: Inclusion): Promise<unknown>
  /**
   * Called before each sending. Keep that it was called, and give the command back with `maySent: true`, also after a restart.
   * Without this member every command counts as sent before, so that only refusals that nothing can change are an end.
   */
  sending?(command: QueuedCommand): Promise<unknown>
  /**
   * Called when later commands wait for a nonce that no command of the store uses, or whose only command is refused again and
   * again and may have been sent before. Sign one with it, such as a payment to yourself, and add it: of two with one nonce
   * only one is ever included. Without this the queue waits until somebody else uses the nonce.
   */
  fillGap?(nonce: number): Promise<unknown>
  /** One for each opening of the store, where another program may open it too: only the queue that has it uses the store. */
  readonly lease?: StoreLease | undefined
}

/** The right to use a store, of one queue at a time. */
export interface StoreLease {
  /**
   * Takes the store for so many milliseconds from now, or for so many more where this lease has it already.
   *
   * @returns false where another one has it, or has had it since this one
   */
  take(ms: number): Promise<boolean>
  /** Gives back what this lease has. After a program that was killed the time of its lease has to pass. */
  release(): Promise<void>
}

/** Long enough for a request and its repetitions. After a program was killed, nobody can use its store for so long. */
const leaseMs = 2 * minuteMs
/** During a pause the lease is renewed this often. */
const renewalMs = 30_000

/** The leases that queues of this program hold. */
const leases = new WeakSet<StoreLease>()

/** The lease in the hands of a queue. Both methods reject with a StoreInUseError once another queue has taken the store. */
export interface Held {
  /** To be awaited before each sending, and each use of the store that changes it. */
  hold(): Promise<void>
  pause(ms: number, signal: Signal | undefined): Promise<void>
}

/**
 * Takes the lease, if the store has one, and gives it back.
 *
 * @throws StoreInUseError where another queue has it; what the lease and `use` throw
 */
export async function whileLeased(
  lease: StoreLease | undefined,
  clock: Clock,
  use: (held: Held) => Promise<void>,
): Promise<void> {
  if (!lease) return use({ hold: async () => undefined, pause: (ms, signal) => clock.wait(ms, signal) })
  if (leases.has(lease)) throw new StoreInUseError()
  async function hold(): Promise<void> {
    if (!lease || (await lease.take(leaseMs))) return
    leases.delete(lease)
    throw new StoreInUseError()
  }
  leases.add(lease)
  try {
    await use({
      hold,
      async pause(ms, signal) {
        let leftMs = ms
        for (; leftMs > renewalMs && !signal?.aborted; leftMs -= renewalMs) {
          await clock.wait(renewalMs, signal)
          await hold()
        }
        await clock.wait(leftMs, signal)
      },
    })
  } finally {
    // A lease that another queue has taken is not ours to release.
    if (leases.delete(lease)) await lease.release()
  }
}
