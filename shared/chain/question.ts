// The whole loop of one question to the nodes: it starts, hedges, fails over, confirms and gives up.
import { nodeBusy } from '../upstream/errors.ts'
import type { Operation } from '../upstream/operation.ts'
import type { NodePort } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import { decide, type Ended, type EndedAnswer, failureOfAll, mayHedge, type Progress } from './decide.ts'
import type { Instant } from './instant.ts'
import {
  hasBudget,
  isAhead,
  isBehind,
  isBelievable,
  isClockBehind,
  isUninformative,
  needsFresher,
  needsSlot,
  networkOf,
  nodeAt,
  unknownBefore,
} from './network-state.ts'
import { isOfBestTier, outOfUse, ranked, refusedForMs, successor } from './node-selection.ts'
import { hedgeDelayMs, isDemoted, isSlow, isUnproven, maxHedgeDelayMs, sparedShare } from './node-state.ts'
import type { Outcome } from './outcome.ts'
import type { CallTerms, Clock, ExtraCall, PlacedAnswer, RequestOptions, Watch } from './port.ts'
import type { ChainEvent, ChainState } from './state.ts'

/** The chain as a question sees it. */
export interface QuestionHost {
  readonly nodes: readonly NodePort[]
  /** Changed by `learn` only. */
  readonly state: ChainState
  readonly watch: Watch | undefined
  readonly after: Clock['after']
  instant(): Instant
  random(): number
  learn(event: ChainEvent): void
  /** Puts the question to one node, and learns from how that ends. */
  call(node: number, operation: Operation, variables: Variables, terms: CallTerms): Promise<Outcome>
  /** Learns the network where a node listed before this one decides which it is. */
  learnEarlier(node: number, patienceMs: number): Promise<void>
  /** Learns the length of a slot, where it decides whether a tip is old. */
  learnSlot(): Promise<void>
}

/** The time that an answer waits for a second one that it needs. */
const confirmationPatienceMs = 1500

type Finished = Outcome & { readonly node: number; readonly isStale: boolean }

/** One question to the nodes: at most three calls, two at a time. */
export class Question {
  readonly #host: QuestionHost
  readonly #operation: Operation
  readonly #variables: Variables
  readonly #options: RequestOptions
  /** Nodes that are spared this question, since they refuse load. */
  readonly #spared: ReadonlySet<number>
  /** The network is not known yet. */
  readonly #isCold: boolean
  readonly #running = new Map<number, AbortController>()
  /** Answers that came before the network was known, each with what lets it count. */
  readonly #held = new Map<number, () => void>()
  readonly #finished: Finished[] = []
  #isHedged = false
  /** A node that was asked because the others took too long. */
  #helper: number | undefined
  #isHurried = false
  #isRepeated = false
  #askedFresher = false
  #stopTimer: () => void = () => undefined
  #news = Promise.withResolvers<void>()

  constructor(host: QuestionHost, operation: Operation, variables: Variables, options: RequestOptions) {
    this.#host = host
    this.#operation = operation
    this.#variables = variables
    this.#options = options
    this.#isCold = this.#hasSeveral && networkOf(host.state) === undefined
    host.learn({ type: 'choosing' })
    const at = host.instant()
    const isSpared = (node: number) => host.random() < sparedShare(nodeAt(host.state, node), at)
    this.#spared = new Set(ranked(host.state, at).filter(isSpared))
  }

