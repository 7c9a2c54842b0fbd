// The door to the chain. A request's view of it makes the calls, ends them all with the request, and learns from each.
import { WireError } from '../upstream/errors.ts'
import { descriptionTimeoutMs } from '../upstream/network.ts'
import { askingTip } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Tip } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import { attemptsAt, portAt } from './address.ts'
import { indexerOver } from './indexer.ts'
import type { Instant } from './instant.ts'
import { noKeptBlocks } from './kept-blocks.ts'
import { lastingTime } from './lasting-time.ts'
import { NetworkGate, type NetworkQuestions } from './network-gate.ts'
import { isAhead, isBehind, isForeign, isHalted, networkOf, nodeAt } from './network-state.ts'
import { type NodeStatus, nodeStatus, nodesToAsk, ranked, refusedForMs } from './node-selection.ts'
import { type NodeState, needsCheck, refusesLoad } from './node-state.ts'
import {
  type Answered,
  type AnsweredAtTip,
  type CallEnd,
  failureOf,
  isAskedTooMuch,
  isMutation,
  type Outcome,
} from './outcome.ts'
import type {
  CallRecord,
  CallTerms,
  Chain,
  ChainOptions,
  ChainView,
  InstanceMemory,
  Observer,
  OpenView,
  RequestOptions,
} from './port.ts'
import { Question } from './question.ts'
import type { RequestHost } from './request-host.ts'
import { type Destination, send } from './send.ts'
import { apply, type ChainEvent, type ChainState, initialState } from './state.ts'

/** Shared by all requests of an instance. */
interface Instance {
  readonly options: ChainOptions
  /** The time of all that it remembers. */
  readonly lasting: () => number
  /** Written by `learn` only. */
  state: ChainState
  readonly networkQuestions: NetworkQuestions
  readonly kept: InstanceMemory
  /** Of the latest request. Also told of calls that outlive earlier ones. */
  latestObserver: Observer | undefined
}

interface Terms {
  readonly observer: Observer | undefined
  /** True once its calls outlive the request that they were sent for. */
  readonly isOutlived?: boolean
  readonly deadline: number
}

class RequestView implements OpenView, RequestHost {
  readonly #instance: Instance
  readonly #terms: Terms
  isOver = false
  readonly ends = new Set<() => void>()
  readonly networks: NetworkGate
  readonly nodes: ChainView['nodes']
  readonly indexers: ChainView['indexers']
  readonly scans: ChainView['scans']
  readonly kept: InstanceMemory
  shownTip?: Tip | undefined
  readonly expectsFork: boolean

  constructor(instance: Instance, terms: Terms) {
    const { nodes, indexers = [], scans, genesisStateHashes = [] } = instance.options
    this.#instance = instance
    this.#terms = terms
    this.networks = new NetworkGate(this, instance.networkQuestions)
    this.nodes = nodes
    this.indexers = indexers.map((query, index) => indexerOver(this, query, index, indexers.length > 1))
    this.scans = scans
    this.kept = instance.kept
    this.expectsFork = genesisStateHashes.length > 1
  }

  get observer(): Observer | undefined {
    return this.#terms.observer
  }

  get state(): ChainState {
    return this.#instance.state
  }

  get isHalted(): boolean {
    return this.judged(isHalted)
  }

  get target() {
    return { genesisStateHash: networkOf(this.state), isPinned: this.state.pins.length > 0 }
  }

  node(index: number): NodeState {
    return nodeAt(this.state, index)
  }

  judged<T>(rule: (state: ChainState, at: Instant) => T): T {
    return rule(this.state, this.instant())
  }

  refusesLoad(node: number): boolean {
    return refusesLoad(this.node(node), this.instant())
  }

