// The whole loop of one question to the nodes: it starts, hedges, fails over, confirms and gives up.
import { nodeBusy } from '../upstream/errors.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Variables } from '../upstream/wire.ts'
import { attemptsAt, portAt } from './address.ts'
import { decide, failureOfAll, mayHedge, type Progress } from './decide.ts'
import { type Hedged, Hedging } from './hedging.ts'
import {
  isAhead,
  isBehind,
  isBelievable,
  isClockBehind,
  isUninformative,
  needsFresher,
  needsSlot,
  networkOf,
  unknownBefore,
} from './network-state.ts'
import { outOfUse, ranked, refusedForMs, successor } from './node-selection.ts'
import { isDemoted, isUnproven, maxHedgeDelayMs, sparedShare } from './node-state.ts'
import type { Answer, Outcome } from './outcome.ts'
import type { CallTerms, ExtraCall, RequestOptions } from './port.ts'
import type { RequestHost } from './request-host.ts'

/** The time that an answer waits for a second one that it needs. */
const confirmationPatienceMs = 1500

/** A call in progress. */
interface Running {
  readonly abort: AbortController
  /** Accepts an answer that came before the network was known; undefined until one has come. */
  release?: () => void
}

/** One question to the nodes: at most three calls, two at a time. */
export class Question implements Progress, Hedged {
  readonly #host: RequestHost
  readonly #operation: Operation
  readonly #variables: Variables
  readonly #options: RequestOptions
  /** Nodes that are spared this question, since they refuse load. */
  readonly #spared: ReadonlySet<number>
  /** There are several places, whose answers can be compared. */
  readonly #hasSeveral: boolean
  /** The network is not known yet. */
  readonly #isCold: boolean
  readonly #hedging: Hedging
  readonly running = new Map<number, Running>()
  readonly ended: Outcome[] = []
  #news = Promise.withResolvers<void>()

  constructor(host: RequestHost, operation: Operation, variables: Variables, options: RequestOptions) {
    this.#host = host
    this.#operation = operation
    this.#variables = variables
    this.#options = options
    this.#hedging = new Hedging(host, this)
    this.#hasSeveral = host.nodes.length > 1
    this.#isCold = this.#hasSeveral && networkOf(host.state) === undefined
    host.learn({ type: 'choosing' })
    const at = host.instant()
    const isSpared = (node: number) => host.random() < sparedShare(host.node(node), at)
    this.#spared = new Set(host.judged(ranked).filter(isSpared))
  }

  /**
   * @returns the best answer that came, then the others that show something of a node with a tip
   * @throws WireError `busy` when no node answers, and for a thing that is not found below a height that was seen
   */
  async answers(): Promise<readonly [Answer, ...Answer[]]> {
    let askedFresher = false
    let isHurried = false
    try {
      const first = this.#first()
      const hasRefused = this.#host.refusesLoad(first)
      this.#start(first)
      if (!hasRefused) this.#options.onSent?.(first)
      for (;;) {
        await this.#news.promise
        this.#news = Promise.withResolvers()
        const step = decide(this)
        switch (step.do) {
          case 'answer':
            this.#accept(step.answer, askedFresher)
            return [step.answer, ...this.#beside(step.answer)]
          case 'give-up':
            this.#tellRefusal()
            throw failureOfAll(this.ended, this.#hasSeveral ? (node) => this.#host.nodes[node]?.name : undefined)
          case 'ask':
            askedFresher ||= step.why === 'stale'
            this.#askAnother(step.why)
            break
          case 'wait':
            // An answer that needs another one waits no longer than for a confirmation.
            if (isHurried || !this.ended.some(({ kind }) => kind === 'answer')) break
            isHurried = true
            this.#hedging.hurry(confirmationPatienceMs, () => {
              this.#endCalls()
              this.#news.resolve()
            })
        }
      }
    } finally {
      this.#finish()
    }
  }

