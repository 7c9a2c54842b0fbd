// Many commands of one wallet: sent in the order of their nonces, and again from the lowest, until each has its end.
import { absenceOf, absentNow } from './absence.ts'
import { isRefusedForever, mayHaveArrived, type NotSent, type Outcome } from './broadcast.ts'
import { type Clock, minuteMs, type Pauses, pausesOf, restOf } from './clock.ts'
import { minConfirmations } from './history.ts'
import { type Inclusion, type InclusionOptions, teller } from './inclusion.ts'
import { type Answers, type InclusionLook, reasonToWait, replacedBy } from './inclusion-look.ts'
import { checkNumbers } from './numbers.ts'
import { outlive, type PollOptions } from './polling.ts'
import { type Held, type QueuedCommand, type QueueStore, whileLeased } from './queue-store.ts'
import { type Bids, nonceOf, openBids } from './queued-bids.ts'
import type { Reads } from './reads.ts'
import type { Resending } from './resending.ts'
import { isOutlived, ServiceError } from './service-error.ts'
import { type DelegationToSend, dataOf, factsOf, type PaymentToSend } from './signed-command.ts'
import type { Slots } from './slots.ts'

export interface QueueOptions extends PollOptions, Pick<InclusionOptions, 'confirmations' | 'onUpdate'> {}

export interface QueueService {
  account: Reads['account']
  sendOnce(signed: PaymentToSend | DelegationToSend): Promise<Outcome>
  /** A look at what has become of a command, which sends nothing; it remembers what the look before has found. */
  lookAt(command: QueuedCommand): InclusionLook
  readonly isResent: Resending
  readonly slots: Slots
  readonly memory: QueueMemory
}

/** A client's memory across queues, since `sendQueue` returns whenever the store is empty. */
export interface QueueMemory {
  /** Settled in a block, the latest first: a rival may come into the store just after. */
  readonly taken: QueuedCommand[]
  /** The nonce that a wallet's account had under the highest tip so far, by public key. */
  readonly latest: Map<string, { readonly height: number; readonly nonce: number }>
}

/** What this run knows of a command, beside what the store does. */
interface Followed {
  readonly look: InclusionLook
  /** Pauses between sendings that are refused. */
  readonly pauses: Pauses
  /** An earlier sending was accepted, cut off, or left without an answer. */
  maySent: boolean
  /** The nodes accepted or refused it. It is sent again only if the nodes lose the nonce. */
  isAnswered: boolean
  /** Of the latest sending, where it decides nothing. */
  refusal: NotSent | undefined
  refusals: number
  /** In a block that has too few others on top. */
  isInBlock: boolean
  /** The height of the tip at which it can have enough blocks on top, if it is in a block. */
  dueAt: number
  /** Nothing but an indexer can settle it. */
  isVain: boolean
}

/** Of the commands that were settled in a block. */
const maxTaken = 100

/** The longest pause between two looks at the chain where nothing waits to be sent; the store is asked all the same. */
const maxIdleMs = 2 * minuteMs
/** The same where nothing but an indexer can settle any of them. */
const vainMs = 6 * minuteMs

const isIn = (inclusion: Inclusion): inclusion is Extract<Inclusion, { readonly state: 'included' | 'failed' }> =>
  inclusion.state === 'included' || inclusion.state === 'failed'

/**
 * Sends what the store holds until it is empty, while this queue has its lease.
 *
 * @returns when the store is empty, or the signal is aborted
 * @throws StoreInUseError where another queue has the lease; what the store throws; ServiceError for an error that does not pass, such as 404 for a wallet without an account
 */
export async function sendQueue(
  store: QueueStore,
  service: QueueService,
  clock: Clock,
  options: QueueOptions = {},
): Promise<void> {
  checkNumbers(options)
  return whileLeased(store.lease, clock, (held) => sendHeld(store, held, service, clock, options))
}

