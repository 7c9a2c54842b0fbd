// Many commands of one wallet: sent in the order of their nonces, and again from the lowest, until each has its end.
import type { Outcome } from './broadcast.ts'
import type { Clock } from './clock.ts'
import { type Inclusion, type InclusionOptions, minConfirmations, type SignedCommand } from './inclusion.ts'
import type { Reads } from './reads.ts'
import { isOutlived } from './service-error.ts'
import { type DelegationToSend, dataOf, type PaymentToSend } from './signed-command.ts'
import type { PollOptions } from './watch-tip.ts'

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
   * Called when later commands wait for a nonce that no command of the store uses. Sign one with it, such as a payment to
   * yourself, and add it. Without this the queue waits until somebody else uses the nonce.
   */
  fillGap?(nonce: number): Promise<unknown>
}

export interface QueueOptions extends PollOptions, Pick<InclusionOptions, 'confirmations' | 'onUpdate'> {}

export interface QueueService {
  account: Reads['account']
  sendOnce(signed: PaymentToSend | DelegationToSend): Promise<Outcome>
  /** A look at what has become of a command, which sends nothing; it remembers what the look before has found. */
  lookAt(command: QueuedCommand): () => Promise<Inclusion>
}

/** Short, so that a queue goes on soon after a node is back; a share of chance is added. */
const maxTroubleMs = 2_500

/** The service's gateway gives up on a request after 30 seconds. */
const maxRequestMs = 30_000

const nonceOf = ({ signed }: QueuedCommand): number => Number(dataOf(signed).nonce)
const feeOf = ({ signed }: QueuedCommand): bigint => BigInt(dataOf(signed).fee)

const byNonce = (one: QueuedCommand, other: QueuedCommand): number => nonceOf(one) - nonceOf(other)
const byHigherFee = (one: QueuedCommand, other: QueuedCommand): number => (feeOf(one) > feeOf(other) ? -1 : 1)

/**
 * @returns the lowest nonce first, and of several commands with one nonce the highest fee
 * @throws Error for commands of several wallets
 */
async function openCommands(store: QueueStore): Promise<readonly QueuedCommand[]> {
  const commands = [...(await store.commands())].sort((one, other) => byNonce(one, other) || byHigherFee(one, other))
  const senders = new Set(commands.map(({ signed }) => dataOf(signed).from))
  if (senders.size > 1) throw new Error('the commands of a queue have one sender')
  return commands
}

/**
 * Sends what the store holds until it is empty.
 *
 * @returns when the store is empty, or the signal is aborted
 * @throws what the store throws; ServiceError for an error that does not pass, such as 404 for a wallet without an account
 */