  /** @throws WireError `busy` if there is no node to ask, or all that are up refuse load: nothing was sent then */
  #first(): number {
    const { state, observer } = this.#host
    const at = this.#host.instant()
    const left = this.left()
    const isShed = this.#spared.size > 0 && left.every((node) => isDemoted(this.#host.node(node), at))
    const [first] = left
    if (first !== undefined && !isShed) return first
    const reason = isShed ? 'the nodes refuse load' : `no node is on the network ${networkOf(state)}`
    observer?.called({ operation: this.#operation.name, durationMs: 0, outcome: 'shed', reason })
    this.#tellRefusal()
    throw nodeBusy(`not asked: ${reason}`, { isUnsent: true })
  }

  /** Notes how long every node refuses calls, if they say so. */
  #tellRefusal(): void {
    const refusedMs = this.#host.judged(refusedForMs)
    if (refusedMs !== undefined) this.#host.observer?.refusedFor('node', refusedMs)
  }

  left(): readonly number[] {
    const isAsked = (index: number) => this.running.has(index) || this.ended.some(({ node }) => node === index)
    return this.#host.judged(ranked).filter((index) => !isAsked(index) && !this.#spared.has(index))
  }

  /** Those whose answers may confirm or correct another one's. */
  #usableLeft(): readonly number[] {
    return this.left().filter((index) => !isUnproven(this.#host.node(index)))
  }

  /**
   * The nodes to ask for a confirmation. Once all that are in use were asked and are below the greatest height seen,
   * also those out of use: one that has recovered keeps the tip from going back, and is in use from then on.
   */
  #confirmers(): readonly number[] {
    const usable = this.#usableLeft()
    if (usable.length > 0) return usable
    const { greatestHeight } = this.#host.state
    const isBelow = ({ tip }: Answer) => tip !== undefined && tip.height < greatestHeight
    const answers = this.ended.filter((each) => each.kind === 'answer')
    return answers.length > 0 && answers.every(isBelow) ? this.left() : []
  }

  isConfirmerLeft(): boolean {
    return this.#confirmers().length > 0
  }

  isBehind({ tip }: Answer): boolean {
    const { state } = this.#host
    return this.#hasSeveral && tip !== undefined && isBehind(state, tip, this.#host.instant())
  }

  isStale({ tip }: Answer): boolean {
    const { state } = this.#host
    return this.#hasSeveral && tip !== undefined && needsFresher(state, tip, this.#host.instant())
  }