  #destination(node: number): Destination {
    const { name, query } = portAt(this, node)
    return { query, named: this.nodes.length > 1 ? { node: name } : {} }
  }

  instant(): Instant {
    return { nowMs: this.lastingMs(), wallMs: this.wallMs() }
  }

  lastingMs(): number {
    return this.#instance.lasting()
  }

  wallMs(): number {
    return this.#instance.options.clock.now()
  }

  isStaleHeight(height: number): boolean {
    return height < this.state.greatestHeight
  }

  nodeStatus(node: number): NodeStatus {
    return nodeStatus(this.state, node, this.instant())
  }

  nodesToAsk(): readonly number[] {
    return this.judged(nodesToAsk)
  }

  refusedForMs(): number | undefined {
    return this.judged(refusedForMs)
  }

  isNetworkKnown(node: number): boolean {
    return !needsCheck(this.node(node), this.instant())
  }

  apart(): RequestHost {
    const [instance, own] = [this.#instance, this]
    return new RequestView(instance, {
      get observer() {
        return own.isOver ? instance.latestObserver : own.observer
      },
      get isOutlived() {
        return own.isOver
      },
      deadline: this.elapsed() + descriptionTimeoutMs,
    })
  }

  called(call: CallRecord): void {
    // A call that outlives its request is reported only if answered: losing it in sleep is no fault of the node.
    if (this.#terms.isOutlived && typeof call.outcome !== 'number') return
    this.observer?.called(call)
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
    return this.isOver ? 0 : this.#terms.deadline - this.elapsed()
  }

  /** Resolves after this time, at the signal, or at the end of the request. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop()
        this.ends.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const stop = this.after(milliseconds, done)
      this.ends.add(done)
      signal?.addEventListener('abort', done)
      if (this.isOver || signal?.aborted) done()
    })
  }

  end(): void {
    this.isOver = true
    for (const end of this.ends) end()
  }

  learn(event: ChainEvent): void {
    const { state, notices } = apply(this.state, event, this.instant())
    this.#instance.state = state
    for (const notice of notices) this.observer?.noticed(notice.event, portAt(this, notice.node).name)
  }

  noteTip(tip: Tip): void {
    const at = this.instant()
    this.observer?.answeredAt(tip, isBehind(this.state, tip, at) || isAhead(this.state, tip, at))
  }

  rankedNodes(): readonly number[] {
    this.learn({ type: 'choosing' })
    return this.judged(ranked)
  }

  async request<Data>(
    operation: Operation<Data>,
    variables: Variables,
    options?: RequestOptions,
  ): Promise<Answered<Data | undefined>> {
    const [answer] = await this.answers(operation, variables, options)
    return answer
  }

  async answers<Data>(operation: Operation<Data>, variables: Variables, options: RequestOptions = {}) {
    if (this.networks.mustAskForPins && !this.networks.allRefuseLoad) await this.networks.askForPins()
    const answers = await new Question(this, operation, variables, options).answers()
    await this.networks.afterAnswer()
    // The operation has read them.
    return answers as readonly [Answered<Data | undefined>, ...AnsweredAtTip<Data>[]]
  }

  async call(node: number, operation: Operation, variables: Variables, terms: CallTerms): Promise<Outcome> {
    const startedAt = this.elapsed()
    const place = portAt(this, node)
    const destination = {
      ...this.#destination(node),
      ...(!terms.withoutTip && { query: askingTip(place.query, attemptsAt(place) > 1) }),
      onCancelled: (tookMs: number) => this.learn({ type: 'call-cancelled', node, tookMs }),
    }
    const learnChainId = async () => (isMutation(operation) ? undefined : this.networks.learnChainId(node))
    // Asked in parallel with the question, or after it if the node refuses load. A mutation waits until the chain id is known.
    const naming = this.refusesLoad(node) ? undefined : learnChainId()
    const outcome = { ...(await send(this, destination, operation, variables, terms)), node }
    const tookMs = this.elapsed() - startedAt
    terms.onReply?.()
    if (terms.until !== undefined) await terms.until(outcome.kind === 'answer')
    if (terms.isProbe) return outcome
    if (outcome.kind === 'answer') await (naming ?? learnChainId())
    const isTaken = isMutation(operation) && outcome.kind === 'answer'
    if (isTaken || isAskedTooMuch(outcome) || terms.abort?.signal.aborted || this.timeLeftMs() <= 0) return outcome
    this.learn({ type: 'call-ended', node, outcome, tookMs })
    if (outcome.kind === 'failure' && outcome.reply !== undefined) await this.networks.learnKind(node, outcome.reply)
    if (outcome.kind === 'failure' || !isForeign(this.state, node)) return outcome
    // An answer from another network does not count.
    return { ...failureOf(new WireError('mismatched', `${place.name} is on another network`)), node }
  }

  askNetwork(node: number, operation: Operation): Promise<CallEnd> {
    return send(this, this.#destination(node), operation, {}, { why: 'network' })
  }
}

/**
 * The chain over its nodes and, if there are any, its indexers. What an instance learns of them is kept in it.
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
    networkQuestions: { checks: new Map(), descriptions: new Set() },
    kept: { branches: new Map(), blocks: noKeptBlocks(), refusals: new Map() },
    latestObserver: undefined,
  }
  return {
    view({ withinMs, observer }) {
      const deadline = options.clock.elapsed() + withinMs
      instance.latestObserver = observer
      return new RequestView(instance, { observer, deadline })
    },
  }
}
