// The calls of one question: the first one, a hedge, failovers and confirmations, and how long each is waited for.
import { type Ended, mayHedge, type Outcome, type Progress } from './decide.ts'
import type { Driver } from './driver.ts'
import {
  type ChainState,
  hasBudget,
  isBehind,
  isVain,
  needsFresher,
  needsSlot,
  networkOf,
  nodeAt,
  spent,
  withNode,
} from './network-state.ts'
import { elected, isOfBestTier, outOfUse, ranked, successor } from './node-selection.ts'
import { hedgeDelayMs, isSlow, isUnproven, maxHedgeDelayMs, sparedShare } from './node-state.ts'
import type { Asked, ExtraCall } from './outside.ts'
import type { Labelled } from './port.ts'

const confirmationPatienceMs = 1500

export class Calls {
  /** Nodes that are spared this question, since they refuse load. */
  readonly spared: ReadonlySet<number>
  readonly finished: (Outcome & { readonly node: number; readonly isStale: boolean })[] = []
  askedFresher = false
  readonly #driver: Driver
  readonly #asked: Asked
  readonly #isCold: boolean
  readonly #running = new Map<number, AbortController>()
  #isHedged = false
  /** A node that was asked because the others took too long. */
  #joined: number | undefined
  #isHurried = false
  #isRepeated = false
  #stopTimer: () => void = () => undefined
  #news = Promise.withResolvers<void>()

  constructor(driver: Driver, asked: Asked) {
    this.#driver = driver
    this.#asked = asked
    const { shared } = driver
    const now = this.#now()
    this.#isCold = driver.hasSeveral && networkOf(shared.state) === undefined
    shared.state = elected(shared.state, now)
    const isSpared = (index: number) => shared.random() < sparedShare(nodeAt(shared.state, index), now)
    this.spared = new Set(ranked(shared.state, now).filter(isSpared))
  }

  /**
   * Waits until a call has ended, or has taken too long.
   *
   * @throws any other error than a WireError, since that is our own fault
   */
  async next(): Promise<void> {
    await this.#news.promise
    this.#news = Promise.withResolvers()
  }

  #now = (): number => this.#driver.shared.clock.now()