  isUninformative(call: Outcome): boolean {
    return isUninformative(this.#host.state, call)
  }

  mayFailOver(): boolean {
    return this.#successor() !== undefined
  }

  #successor(): number | undefined {
    const answersAgain = (node: number) => attemptsAt(this.#host.nodes[node]) > 1
    const asked = [...this.ended.map(({ node }) => node), ...this.running.keys()]
    const isRepeated = new Set(asked).size < asked.length
    return successor(this.#host.state, this.left(), this.#isFree(), isRepeated ? [] : this.ended, answersAgain)
  }

  /** True if no node has received anything yet, so another call adds no load. */
  #isFree(): boolean {
    return this.running.size === 0 && this.ended.every((call) => call.kind === 'failure' && call.error.isUnsent)
  }

  mayHedge(): boolean {
    return mayHedge(this)
  }

  askBeside(node: number): void {
    this.#start(node, 'hedge')
  }

  #askAnother(why: 'failover' | 'confirm' | 'stale'): void {
    const node = why === 'failover' ? this.#successor() : this.#confirmers()[0]
    if (node === undefined) return
    // A node that is out of use may still be down, so two are asked at once.
    const isOutOfUse = why === 'confirm' && isUnproven(this.#host.node(node))
    const beside = isOutOfUse ? this.#confirmers()[1] : undefined
    this.#start(node, why)
    if (beside !== undefined) this.#start(beside, why)
  }

  #start(node: number, why?: ExtraCall): void {
    const host = this.#host
    if (why === 'failover' && !this.#isFree()) host.learn({ type: 'extra-call' })
    const call: Running = { abort: new AbortController() }
    this.running.set(node, call)
    const isCheck = why === 'confirm' || why === 'stale'
    const release = Promise.withResolvers<void>()
    const learnEarlier = () => Promise.race([host.networks.learnEarlier(node, maxHedgeDelayMs), release.promise])
    // If every node refuses load, this waits until this one answers.
    const earlier = this.#isCold && !host.networks.allRefuseLoad ? learnEarlier() : undefined
    const terms: CallTerms = {
      ...this.#options,
      why,
      abort: call.abort,
      until: this.#isCold ? async (isAnswer) => earlier ?? (isAnswer && learnEarlier()) : undefined,
      ...(isCheck && { limitMs: confirmationPatienceMs }),
      onReply: () => {
        if (this.#isCold) call.release = release.resolve
        if (this.running.size === 1) this.#hedging.stop()
      },
    }
    host
      .call(node, this.#operation, this.#variables, terms)
      .then((outcome) => this.#end(call, outcome))
      .catch((error: unknown) => {
        // The question may have been answered already.
        this.#news.promise.catch(() => undefined)
        this.#news.reject(error)
      })
    if (this.#hasSeveral) this.#hedging.watch(node)
  }

  async #end({ abort: { signal } }: Running, outcome: Outcome): Promise<void> {
    const host = this.#host
    const tip = outcome.kind === 'answer' && this.#hasSeveral ? outcome.tip : undefined
    const isSlotNeeded = tip !== undefined && needsSlot(host.state, tip, host.instant())
    if (isSlotNeeded && !signal.aborted) await host.networks.learnSlot()
    if (signal.aborted) return
    this.running.delete(outcome.node)
    this.ended.push(outcome)
    const held = [...this.running].filter(([, { release }]) => release !== undefined)
    for (const [node, { release }] of held) if (unknownBefore(host.state, node).length === 0) release?.()
    // A held answer may be newer. Each ends by itself, and is then judged together with this one.
    const waitsForHeld = outcome.kind === 'answer' && held.length > 0
    if (!waitsForHeld) this.#news.resolve()
  }

  /** @throws WireError `busy` for a thing that is not found below a height that was seen */
  #accept(answer: Answer, askedFresher: boolean): void {
    const host = this.#host
    const { tip, isMissing, node } = answer
    host.learn({ type: 'answered' })
    if (askedFresher && this.isStale(answer)) host.learn({ type: 'noted', time: 'nothingFresherAt' })
    if (tip === undefined) return
    const at = host.instant()
    // The answer of a node without a tip would be the same.
    if (this.#operation.needsNoTip !== true) {
      const isEarly = isAhead(host.state, tip, at)
      if (isEarly && isClockBehind(host.state)) host.observer?.doubted('isClockBehind')
      host.observer?.answeredAt(tip, this.isBehind(answer) || isEarly)
    }
    if (!isBehind(host.state, tip, at)) return
    if (this.#usableLeft().length === 0 && isBelievable(host.state, tip, at)) {
      host.learn({ type: 'stayed-below', node, height: tip.height })
    }
    if (isMissing && this.#hasSeveral && tip.height < host.state.greatestHeight) {
      throw nodeBusy(`${this.#operation.name}: not found, but no node is at a height that was seen`)
    }
  }

  /** The other answers to the question that show something of a node with a tip. */
  #beside(taken: Answer): readonly Answer[] {
    return this.ended
      .filter((call) => call.kind === 'answer')
      .filter((answer) => answer !== taken && answer.data !== undefined && answer.tip !== undefined)
  }

  #endCalls(): void {
    // With a reason here and where the request ends, since without one an exception with its stack is made each time.
    for (const { abort } of this.running.values()) abort.abort('over')
    this.running.clear()
  }

  #finish(): void {
    const host = this.#host
    const { lastResort } = this.#hedging
    this.#hedging.stop()
    // It was asked because the others were slow, and has not answered either: it is slow too.
    const isSlowToo = lastResort !== undefined && this.running.has(lastResort)
    if (isSlowToo) host.learn({ type: 'noted-of-node', node: lastResort, time: 'slowAt' })
    this.#endCalls()
    if (this.#hasSeveral) host.observer?.outOfUse(host.judged(outOfUse).map((node) => portAt(host, node).name))
  }
}
