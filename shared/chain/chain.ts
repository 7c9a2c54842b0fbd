// biome-ignore-all lint/style/noExcessiveLinesPerFile: the loop of one question is read as a whole.
// The door to the chain. A `Question` is the whole loop of one question to the nodes: it starts, hedges, fails over, confirms
// and gives up. The exchange of one request makes its calls, ends them all with the request, and learns from each.
import { WireError } from '../upstream/errors.ts'
import { askingTip, networkCheck, networkQuery, nodeTipQuery } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { NodePort, QueryUpstream, Tip } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import { decide, type Ended, type EndedAnswer, failureOfAll, mayHedge, type Progress } from './decide.ts'
import { lastingTime } from './lasting-time.ts'
import {
  freshDescription,
  hasBudget,
  isAhead,
  isBehind,
  isBelievable,
  isClockBehind,
  isForeign,
  isHalted,
  isNetworkInDoubt,
  isOtherNetworkFresh,
  isPinStale,
  isUninformative,
  mustAskForPins,
  needsChainId,
  needsFresher,
  needsSlot,
  needsSlotForPins,
  networkOf,
  nodeAt,
  othersToLookAt,
  unknownBefore,
} from './network-state.ts'
import { isOfBestTier, outOfUse, ranked, refusedForMs, successor } from './node-selection.ts'
import { hedgeDelayMs, isDemoted, isSlow, isUnproven, maxHedgeDelayMs, needsCheck, sparedShare } from './node-state.ts'
import {
  endOf,
  failureOf,
  isAskedTooMuch,
  isMutation,
  isTurnedAway,
  lacksNames,
  type Outcome,
  outcomeOf,
  toldOf,
} from './outcome.ts'
import type {
  Answered,
  CallRecord,
  CallTerms,
  Chain,
  ChainOptions,
  Exchange,
  ExtraCall,
  PlacedAnswer,
  RequestOptions,
  Watch,
} from './port.ts'
import { apply, type ChainEvent, type ChainState, initialState } from './state.ts'

/** An answer that needs another one waits so long for it. */
const confirmationPatienceMs = 1500

type Finished = Outcome & { readonly node: number; readonly isStale: boolean }

/** One question to the nodes: at most three calls, two at a time. */
class Question {
  readonly #exchange: ChainExchange
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

  constructor(exchange: ChainExchange, operation: Operation, variables: Variables, options: RequestOptions) {
    this.#exchange = exchange
    this.#operation = operation
    this.#variables = variables
    this.#options = options
    this.#isCold = exchange.hasSeveral && networkOf(exchange.state) === undefined
    const now = exchange.now()
    const isSpared = (node: number) => exchange.random() < sparedShare(nodeAt(exchange.state, node), now)
    this.#spared = new Set(exchange.rankedNodes().filter(isSpared))
  }

  /**
   * @returns the best answer that came
   * @throws WireError `busy` when no node answers, and for a thing that is not found below a height that was seen
   */
  async answer(): Promise<EndedAnswer & { readonly superseded: readonly PlacedAnswer<unknown>[] }> {
    const exchange = this.#exchange
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
            exchange.tellRefusal()
            throw failureOfAll(this.#finished, exchange.hasSeveral ? (node) => exchange.nameOf(node) : undefined)
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
    const { state, watch } = this.#exchange
    const now = this.#exchange.now()
    const left = this.#left()
    const isShed = this.#spared.size > 0 && left.every((node) => isDemoted(nodeAt(state, node), now))
    const [first] = left
    if (first !== undefined && !isShed) return first
    const reason = isShed ? 'the nodes refuse load' : `no node is on the network ${networkOf(state)}`
    watch?.called({ operation: this.#operation.name, durationMs: 0, outcome: 'shed', reason })
    this.#exchange.tellRefusal()
    throw new WireError('busy', `not asked: ${reason}`, { isUnsent: true })
  }

  /** The nodes that may still be asked, the best first. */
  #left(): readonly number[] {
    const isAsked = (index: number) => this.#running.has(index) || this.#finished.some(({ node }) => node === index)
    const { state } = this.#exchange
    return ranked(state, this.#exchange.now()).filter((index) => !isAsked(index) && !this.#spared.has(index))
  }

  /** Those of them whose answers may confirm or correct another one's. */
  #usableLeft(): readonly number[] {
    return this.#left().filter((index) => !isUnproven(nodeAt(this.#exchange.state, index)))
  }

  /**
   * The nodes to ask for a confirmation. Once all that are in use were asked and lie below the greatest height seen,
   * also those out of use: one that has recovered keeps the tip from going back, and is in use from then on.
   */
  #confirmers(): readonly number[] {
    const usable = this.#usableLeft()
    if (usable.length > 0) return usable
    const { greatestHeight } = this.#exchange.state
    const isBelow = ({ tip }: EndedAnswer) => tip !== undefined && tip.height < greatestHeight
    const answers = this.#ended().filter((each) => each.kind === 'answer')
    return answers.length > 0 && answers.every(isBelow) ? this.#left() : []
  }

  /** True if no node has received anything yet: asking the next one then multiplies nothing. */
  #isFree(): boolean {
    return this.#running.size === 0 && this.#finished.every((call) => call.kind === 'failure' && call.error.isUnsent)
  }