  get #state(): ChainState {
    return this.#driver.shared.state
  }

  /** The nodes that may still be asked, the best first. */
  left(): readonly number[] {
    const isAsked = (index: number) => this.#running.has(index) || this.finished.some(({ node }) => node === index)
    return ranked(this.#state, this.#now()).filter((index) => !isAsked(index) && !this.spared.has(index))
  }

  /** Those of them whose answers may confirm or correct another one's. */
  usableLeft(): readonly number[] {
    return this.left().filter((index) => !isUnproven(nodeAt(this.#state, index)))
  }

  /** A call as it is now: an answer falls behind when a later one shows a higher tip. */
  #ended(): readonly Ended[] {
    return this.finished.map((call) => {
      const label = call.kind === 'answer' && this.#driver.hasSeveral ? call.label : undefined
      const isOld = label !== undefined && isBehind(this.#state, label, this.#now())
      return { ...call, isBehind: isOld, isVain: isVain(this.#state, call.node, call) }
    })
  }

  /** True if no node has received anything yet: asking the next one then multiplies nothing. */
  #isFree(): boolean {
    return this.#running.size === 0 && this.finished.every((call) => call.kind === 'failure' && call.error.isUnsent)
  }

  #successor(): number | undefined {
    const isShared = (index: number) => this.#driver.portAt(index).sharedAddress
    return successor(this.#state, this.left(), this.#isFree(), this.#isRepeated ? [] : this.finished, isShared)
  }

  progress(): Progress {
    return {
      ended: this.#ended(),
      running: this.#running.size,
      isUsableLeft: () => this.usableLeft().length > 0,
      mayFailOver: () => this.#successor() !== undefined,
    }
  }

  askAnother(why: 'failover' | 'confirm' | 'stale'): void {
    const next = why === 'failover' ? this.#successor() : this.usableLeft()[0]
    if (next === undefined) return
    if (why === 'stale') this.askedFresher = true
    this.#isRepeated ||= this.finished.some(({ node }) => node === next)
    this.start(next, why)
  }

  /** Asks another node beside the first, where the budget allows. */
  #hedge(waitedMs: number): void {
    const { shared } = this.#driver
    const next = this.left().find((index) => isOfBestTier(this.#state, index, this.#now()))
    if (next === undefined || this.#isHedged || !hasBudget(this.#state) || !mayHedge(this.progress())) {
      this.#stopTimer = shared.clock.after(maxHedgeDelayMs - waitedMs, () => this.#join())
      return
    }
    this.#isHedged = true
    shared.state = spent(shared.state)
    this.start(next, 'hedge')
  }

  /** Asks another node beside those that have taken too long, once, without any budget. */
  #join(): void {
    const now = this.#now()
    const next = this.left().find((index) => !isSlow(nodeAt(this.#state, index), now))
    if (next === undefined || this.#joined !== undefined || this.#running.size === 0) return
    this.#joined = next
    this.start(next, 'hedge')
  }

  /** An answer that needs another one does not wait for it any longer than for a confirmation. */
  hurry(): void {
    if (this.#isHurried || !this.finished.some(({ kind }) => kind === 'answer')) return
    this.#isHurried = true
    this.#stopTimer()
    this.#stopTimer = this.#driver.shared.clock.after(confirmationPatienceMs, () => {
      this.#endCalls()
      this.#news.resolve()
    })
  }

  #endCalls(): void {
    // With a reason here and in the driver, since without one an exception with its stack is made each time.
    for (const abort of this.#running.values()) abort.abort('over')
    this.#running.clear()
  }

  start(node: number, why?: ExtraCall): void {
    const { shared } = this.#driver
    const { operation, variables, isUnlabelled } = this.#asked
    if (why === 'failover' && !this.#isFree()) shared.state = spent(shared.state)
    const abort = new AbortController()
    this.#running.set(node, abort)
    const isCheck = why === 'confirm' || why === 'stale'
    const terms = {
      why,
      abort,
      until: this.#isCold ? this.#driver.learnEarlier(node, maxHedgeDelayMs) : undefined,
      isUnlabelled,
      ...(isCheck && { limitMs: confirmationPatienceMs }),
      onReply: () => this.#running.size === 1 && this.#stopTimer(),
    }
    const ended = this.#driver.ask(node, operation, variables, terms).then((result) => this.#end(node, abort, result))
    ended.catch((error: unknown) => {
      // Nobody may be waiting any more.
      this.#news.promise.catch(() => undefined)
      this.#news.reject(error)
    })
    this.#stopTimer()
    if (!this.#driver.hasSeveral || this.#joined !== undefined) return
    const delayMs = this.#isHedged ? maxHedgeDelayMs : hedgeDelayMs(nodeAt(shared.state, node))
    this.#stopTimer = shared.clock.after(delayMs, () => (this.#isHedged ? this.#join() : this.#hedge(delayMs)))
  }

  async #end(node: number, { signal }: AbortController, outcome: Outcome): Promise<void> {
    const label = outcome.kind === 'answer' && this.#driver.hasSeveral ? outcome.label : undefined
    if (label && needsSlot(this.#state, label, this.#now()) && !signal.aborted) await this.#asked.learnSlot?.()
    if (signal.aborted) return
    this.#running.delete(node)
    const isStale = label !== undefined && needsFresher(this.#state, label, this.#now())
    this.finished.push({ ...outcome, node, isStale })
    this.#news.resolve()
  }

  /** The other answers to the question that show something of a node with a tip. */
  answersBeside({ data: taken }: { readonly data: unknown }): readonly Labelled<unknown>[] {
    return this.finished.flatMap((call) => {
      if (call.kind === 'failure' || call.data === taken || call.label === undefined || call.data === undefined)
        return []
      return [{ node: call.node, data: call.data, label: call.label }]
    })
  }

  finish(): void {
    const { shared, watch, hasSeveral } = this.#driver
    this.#stopTimer()
    // The extra node was asked because the others were slow, and has not answered either: it is slow too.
    const joined = this.#joined
    if (joined !== undefined && this.#running.has(joined)) {
      shared.state = withNode(shared.state, joined, (node) => ({ ...node, slowAt: this.#now() }))
    }
    this.#endCalls()
    if (hasSeveral) watch?.outOfUse(outOfUse(shared.state, this.#now()))
  }
}