export async function sendQueue(
  store: QueueStore,
  service: QueueService,
  clock: Clock,
  options: QueueOptions = {},
): Promise<void> {
  const { pollMs = 5_000, confirmations: wanted = minConfirmations, signal } = options
  /** By hash: the height of the tip at which a command that is in a block can have enough others on top. */
  const dueAt = new Map<string, number>()
  /** By hash: until then a request whose answer was lost may still reach a node. */
  const inFlightUntil = new Map<string, number>()
  /** Hashes of commands that the nodes accepted or refused. They are sent again only if the nodes lose the nonce. */
  const answered = new Set<string>()
  /** The tip under which the used nonces were looked at. */
  let lookedAt: string | undefined
  /** The gap of the round before: one node's word for it is not enough to sign anew. */
  let gapBefore: number | undefined
  let rounds = 0

  const looks = new Map<string, () => Promise<Inclusion>>()

  const look = async (command: QueuedCommand): Promise<Inclusion> => {
    const lookAtIt = looks.get(command.hash) ?? service.lookAt(command)
    looks.set(command.hash, lookAtIt)
    const end = await lookAtIt()
    if (['included', 'failed', 'replaced', 'expired'].includes(end.state)) await store.settle(command, end)
    return end
  }

  /** @returns milliseconds that the service asks to wait; undefined once the nodes have taken each */
  async function sendInOrder(commands: readonly QueuedCommand[]): Promise<number | undefined> {
    for (const command of commands) {
      const { hash, signed } = command
      if (signal?.aborted) return undefined
      const outcome = await service.sendOnce(signed)
      if (!('retriable' in outcome && outcome.retriable)) answered.add(hash)
      if (!('retriable' in outcome)) continue
      const { retriable, retryAfterSeconds = 0, status } = outcome
      if (outcome.outcome === 'unknown' && status !== 429) inFlightUntil.set(hash, clock.now() + maxRequestMs)
      if (!retriable) {
        const isBelieved = outcome.outcome === 'refused' && outcome.sentAtMs >= (inFlightUntil.get(hash) ?? 0)
        const end = await look(command)
        const isNowhere = end.state === 'undecided' && end.because === 'possible'
        if (isBelieved && isNowhere) await store.settle(command, { ...outcome, state: 'refused' })
      }
      // The later ones wait for this nonce.
      return retryAfterSeconds * 1000
    }
    return undefined
  }

  /** @returns the same; undefined where all is sent */
  async function round(commands: readonly QueuedCommand[]): Promise<number | undefined> {
    const [first] = commands
    if (first === undefined) return undefined
    const { value, chain } = await service.account(dataOf(first.signed).from, options)
    if (lookedAt === undefined || chain?.stateHash !== lookedAt) {
      const height = chain?.height ?? Number.POSITIVE_INFINITY
      const isDue = (command: QueuedCommand) =>
        nonceOf(command) < value.nonce && (dueAt.get(command.hash) ?? 0) <= height
      for (const command of commands.filter(isDue)) {
        const end = await look(command)
        const missing = end.state === 'unconfirmed' ? wanted - (end.sofar.confirmations ?? 0) : 1
        dueAt.set(command.hash, height + Math.max(1, missing))
      }
      lookedAt = chain?.stateHash
    }
    // Nodes keep one command of a nonce, the one with the highest fee, which comes first here.
    const isOutbid = (command: QueuedCommand, index: number) =>
      index > 0 && nonceOf(commands[index - 1] ?? first) === nonceOf(command)
    const outbidNonces = new Set(commands.filter(isOutbid).map(nonceOf))
    const isMissing = (command: QueuedCommand) => nonceOf(command) >= value.nextNonce
    const isNewReplacement = (command: QueuedCommand) =>
      nonceOf(command) >= value.nonce && outbidNonces.has(nonceOf(command)) && !answered.has(command.hash)
    const highestBids = commands.filter((command, index) => !isOutbid(command, index))
    const unsent = highestBids.filter((command) => isMissing(command) || isNewReplacement(command))
    const [lowest] = unsent
    const gap = lowest && nonceOf(lowest) > value.nextNonce ? value.nextNonce : undefined
    const isSure = gap !== undefined && gap === gapBefore
    gapBefore = isSure ? undefined : gap
    if (gap === undefined) return sendInOrder(unsent)
    if (isSure) await store.fillGap?.(gap)
    // Longer than caches keep an account, so that the next answer is another one.
    return isSure ? 0 : pollMs
  }

  for (;;) {
    const commands = await openCommands(store)
    if (commands.length === 0 || signal?.aborted) return
    let waitMs: number | undefined
    try {
      waitMs = await round(commands)
    } catch (error) {
      if (signal?.aborted) return
      const { status, retryAfterSeconds = 0 } = Object(error)
      if (!isOutlived(status)) throw error
      waitMs = retryAfterSeconds * 1000
    }
    rounds = waitMs === undefined ? 0 : rounds + 1
    const backOffMs = Math.min(maxTroubleMs, 250 * 2 ** rounds) * (1 + clock.random())
    await clock.wait(waitMs === undefined ? pollMs : Math.max(backOffMs, waitMs), signal)
  }
}