async function sendHeld(
  store: QueueStore,
  { hold, pause }: Held,
  service: QueueService,
  clock: Clock,
  options: QueueOptions,
): Promise<void> {
  const { pollMs = 5_000, confirmations: wanted = minConfirmations, signal, onUpdate } = options
  const { slots, memory } = service
  const { taken, latest } = memory
  /** By hash. */
  const followed = new Map<string, Followed>()
  /** The tip under which the used nonces were looked at. */
  let lookedAt: { readonly stateHash: string; readonly height: number } | undefined
  /** The gap of the round before: one node's word for it is not enough to sign anew. */
  let gapBefore: number | undefined
  /** In pauses, since a node took or the chain settled a command, or nothing was in the way. */
  let troubledMs = 0
  /** The first tip that this run has seen, from which on it counts how fast blocks come. */
  let begun: { readonly height: number; readonly atMs: number } | undefined
  /** Nothing waits to be sent: only a block can change what is known. */
  const idle = restOf(clock)
  /** A clock that stands still must not hold up the queue. */
  let idlePolls = 0
  const absence = absenceOf()
  const tell = teller(onUpdate)

  function follow(command: QueuedCommand): Followed {
    const known = followed.get(command.hash) ?? {
      look: service.lookAt(command),
      pauses: pausesOf(clock),
      // Read when this run meets the command, since its own refused sendings are not earlier ones.
      maySent: store.sending === undefined || command.maySent === true,
      isAnswered: false,
      refusal: undefined,
      refusals: 0,
      isInBlock: false,
      dueAt: 0,
      isVain: false,
    }
    followed.set(command.hash, known)
    return known
  }

  /** @throws ServiceError that passes for an account that a reorganisation may have taken off */
  async function readAccount(from: string): ReturnType<QueueService['account']> {
    try {
      const account = await service.account(from, options)
      absence(true, account.chain?.height)
      return account
    } catch (error) {
      const isAbsent = error instanceof ServiceError && error.code === 'not-found'
      throw isAbsent && !absence(false, error.chain?.height) ? absentNow(error) : error
    }
  }

  async function settle(command: QueuedCommand, end: Inclusion): Promise<void> {
    await hold()
    await store.settle(command, end)
    if (isIn(end)) taken.unshift(command)
    taken.splice(maxTaken)
    followed.delete(command.hash)
    troubledMs = 0
    await tell(command.hash, end)
  }

  async function send(command: QueuedCommand): Promise<Outcome> {
    await hold()
    await store.sending?.(command)
    return service.sendOnce(command.signed)
  }

  async function fillGap(nonce: number): Promise<void> {
    await hold()
    await store.fillGap?.(nonce)
  }

  /**
   * Looks at the commands of one nonce, and settles those that have their end. The one in a block settles the others with it,
   * under as many blocks as they need: once it has left the store, nothing may prove what became of them.
   *
   * @throws the first ServiceError of a look, after whatever the other looks have settled
   */
  async function lookAt(bids: readonly QueuedCommand[]): Promise<ReadonlyMap<QueuedCommand, Inclusion>> {
    const looks = new Map<QueuedCommand, Inclusion>()
    const answers: Answers = new Map()
    let trouble: unknown
    for (const command of bids) {
      const others = bids.filter((other) => other !== command)
      try {
        looks.set(command, await follow(command).look([...others, ...taken], answers))
      } catch (error) {
        if (signal?.aborted || !isOutlived(error)) throw error
        trouble ??= error
        looks.set(command, { state: 'undecided', because: 'no-answer' })
      }
    }
    for (const [taker, taken] of looks) {
      if (!isIn(taken)) continue
      const isDeep = taken.final === true || (taken.confirmations ?? 0) >= minConfirmations
      for (const other of bids) {
        const replaced = other === taker ? undefined : replacedBy(factsOf(other.signed), taker, taken)
        if (replaced && isDeep) looks.set(other, replaced)
        else if (replaced) looks.set(taker, { state: 'unconfirmed', sofar: { ...taken, state: 'included' } })
      }
    }
    const isEnd = (inclusion: Inclusion) => isIn(inclusion) || ['replaced', 'expired'].includes(inclusion.state)
    const ends = [...looks].filter(([, end]) => isEnd(end))
    // The one in a block last: after a crash in between it still settles its rivals.
    for (const [command, end] of ends.sort(([, one], [, other]) => Number(isIn(one)) - Number(isIn(other)))) {
      await settle(command, end)
    }
    for (const [command, inclusion] of looks) {
      if (isEnd(inclusion)) continue
      const { refusal } = follow(command)
      const isRefused = refusal && inclusion.state === 'undecided' && inclusion.because === 'possible'
      await tell(command.hash, isRefused ? waiting(refusal, inclusion) : inclusion)
    }
    if (trouble) throw trouble
    return looks
  }

  /**
   * Sends the one whose turn it is.
   *
   * @param isAwaited others wait for its nonce
   * @returns `taken` by a node; milliseconds that the service asks to wait; undefined where it must wait longer
   */
  async function sendNext(
    command: QueuedCommand,
    isAwaited: boolean,
    open: readonly (readonly QueuedCommand[])[],
  ): Promise<'taken' | number | undefined> {
    const known = follow(command)
    if (!known.pauses.isOver()) return undefined
    const outcome = await send(command)
    known.maySent ||= mayHaveArrived(outcome)
    known.refusal = undefined
    if (!('retriable' in outcome)) {
      known.isAnswered = true
      known.pauses.end()
      troubledMs = 0
      await tell(command.hash, { state: 'undecided', because: 'pending' })
      return 'taken'
    }
    const waitMs = (outcome.retryAfterSeconds ?? 0) * 1000
    if (outcome.retriable) {
      await tell(command.hash, waiting(outcome))
      return waitMs
    }
    known.isAnswered = true
    if (outcome.outcome === 'refused') known.refusal = outcome
    // Before a look that may fail.
    known.pauses.begin()
    const bids = open.find((each) => each.includes(command)) ?? [command]
    const found = (await lookAt(bids)).get(command)
    if (!followed.has(command.hash)) return waitMs
    const isNowhere = found?.state === 'undecided' && found.because === 'possible'
    const isBelieved = isRefusedForever(outcome) || (!known.maySent && outcome.code !== 'expired')
    if (outcome.outcome === 'refused' && isNowhere && isBelieved) {
      await settle(command, { ...outcome, state: 'refused' })
      return waitMs
    }
    known.refusals += 1
    const isAlone = bids.length === 1 && isAwaited
    if (isAlone && isNowhere && known.refusals > 1) await fillGap(nonceOf(command))
    return undefined
  }

  /** @returns the same; undefined also once the nodes have taken each */
  async function sendInOrder(
    unsent: readonly QueuedCommand[],
    open: readonly (readonly QueuedCommand[])[],
  ): Promise<number | undefined> {
    for (const command of unsent) {
      if (signal?.aborted) return undefined
      const result = await sendNext(command, unsent.length > 1, open)
      if (result === 'taken') continue
      for (const later of open.flat().filter((each) => nonceOf(each) > nonceOf(command))) {
        await tell(later.hash, { state: 'undecided', because: 'waits-for-nonce' })
      }
      return result
    }
    return undefined
  }

  /**
   * Looks at the commands whose nonce is used, and at those that may expire: a node refuses them, or took them and no pool has
   * them, as where only a daemon that stands still takes them.
   *
   * @returns false after trouble that passes. It holds up no other look, and no sending
   */
  async function lookAtOpen(
    bids: readonly Bids[],
    { nonce, nextNonce }: { readonly nonce: number; readonly nextNonce: number },
    height: number | undefined,
  ): Promise<boolean> {
    // A hard fork lowers the tip.
    const isLower = height !== undefined && lookedAt !== undefined && height < lookedAt.height
    const isDue = (command: QueuedCommand) =>
      height === undefined || isLower || onUpdate || (followed.get(command.hash)?.dueAt ?? 0) <= height
    const isOpen = (command: QueuedCommand) => {
      const { refusal, isAnswered } = follow(command)
      const isInNoPool = nonceOf(command) >= nextNonce
      return nonceOf(command) < nonce || refusal !== undefined || (isAnswered && isInNoPool)
    }
    let isDone = true
    for (const sameNonce of bids.filter((each) => each.some((command) => isOpen(command) && isDue(command)))) {
      try {
        for (const [command, end] of await lookAt(sameNonce)) {
          const known = followed.get(command.hash)
          const missing = end.state === 'unconfirmed' ? wanted - (end.sofar.confirmations ?? 0) : 1
          if (!known) continue
          known.isVain = end.state === 'undecided' && end.needsIndexer === true
          known.isInBlock = end.state === 'unconfirmed'
          if (height !== undefined) known.dueAt = height + Math.max(1, missing)
        }
      } catch (error) {
        await outlive(error, options)
        isDone = false
      }
    }
    return isDone
  }

  function rest(ms: number): void {
    idle.begin(ms)
    idlePolls = ms / (pollMs || 1)
  }

  /** @returns the mean time from one block to the next; while none has come, the time without one */
  function paceMs(height = begun?.height ?? 0): number {
    if (!begun || height < begun.height) begun = { height, atMs: clock.now() }
    return (clock.now() - begun.atMs) / Math.max(1, height - begun.height)
  }

  /** @returns the same as `sendInOrder`; undefined where all is sent */
  async function round(bids: readonly Bids[], [first]: Bids): Promise<number | undefined> {
    const { from } = dataOf(first.signed)
    const { value, chain } = await readAccount(from)
    const blockMs = Math.min(maxIdleMs, paceMs(chain?.height))
    for (const command of bids.flat()) follow(command)
    let isTroubled = false
    if (lookedAt === undefined || chain?.stateHash !== lookedAt.stateHash) {
      isTroubled = !(await lookAtOpen(bids, value, chain?.height))
      lookedAt = isTroubled ? undefined : chain
    }
    const open = bids.map((each) => each.filter(({ hash }) => followed.has(hash)))
    // Nodes keep one command of a nonce, the one with the highest fee.
    const highest = open.flatMap((each) => each.find((command) => follow(command).pauses.isOver()) ?? each.slice(0, 1))
    const contested = new Set(open.filter(({ length }) => length > 1).flat())
    const isMissing = (command: QueuedCommand) => nonceOf(command) >= value.nextNonce
    const isNewReplacement = (command: QueuedCommand) =>
      nonceOf(command) >= value.nonce && contested.has(command) && !follow(command).isAnswered
    const unsent = highest.filter((command) => isMissing(command) || isNewReplacement(command))
    const [lowest] = unsent
    const gap = lowest && nonceOf(lowest) > value.nextNonce ? value.nextNonce : undefined
    // A daemon that has stopped, or lies behind, calls a nonce free that the chain has used. After a hard fork its nonces are
    // believed once the new chain is as high as the old one was.
    const known = latest.get(from)
    const isOld = chain && known && chain.height < known.height && value.nonce < known.nonce
    if (chain && !isOld) latest.set(from, { height: chain.height, nonce: value.nonce })
    const isSure = gap !== undefined && gap === gapBefore && !isOld
    if (!isOld) gapBefore = isSure ? undefined : gap
    if (gap === undefined) {
      const waitMs = await sendInOrder(unsent, open)
      if (waitMs !== undefined) return waitMs
    } else if (isSure) await fillGap(gap)
    for (const [bid] of open.map((each) => each.filter((command) => !follow(command).refusal))) {
      if (signal?.aborted || !bid) continue
      const isPending = value.nonce <= nonceOf(bid) && !isMissing(bid) && !unsent.includes(bid)
      if (!service.isResent(bid.hash, isPending)) continue
      // The outcome decides nothing, since a pool has it.
      await send(bid)
    }
    const commands = open.flat()
    const isDueNext = (command: QueuedCommand) => {
      const { isInBlock, dueAt } = follow(command)
      return isInBlock && chain && dueAt <= chain.height + 1
    }
    const isUsed = commands.every((command) => nonceOf(command) < value.nonce)
    if (isUsed && commands.every((command) => follow(command).isVain)) rest(vainMs)
    else if (isUsed && !commands.some(isDueNext)) rest(blockMs)
    else if (!isTroubled && unsent.length === 0) rest(slots.pauseMs(pollMs))
    // Longer than caches keep an account, so that the next answer is another one.
    return gap === undefined ? undefined : isSure ? 0 : pollMs
  }

  for (;;) {
    await hold()
    const bids = await openBids(store)
    const [lowest] = bids
    if (lowest === undefined || signal?.aborted) return
    if (!idle.isOver() && --idlePolls > 0 && bids.flat().every(({ hash }) => followed.has(hash))) {
      await pause(pollMs, signal)
      continue
    }
    let waitMs: number | undefined
    try {
      waitMs = await round(bids, lowest)
    } catch (error) {
      waitMs = await outlive(error, options)
      if (signal?.aborted) return
      const because = error instanceof ServiceError && error.code === 'not-found' ? 'no-account' : 'no-answer'
      await tell(lowest[0].hash, { state: 'undecided', because })
    }
    // A share of the outage: a queue goes on soon after a short one, and asks once a minute in a long one.
    const backOffMs = Math.min(minuteMs, 1000 + troubledMs / 16) * (1 + clock.random())
    const pauseMs = waitMs === undefined ? pollMs : Math.max(backOffMs, waitMs)
    troubledMs = waitMs === undefined ? 0 : troubledMs + pauseMs
    await pause(pauseMs, signal)
  }
}

/** A command that is still open after a sending that failed, and what the latest look, if any, has found. */
function waiting(failed: NotSent, look?: Inclusion): Inclusion {
  const fate = look?.state === 'undecided' ? look.fate : undefined
  return { state: 'undecided', because: reasonToWait(failed, 'no-answer'), fate, code: failed.code }
}