  /** True if there are several places, whose answers can be compared. */
  get #hasSeveral(): boolean {
    return this.#host.nodes.length > 1
  }

  /**
   * @returns the best answer that came
   * @throws WireError `busy` when no node answers, and for a thing that is not found below a height that was seen
   */
  async answer(): Promise<EndedAnswer & { readonly superseded: readonly PlacedAnswer<unknown>[] }> {
    try {
      this.#start(this.#first())
      for (;;) {
        await this.#news.promise
        this.#news = Promise.withResolvers()
        const step = decide(this.#progress())
        switch (step.do) {
          case 'answer':
            return { ...this.#accept(step.answer), superseded: this.#answersBeside(step.answer) }
          case 'give-up':
            this.#tellRefusal()
            throw failureOfAll(this.#finished, this.#hasSeveral ? (node) => this.#host.nodes[node]?.name : undefined)
          case 'ask':
            this.#askAnother(step.why)
            break
          case 'wait':
            this.#hurry()
        }
      }
    } finally {
      this.#finish()
    }
  }

  /** @throws WireError `busy` and unsent where no node is there to ask, or all that are up refuse load */
  #first(): number {
    const { state, watch } = this.#host
    const at = this.#host.instant()
    const left = this.#left()
    const isShed = this.#spared.size > 0 && left.every((node) => isDemoted(nodeAt(state, node), at))
    const [first] = left
    if (first !== undefined && !isShed) return first
    const reason = isShed ? 'the nodes refuse load' : `no node is on the network ${networkOf(state)}`
    watch?.called({ operation: this.#operation.name, durationMs: 0, outcome: 'shed', reason })
    this.#tellRefusal()
    throw nodeBusy(`not asked: ${reason}`, { isUnsent: true })
  }

  /** Notes for how long every node refuses calls, if they say so. */
  #tellRefusal(): void {
    const { state, watch } = this.#host
    const refusedMs = refusedForMs(state, this.#host.instant())
    if (refusedMs !== undefined) watch?.refusedFor('node', refusedMs)
  }

  /** The nodes that may still be asked, the best first. */
  #left(): readonly number[] {
    const isAsked = (index: number) => this.#running.has(index) || this.#finished.some(({ node }) => node === index)
    const all = ranked(this.#host.state, this.#host.instant())
    return all.filter((index) => !isAsked(index) && !this.#spared.has(index))
  }

  /** Those of them whose answers may confirm or correct another one's. */
  #usableLeft(): readonly number[] {
    return this.#left().filter((index) => !isUnproven(nodeAt(this.#host.state, index)))
  }

  /**
   * The nodes to ask for a confirmation. Once all that are in use were asked and lie below the greatest height seen,
   * also those out of use: one that has recovered keeps the tip from going back, and is in use from then on.
   */
  #confirmers(): readonly number[] {
    const usable = this.#usableLeft()
    if (usable.length > 0) return usable
    const { greatestHeight } = this.#host.state
    const isBelow = ({ tip }: EndedAnswer) => tip !== undefined && tip.height < greatestHeight
    const answers = this.#ended().filter((each) => each.kind === 'answer')
    return answers.length > 0 && answers.every(isBelow) ? this.#left() : []
  }

  /** True if no node has received anything yet: asking the next one then multiplies nothing. */
  #isFree(): boolean {
    return this.#running.size === 0 && this.#finished.every((call) => call.kind === 'failure' && call.error.isUnsent)
  }

  #successor(): number | undefined {
    const isShared = (node: number) => this.#host.nodes[node]?.sharedAddress === true
    const ended = this.#isRepeated ? [] : this.#finished
    return successor(this.#host.state, this.#left(), this.#isFree(), ended, isShared)
  }

  /** A call as it is now: an answer falls behind when a later one shows a higher tip. */
  #ended(): readonly Ended[] {
    const { state } = this.#host
    const at = this.#host.instant()
    return this.#finished.map((call) => {
      const tip = call.kind === 'answer' && this.#hasSeveral ? call.tip : undefined
      return {
        ...call,
        isBehind: tip !== undefined && isBehind(state, tip, at),
        isUninformative: isUninformative(state, call.node, call),
      }
    })
  }

  #progress(): Progress {
    return {
      ended: this.#ended(),
      running: this.#running.size,
      isConfirmerLeft: () => this.#confirmers().length > 0,
      mayFailOver: () => this.#successor() !== undefined,
    }
  }

  #start(node: number, why?: ExtraCall): void {
    const host = this.#host
    if (why === 'failover' && !this.#isFree()) host.learn({ type: 'extra-call' })
    const abort = new AbortController()
    this.#running.set(node, abort)
    const isCheck = why === 'confirm' || why === 'stale'
    const release = Promise.withResolvers<void>()
    const terms: CallTerms = {
      ...this.#options,
      why,
      abort,
      until: this.#isCold ? Promise.race([this.#host.learnEarlier(node, maxHedgeDelayMs), release.promise]) : undefined,
      ...(isCheck && { limitMs: confirmationPatienceMs }),
      onReply: () => {
        if (this.#isCold) this.#held.set(node, release.resolve)
        if (this.#running.size === 1) this.#stopTimer()
      },
    }
    const ended = host
      .call(node, this.#operation, this.#variables, terms)
      .then((outcome) => this.#end(node, abort, outcome))
    ended.catch((error: unknown) => {
      // The question may have been answered already.
      this.#news.promise.catch(() => undefined)
      this.#news.reject(error)
    })
    this.#stopTimer()
    if (!this.#hasSeveral || this.#helper !== undefined) return
    const delayMs = this.#isHedged ? maxHedgeDelayMs : hedgeDelayMs(nodeAt(host.state, node))
    this.#stopTimer = host.after(delayMs, () => {
      if (this.#isHedged) this.#askHelper()
      else this.#hedge(delayMs)
    })
  }

  async #end(node: number, { signal }: AbortController, outcome: Outcome): Promise<void> {
    const host = this.#host
    const tip = outcome.kind === 'answer' && this.#hasSeveral ? outcome.tip : undefined
    const isSlotNeeded = tip !== undefined && needsSlot(host.state, tip, host.instant())
    if (isSlotNeeded && !signal.aborted) await host.learnSlot()
    if (signal.aborted) return
    this.#running.delete(node)
    this.#held.delete(node)
    const isStale = tip !== undefined && needsFresher(host.state, tip, host.instant())
    this.#finished.push({ ...outcome, node, isStale })
    for (const [held, release] of this.#held) if (unknownBefore(host.state, held).length === 0) release()
    // A held answer may be newer. Each ends by itself, and is then judged together with this one.
    const waitsForHeld = outcome.kind === 'answer' && this.#held.size > 0
    if (!waitsForHeld) this.#news.resolve()
  }

  #askAnother(why: 'failover' | 'confirm' | 'stale'): void {
    if (why === 'stale') this.#askedFresher = true
    const node = why === 'failover' ? this.#successor() : this.#confirmers()[0]
    if (node === undefined) return
    this.#isRepeated ||= this.#finished.some((call) => call.node === node)
    // A node that is out of use may stay down: two are asked in the time of one.
    const isOutOfUse = why === 'confirm' && isUnproven(nodeAt(this.#host.state, node))
    const beside = isOutOfUse ? this.#confirmers()[1] : undefined
    this.#start(node, why)
    if (beside !== undefined) this.#start(beside, why)
  }

  /** Asks another node beside the first, where the budget allows. */
  #hedge(waitedMs: number): void {
    const host = this.#host
    const { state } = host
    const at = host.instant()
    const node = this.#left().find((index) => isOfBestTier(state, index, at))
    const mayAsk = !this.#isHedged && hasBudget(state) && mayHedge(this.#progress())
    if (node === undefined || !mayAsk) {
      this.#stopTimer = host.after(maxHedgeDelayMs - waitedMs, () => this.#askHelper())
      return
    }
    this.#isHedged = true
    host.learn({ type: 'extra-call' })
    this.#start(node, 'hedge')
  }

  /** Asks another node beside those that have taken too long, once, without any budget. */
  #askHelper(): void {
    const { state } = this.#host
    const at = this.#host.instant()
    const node = this.#left().find((index) => !isSlow(nodeAt(state, index), at))
    if (node === undefined || this.#helper !== undefined || this.#running.size === 0) return
    this.#helper = node
    this.#start(node, 'hedge')
  }

  /** An answer that needs another one does not wait for it any longer than for a confirmation. */
  #hurry(): void {
    if (this.#isHurried || !this.#finished.some(({ kind }) => kind === 'answer')) return
    this.#isHurried = true
    this.#stopTimer()
    this.#stopTimer = this.#host.after(confirmationPatienceMs, () => {
      this.#endCalls()
      this.#news.resolve()
    })
  }

  /** @throws WireError `busy` for a thing that is not found below a height that was seen */
  #accept(answer: EndedAnswer): EndedAnswer {
    const host = this.#host
    const { tip, isMissing, node } = answer
    host.learn({ type: 'answered' })
    if (answer.isStale && this.#askedFresher) host.learn({ type: 'nothing-fresher' })
    const at = host.instant()
    // The answer of a node without a tip would be the same.
    if (tip !== undefined && this.#operation.needsNoTip !== true) {
      const isEarly = isAhead(host.state, tip, at)
      if (isEarly && isClockBehind(host.state)) host.watch?.clockIsBehind()
      host.watch?.rests(tip, answer.isBehind || isEarly)
    }
    if (tip === undefined || !isBehind(host.state, tip, at)) return answer
    if (this.#usableLeft().length === 0 && isBelievable(host.state, tip, at)) {
      host.learn({ type: 'stayed-below', node, height: tip.height })
    }
    if (isMissing && answer.isBehind && tip.height < host.state.greatestHeight) {
      throw nodeBusy(`${this.#operation.name}: not found, but no node is at a height that was seen`)
    }
    return answer
  }

  /** The other answers to the question that show something of a node with a tip. */
  #answersBeside(taken: EndedAnswer): readonly PlacedAnswer<unknown>[] {
    return this.#finished.flatMap((call) => {
      if (call.kind === 'failure' || call.data === taken.data) return []
      const { node, data, tip } = call
      return data === undefined || tip === undefined ? [] : [{ node, data, tip }]
    })
  }

  #endCalls(): void {
    // With a reason here and in the exchange, since without one an exception with its stack is made each time.
    for (const abort of this.#running.values()) abort.abort('over')
    this.#running.clear()
  }

  #finish(): void {
    const host = this.#host
    const helper = this.#helper
    this.#stopTimer()
    // It was asked because the others were slow, and has not answered either: it is slow too.
    if (helper !== undefined && this.#running.has(helper)) host.learn({ type: 'helper-was-slow', node: helper })
    this.#endCalls()
    if (this.#hasSeveral) host.watch?.outOfUse(outOfUse(host.state, host.instant()))
  }
}