  #successor(): number | undefined {
    const isShared = (node: number) => this.#exchange.portAt(node).sharedAddress
    const ended = this.#isRepeated ? [] : this.#finished
    return successor(this.#exchange.state, this.#left(), this.#isFree(), ended, isShared)
  }

  /** A call as it is now: an answer falls behind when a later one shows a higher tip. */
  #ended(): readonly Ended[] {
    const { state, hasSeveral } = this.#exchange
    const wallMs = this.#exchange.wallMs()
    return this.#finished.map((call) => {
      const tip = call.kind === 'answer' && hasSeveral ? call.tip : undefined
      return {
        ...call,
        isBehind: tip !== undefined && isBehind(state, tip, wallMs),
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
    const exchange = this.#exchange
    if (why === 'failover' && !this.#isFree()) exchange.learn({ type: 'extra-call' })
    const abort = new AbortController()
    this.#running.set(node, abort)
    const isCheck = why === 'confirm' || why === 'stale'
    const release = Promise.withResolvers<void>()
    const terms: CallTerms = {
      ...this.#options,
      why,
      abort,
      until: this.#isCold ? Promise.race([exchange.learnEarlier(node, maxHedgeDelayMs), release.promise]) : undefined,
      ...(isCheck && { limitMs: confirmationPatienceMs }),
      onReply: () => {
        if (this.#isCold) this.#held.set(node, release.resolve)
        if (this.#running.size === 1) this.#stopTimer()
      },
    }
    const ended = exchange
      .call(node, this.#operation, this.#variables, terms)
      .then((outcome) => this.#end(node, abort, outcome))
    ended.catch((error: unknown) => {
      // Nobody may be waiting any more.
      this.#news.promise.catch(() => undefined)
      this.#news.reject(error)
    })
    this.#stopTimer()
    if (!exchange.hasSeveral || this.#helper !== undefined) return
    const delayMs = this.#isHedged ? maxHedgeDelayMs : hedgeDelayMs(nodeAt(exchange.state, node))
    this.#stopTimer = exchange.after(delayMs, () => {
      if (this.#isHedged) this.#askHelper()
      else this.#hedge(delayMs)
    })
  }

  async #end(node: number, { signal }: AbortController, outcome: Outcome): Promise<void> {
    const exchange = this.#exchange
    const tip = outcome.kind === 'answer' && exchange.hasSeveral ? outcome.tip : undefined
    const isSlotNeeded = tip !== undefined && needsSlot(exchange.state, tip, exchange.wallMs())
    if (isSlotNeeded && this.#operation !== networkQuery && !signal.aborted) await exchange.learnSlot()
    if (signal.aborted) return
    this.#running.delete(node)
    this.#held.delete(node)
    const isStale = tip !== undefined && needsFresher(exchange.state, tip, exchange.wallMs(), exchange.now())
    this.#finished.push({ ...outcome, node, isStale })
    for (const [held, release] of this.#held) if (unknownBefore(exchange.state, held).length === 0) release()
    // What another node showed before may be newer. Each held answer ends by itself, and is judged together with this one.
    const waitsForHeld = outcome.kind === 'answer' && this.#held.size > 0
    if (!waitsForHeld) this.#news.resolve()
  }

  #askAnother(why: 'failover' | 'confirm' | 'stale'): void {
    if (why === 'stale') this.#askedFresher = true
    const node = why === 'failover' ? this.#successor() : this.#confirmers()[0]
    if (node === undefined) return
    this.#isRepeated ||= this.#finished.some((call) => call.node === node)
    // A node that is out of use may stay down: two are asked in the time of one.
    const isOutOfUse = why === 'confirm' && isUnproven(nodeAt(this.#exchange.state, node))
    const beside = isOutOfUse ? this.#confirmers()[1] : undefined
    this.#start(node, why)
    if (beside !== undefined) this.#start(beside, why)
  }

  /** Asks another node beside the first, where the budget allows. */
  #hedge(waitedMs: number): void {
    const exchange = this.#exchange
    const { state } = exchange
    const node = this.#left().find((index) => isOfBestTier(state, index, exchange.now()))
    const mayAsk = !this.#isHedged && hasBudget(state) && mayHedge(this.#progress())
    if (node === undefined || !mayAsk) {
      this.#stopTimer = exchange.after(maxHedgeDelayMs - waitedMs, () => this.#askHelper())
      return
    }
    this.#isHedged = true
    exchange.learn({ type: 'extra-call' })
    this.#start(node, 'hedge')
  }

  /** Asks another node beside those that have taken too long, once, without any budget. */
  #askHelper(): void {
    const { state } = this.#exchange
    const now = this.#exchange.now()
    const node = this.#left().find((index) => !isSlow(nodeAt(state, index), now))
    if (node === undefined || this.#helper !== undefined || this.#running.size === 0) return
    this.#helper = node
    this.#start(node, 'hedge')
  }

  /** An answer that needs another one does not wait for it any longer than for a confirmation. */
  #hurry(): void {
    if (this.#isHurried || !this.#finished.some(({ kind }) => kind === 'answer')) return
    this.#isHurried = true
    this.#stopTimer()
    this.#stopTimer = this.#exchange.after(confirmationPatienceMs, () => {
      this.#endCalls()
      this.#news.resolve()
    })
  }

  /** @throws WireError `busy` for a thing that is not found below a height that was seen */
  #accept(answer: EndedAnswer): EndedAnswer {
    const exchange = this.#exchange
    const { tip, isMissing, node } = answer
    exchange.learn({ type: 'answered' })
    if (answer.isStale && this.#askedFresher) exchange.learn({ type: 'nothing-fresher' })
    const wallMs = exchange.wallMs()
    // The answer of a node without a tip would be the same.
    if (tip !== undefined && this.#operation.needsNoTip !== true) {
      const isEarly = isAhead(exchange.state, tip, wallMs)
      if (isEarly && isClockBehind(exchange.state)) exchange.watch?.clockIsBehind()
      exchange.watch?.rests(tip, answer.isBehind || isEarly)
    }
    if (tip === undefined || !isBehind(exchange.state, tip, wallMs)) return answer
    if (this.#usableLeft().length === 0 && isBelievable(exchange.state, tip, wallMs)) {
      exchange.learn({ type: 'stayed-below', node, height: tip.height })
    }
    if (isMissing && answer.isBehind && tip.height < exchange.state.greatestHeight) {
      throw new WireError('busy', `${this.#operation.name}: not found, but no node is at a height that was seen`)
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
    const exchange = this.#exchange
    const helper = this.#helper
    this.#stopTimer()
    // It was asked because the others were slow, and has not answered either: it is slow too.
    if (helper !== undefined && this.#running.has(helper)) exchange.learn({ type: 'helper-was-slow', node: helper })
    this.#endCalls()
    if (exchange.hasSeveral) exchange.watch?.outOfUse(outOfUse(exchange.state, exchange.now()))
  }
}

/** The time that an answer waits for the length of a slot, and the pause before it is asked for again. */
const slotPatienceMs = 1500
const slotRetryMs = 30_000

/** The time that a read waits for the nodes' networks, once in ten seconds until the last pinned one counts. */
const pinPatienceMs = 1500

/** The time that an answer or a broadcast waits for a node's chain id: `daemonStatus` may be slow, or never answer. */
const chainIdPatienceMs = 1000

/** Shared by all requests of an instance. */
interface Instance {
  readonly options: ChainOptions
  /** The time of all that it remembers. */
  readonly lasting: () => number
  /** Written by `learn` only. */
  state: ChainState
  /** Network checks in progress, by node. */
  readonly checks: Map<number, Promise<CheckEnd>>
  /** Questions for chain ids in progress, by node. */
  readonly namings: Map<number, Promise<void>>
}

/** `abandoned` if the request that asked ended first. */
type CheckEnd = 'ended' | 'abandoned'

/** One request, whichever indexer is asked for it. */
interface RequestInHand {
  readonly watch: Watch | undefined
  readonly deadline: number
  /** Each ends a call or a pause. */
  readonly ends: Set<() => void>
  isOver: boolean
}

class ChainExchange implements Exchange {
  readonly #instance: Instance
  readonly #request: RequestInHand
  /** Index of the indexer that is asked. */
  readonly #indexer: number

  constructor(instance: Instance, request: RequestInHand, indexer = 0) {
    this.#instance = instance
    this.#request = request
    this.#indexer = indexer
  }

  get watch(): Watch | undefined {
    return this.#request.watch
  }

  get otherIndexers(): readonly Exchange[] {
    const { otherIndexers = [] } = this.#instance.options
    return otherIndexers.map((_query, index) => new ChainExchange(this.#instance, this.#request, index + 1))
  }

  get configured() {
    return { indexer: this.#instance.options.indexer !== undefined }
  }

  get scans() {
    return this.#instance.options.scans
  }

  get nodes(): readonly NodePort[] {
    return this.#instance.options.nodes
  }

  get state(): ChainState {
    return this.#instance.state
  }

  get isHalted(): boolean {
    return isHalted(this.state, this.wallMs())
  }

  /** True if there are several places, whose answers can be compared. */
  get hasSeveral(): boolean {
    return this.nodes.length > 1
  }

  get isShared(): boolean {
    return !this.hasSeveral && this.portAt(0).sharedAddress
  }

  portAt(node: number): NodePort {
    const port = this.nodes[node]
    if (port === undefined) throw new RangeError(`node index ${node} is out of range`)
    return port
  }

  nameOf(node: number): string {
    return this.portAt(node).name
  }

  now(): number {
    return this.#instance.lasting()
  }

  wallMs(): number {
    return this.#instance.options.clock.now()
  }

  elapsed(): number {
    return this.#instance.options.clock.elapsed()
  }

  after(milliseconds: number, action: () => void): () => void {
    return this.#instance.options.clock.after(milliseconds, action)
  }

  random(): number {
    return this.#instance.options.random()
  }

  timeLeftMs(): number {
    return this.#request.isOver ? 0 : this.#request.deadline - this.elapsed()
  }

  /** Lets time pass, until the signal or the end of the request. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop()
        this.#request.ends.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const stop = this.after(milliseconds, done)
      this.#request.ends.add(done)
      signal?.addEventListener('abort', done)
      if (this.#request.isOver || signal?.aborted) done()
    })
  }

  async within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
    const waiting = new AbortController()
    const over = this.pause(milliseconds, waiting.signal).then(() => undefined)
    return Promise.race([promise, over]).finally(() => waiting.abort('over'))
  }

  end(): void {
    this.#request.isOver = true
    for (const end of this.#request.ends) end()
  }

  /** Changes what the instance knows, and tells what that changes in the judgement of the nodes. */
  learn(event: ChainEvent): void {
    const { state, notices } = apply(this.state, event, this.now())
    this.#instance.state = state
    for (const notice of notices) this.watch?.noticed(notice.event, this.nameOf(notice.node))
  }

  /** Notes for how long every node refuses calls, if they say so. */
  tellRefusal(): void {
    const refusedMs = refusedForMs(this.state, this.now())
    if (refusedMs !== undefined) this.watch?.refusedFor('node', refusedMs)
  }

  restsOn(tip: Tip): void {
    const wallMs = this.wallMs()
    this.watch?.rests(tip, isBehind(this.state, tip, wallMs) || isAhead(this.state, tip, wallMs))
  }

  rankedNodes(): readonly number[] {
    this.learn({ type: 'choosing' })
    return ranked(this.state, this.now())
  }

  async request<Data>(
    operation: Operation<Data>,
    variables: Variables,
    options: RequestOptions = {},
  ): Promise<Answered<Data>> {
    if (operation.upstream === 'indexer') return this.#requestIndexer(operation, variables)
    if (mustAskForPins(this.state, this.now(), this.wallMs())) await this.#askForPins(pinPatienceMs)
    const { data, tip, node, superseded } = await new Question(this, operation, variables, options).answer()
    // Before the network is judged: how old a tip is depends on it.
    if (operation === (networkQuery as Operation) && data !== undefined) this.#describeNetwork(data)
    this.#requireNetwork()
    await this.#lookAtOthers()
    if (isPinStale(this.state)) this.watch?.pinIsStale()
    if (isOtherNetworkFresh(this.state, this.wallMs())) this.watch?.otherNetworkIsFresh()
    return { data: data as Data | undefined, tip, node, superseded: superseded as readonly PlacedAnswer<Data>[] }
  }

  /** The indexer that is asked, for the log, where there are several. */
  #place(): Pick<CallRecord, 'indexer'> {
    return this.#instance.options.otherIndexers ? { indexer: this.#indexer + 1 } : {}
  }

  /** Puts a question to the indexer, once more when it turned the question away. */
  async #requestIndexer<Data>(operation: Operation<Data>, variables: Variables): Promise<Answered<Data>> {
    const { indexer: first, otherIndexers = [] } = this.#instance.options
    const indexer = this.#indexer === 0 ? first : otherIndexers[this.#indexer - 1]
    if (indexer === undefined) throw new Error(`${operation.name}: no indexer is configured`)
    const sparedMs = (this.state.sparedIndexers.get(this.#indexer) ?? 0) - this.now()
    if (sparedMs > 0) {
      const reason = 'the indexer refuses load'
      this.watch?.called({ operation: operation.name, ...this.#place(), durationMs: 0, outcome: 'shed', reason })
      this.watch?.refusedFor('indexer', sparedMs)
      throw new WireError('busy', `not asked: ${reason}`, { isUnsent: true })
    }
    const ended = await this.#send(indexer, operation, variables, {})
    const wasTurnedAway = ended.kind === 'failure' && ended.reply !== undefined && isTurnedAway(ended.reply)
    const outcome = wasTurnedAway ? await this.#send(indexer, operation, variables, { isRepeat: true }) : ended
    if (outcome.kind === 'failure') {
      const forMs = outcome.reply?.retryAfterMs
      if (forMs !== undefined) {
        this.learn({ type: 'indexer-refused', indexer: this.#indexer, forMs })
        this.watch?.refusedFor('indexer', forMs)
      }
      throw outcome.error
    }
    return { data: outcome.data as Data, tip: undefined, node: -1, answerMs: outcome.reply.answerMs }
  }

  async call(node: number, operation: Operation, variables: Variables, terms: CallTerms): Promise<Outcome> {
    const startedAt = this.elapsed()
    const { name, query } = this.portAt(node)
    // Asked beside the question. The network's own question shows it, and a mutation is sent only once it is known.
    const saysItself = isMutation(operation) || operation === (networkQuery as Operation)
    const naming = saysItself ? undefined : this.#learnChainId(node)
    const outcome = await this.#send(terms.withoutTip ? query : askingTip(query), operation, variables, terms, node)
    const tookMs = this.elapsed() - startedAt
    terms.onReply?.()
    if (terms.until !== undefined) await terms.until
    if (outcome.kind === 'answer') await naming
    const isTaken = isMutation(operation) && outcome.kind === 'answer'
    if (isTaken || isAskedTooMuch(outcome) || terms.abort?.signal.aborted || this.timeLeftMs() <= 0) return outcome
    this.learn({ type: 'call-ended', node, outcome, tookMs, wallMs: this.wallMs() })
    if (outcome.kind === 'failure' || !isForeign(this.state, node)) return outcome
    // An answer from another network does not count.
    return { kind: 'failure', error: new WireError('mismatched', `${name} is on another network`) }
  }

  /** Sends, notes how that ended, and judges the reply. Sends no call once the request is over. */
  async #send(
    query: QueryUpstream,
    operation: Operation,
    variables: Variables,
    { why, abort = new AbortController(), limitMs = Number.POSITIVE_INFINITY, isRepeat }: CallTerms,
    node?: number,
  ): Promise<Outcome> {
    const { signal } = abort
    const leftMs = this.timeLeftMs()
    if (signal.aborted || leftMs <= 0) {
      return failureOf(new WireError('timeout', `${operation.name}: no time left to ask`, { isUnsent: true }))
    }
    const startedAt = this.elapsed()
    const note = (ended: Pick<CallRecord, 'outcome' | 'reason'>) =>
      this.watch?.called({
        operation: operation.name,
        ...(node !== undefined && this.hasSeveral && { node: this.nameOf(node) }),
        ...(node === undefined && this.#place()),
        ...(why !== undefined && { why }),
        durationMs: this.elapsed() - startedAt,
        ...ended,
      })
    const onAbort = () => {
      note({ outcome: 'cancelled' })
      if (node === undefined || why === 'network') return
      this.learn({ type: 'call-cancelled', node, tookMs: this.elapsed() - startedAt })
    }
    const end = () => abort.abort('over')
    this.#request.ends.add(end)
    signal.addEventListener('abort', onAbort)
    const limits = { limitMs: Math.max(1, Math.min(limitMs, leftMs)), signal, ...(isRepeat && { isRepeat }) }
    try {
      const reply = await query(operation, variables, limits)
      // Not after an error: the request beside it that was to give the tip may go on.
      this.#request.ends.delete(end)
      const outcome = outcomeOf(operation, variables, reply)
      if (!signal.aborted) note(endOf(outcome))
      return outcome
    } catch (error) {
      if (!signal.aborted) {
        note(error instanceof WireError ? { outcome: error.fault, reason: error.message } : { outcome: 'failed' })
      }
      return failureOf(toldOf(operation, error))
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /**
   * Asks a node which network it is on: for its tip, where that decides if the network counts. A failure changes nothing, so
   * that whoever needs the answer may ask again at once.
   */
  async #check(node: number, asksTip: boolean): Promise<CheckEnd> {
    const question = asksTip ? nodeTipQuery : networkCheck
    const naming = this.#learnChainId(node)
    const outcome = await this.#send(this.portAt(node).query, question, {}, { why: 'network' }, node)
    // Before the genesis block is learnt, since both decide whether the node is used.
    if (outcome.kind === 'answer') await naming
    if (outcome.kind === 'answer' && outcome.tip !== undefined) {
      this.learn({ type: 'tip-shown', node, tip: outcome.tip, wallMs: this.wallMs() })
    } else if (outcome.kind === 'answer') {
      const { genesisBlock } = networkCheck.data.read(outcome.data, networkCheck.name)
      this.learn({ type: 'network-shown', node, genesisStateHash: genesisBlock.stateHash })
    } else if (outcome.reply !== undefined && lacksNames(outcome.reply)) {
      this.learn({ type: 'check-refused', node })
    }
    return this.#request.isOver ? 'abandoned' : 'ended'
  }

  /** The check of a node, which requests share while it is in progress. */
  #sharedCheck(node: number, asksTip = this.state.pins.length > 1): Promise<CheckEnd> {
    const { checks } = this.#instance
    const check = checks.get(node) ?? this.#check(node, asksTip).finally(() => checks.delete(node))
    checks.set(node, check)
    return check
  }

  /** Asks a node for its chain id. Without an answer nothing changes. */
  async #askChainId(node: number): Promise<void> {
    const outcome = await this.#send(this.portAt(node).query, networkQuery, {}, { why: 'network' }, node)
    if (outcome.kind === 'failure') return
    const { daemonStatus, genesisBlock } = outcome.data as ReturnType<typeof networkQuery.data.read>
    const { stateHash: genesisStateHash } = genesisBlock
    this.learn({ type: 'chain-id-shown', node, chainId: daemonStatus.chainId, genesisStateHash })
  }

  /**
   * Learns a node's chain id, if one is pinned, and waits a short time: without an answer the node counts by its genesis
   * block. Requests share the question while it is in progress.
   */
  async #learnChainId(node: number): Promise<void> {
    const { namings } = this.#instance
    if (!namings.has(node) && !needsChainId(this.state, node, this.now())) return
    const naming = namings.get(node) ?? this.#askChainId(node).finally(() => namings.delete(node))
    namings.set(node, naming)
    await this.within(naming, chainIdPatienceMs)
    // A question that ended with its request had no time for an answer.
    if (this.timeLeftMs() > 0) this.learn({ type: 'chain-id-asked', node })
  }

  /** Checks the nodes of other networks again if ours stands still: their chain may have begun since. */
  async #lookAtOthers(): Promise<void> {
    const others = othersToLookAt(this.state, this.now(), this.wallMs())
    if (others.length === 0) return
    await Promise.all(others.map((node) => this.within(this.#sharedCheck(node, true), pinPatienceMs)))
    this.learn({ type: 'others-asked' })
  }

  async learnNetwork(node: number, patienceMs: number): Promise<void> {
    if (!needsCheck(nodeAt(this.state, node), this.now(), isForeign(this.state, node))) {
      await this.within(this.#learnChainId(node), patienceMs)
      return
    }
    const until = this.elapsed() + Math.min(patienceMs, this.timeLeftMs())
    const leftMs = () => until - this.elapsed()
    // A check that ended with the request that asked is made again.
    while (leftMs() > 0) if ((await this.within(this.#sharedCheck(node), leftMs())) !== 'abandoned') return
  }

  /** Asks every node for its network until the last pinned one counts. */
  async #askForPins(patienceMs: number): Promise<void> {
    if (!mustAskForPins(this.state, this.now(), this.wallMs())) return
    await Promise.all([...this.nodes.keys()].map((node) => this.within(this.#sharedCheck(node), patienceMs)))
    this.learn({ type: 'pins-asked' })
  }

  /** @throws WireError `busy` where the old chain would be taken for the network because a node is out of reach */
  #requireNetwork(): void {
    if (!isNetworkInDoubt(this.state, this.wallMs())) return
    throw new WireError('busy', 'the tip is old, and a node that cannot be reached may be on a later pinned network')
  }

  async learnPinnedNetwork(patienceMs: number): Promise<void> {
    await this.#askForPins(patienceMs)
    if (needsSlotForPins(this.state, this.wallMs())) await this.learnSlot()
    this.#requireNetwork()
  }

  async learnEarlier(node: number, patienceMs: number): Promise<void> {
    const until = this.elapsed() + patienceMs
    for (const earlier of unknownBefore(this.state, node)) {
      await this.learnNetwork(earlier, until - this.elapsed())
      if (nodeAt(this.state, earlier).genesis !== undefined) return
    }
  }

  #describeNetwork(answer: unknown): void {
    const { daemonStatus, genesisBlock } = answer as ReturnType<typeof networkQuery.data.read>
    const description = {
      chainId: daemonStatus.chainId,
      slotDurationMs: daemonStatus.consensusConfiguration?.slotDuration,
      genesisStateHash: genesisBlock.stateHash,
      at: this.now(),
    }
    this.learn({ type: 'network-described', description })
  }

  /** Learns the length of a slot, where it decides whether a tip is old. */
  async learnSlot(): Promise<void> {
    if (this.now() - this.state.slotAskedAt < slotRetryMs) return
    if (freshDescription(this.state, this.now()) === undefined) {
      await this.within(this.request(networkQuery, {}), slotPatienceMs).catch((error: unknown) => {
        if (!(error instanceof WireError)) throw error
      })
    }
    this.learn({ type: 'slot-asked' })
  }
}

/**
 * The chain over its nodes and, where there are any, its indexers. What an instance learns of them is kept in it.
 *
 * @throws RangeError without a node
 */
export function createChain(options: ChainOptions): Chain {
  const { nodes, random, genesisStateHashes = [], chainIds } = options
  if (nodes.length === 0) throw new RangeError('a chain without a node')
  const instance: Instance = {
    options,
    lasting: lastingTime(options.clock),
    state: initialState(nodes.length, random(), genesisStateHashes, chainIds),
    checks: new Map(),
    namings: new Map(),
  }
  return {
    exchange({ withinMs, watch }) {
      const deadline = options.clock.elapsed() + withinMs
      return new ChainExchange(instance, { watch, deadline, ends: new Set(), isOver: false })
    },
  }
}
