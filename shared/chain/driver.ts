// Starts and ends every call to a node and to the indexer, while one request is answered.
import { WireError } from '../upstream/errors.ts'
import { labelling, networkCheck } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { NodePort, QueryUpstream } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import { endOf, failureOf, isMutation, isRefusedUnread, isTurnedAway, type Outcome, outcomeOf } from './decide.ts'
import {
  type ChainState,
  isForeign,
  learnt,
  nodeAt,
  unknownBefore,
  withGenesis,
  withNode,
  withoutSupport,
} from './network-state.ts'
import { eventsOf } from './node-selection.ts'
import { cancelled, needsCheck } from './node-state.ts'
import type { CallRecord, Shared, Terms, Watch } from './outside.ts'

export class Driver {
  readonly shared: Shared
  readonly watch: Watch | undefined
  readonly #deadline: number
  readonly #ends = new Set<() => void>()
  #isOver = false

  constructor(shared: Shared, deadline: number, watch: Watch | undefined) {
    this.shared = shared
    this.#deadline = deadline
    this.watch = watch
  }

  /** True if there are several places, whose answers can be compared. */
  get hasSeveral(): boolean {
    return this.shared.nodes.length > 1
  }

  /** True if several daemons may hide behind the only place. */
  get isShared(): boolean {
    return !this.hasSeveral && this.portAt(0).sharedAddress
  }

  timeLeftMs = (): number => (this.#isOver ? 0 : this.#deadline - this.shared.clock.now())

  /** Lets time pass, until the signal or the end of the request. */
  pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        stop()
        this.#ends.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const stop = this.shared.clock.after(milliseconds, done)
      this.#ends.add(done)
      signal?.addEventListener('abort', done)
      if (this.#isOver || signal?.aborted) done()
    })

  /** Waits for a promise that other requests may share, but no longer than this. */
  async within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
    const waiting = new AbortController()
    const over = this.pause(milliseconds, waiting.signal).then(() => undefined)
    return Promise.race([promise, over]).finally(() => waiting.abort('over'))
  }

  end = (): void => {
    this.#isOver = true
    for (const end of this.#ends) end()
  }

  portAt(index: number): NodePort {
    const port = this.shared.nodes[index]
    if (port === undefined) throw new RangeError(`node index ${index} is out of range`)
    return port
  }

  /** Sends, notes how that ended, and judges the reply. Sends no call once the request is over. */
  async #send(
    query: QueryUpstream,
    operation: Operation,
    variables: Variables,
    { why, abort = new AbortController(), limitMs = Number.POSITIVE_INFINITY, isRepeat }: Terms,
    node?: number,
  ): Promise<Outcome> {
    const { clock } = this.shared
    const { signal } = abort
    const leftMs = this.timeLeftMs()
    if (signal.aborted || leftMs <= 0) {
      return failureOf(new WireError('timeout', `${operation.name}: no time left to ask`, { isUnsent: true }))
    }
    const startedAt = clock.now()
    const note = (ended: Pick<CallRecord, 'outcome' | 'reason'>) =>
      this.watch?.called({
        operation: operation.name,
        ...(node !== undefined && this.hasSeveral && { node: this.portAt(node).name }),
        ...(why !== undefined && { why }),
        durationMs: clock.now() - startedAt,
        ...ended,
      })
    const onAbort = () => {
      note({ outcome: 'cancelled' })
      if (node === undefined || why === 'network') return
      this.#change(node, (state, now) => withNode(state, node, (each) => cancelled(each, now - startedAt, now)))
    }
    const end = () => abort.abort('over')
    this.#ends.add(end)
    signal.addEventListener('abort', onAbort)
    const limits = { limitMs: Math.max(1, Math.min(limitMs, leftMs)), signal, ...(isRepeat && { isRepeat }) }
    try {
      const reply = await query(operation, variables, limits)
      // Not after an error: the request beside it that was to give the label may go on.
      this.#ends.delete(end)
      const outcome = outcomeOf(operation, variables, reply)
      if (!signal.aborted) note(endOf(outcome))
      return outcome
    } catch (error) {
      if (!signal.aborted) note(error instanceof WireError ? { outcome: error.fault } : { outcome: 'failed' })
      return failureOf(error)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Changes the state, and tells what that changes in the judgement of the nodes. */
  #change(index: number, change: (state: ChainState, now: number) => ChainState): void {
    const { shared, watch } = this
    const now = shared.clock.now()
    const before = shared.state
    shared.state = change(before, now)
    for (const [event, at] of eventsOf(before, shared.state, index, now)) watch?.noticed(event, this.portAt(at).name)
  }

  /**
   * Puts a question or a mutation to one node, and learns from how that ends, unless the call was ended meanwhile. An
   * answer from another network does not count.
   *
   * @throws any other error than a WireError, since that is our own fault
   */
  async ask(index: number, operation: Operation, variables: Variables, terms: Terms): Promise<Outcome> {
    const startedAt = this.shared.clock.now()
    const { name, query } = this.portAt(index)
    const outcome = await this.#send(terms.isUnlabelled ? query : labelling(query), operation, variables, terms, index)
    const tookMs = this.shared.clock.now() - startedAt
    terms.onReply?.()
    if (terms.until !== undefined) await terms.until
    const isTaken = isMutation(operation) && outcome.kind === 'answer'
    if (isTaken || terms.abort?.signal.aborted || this.timeLeftMs() <= 0) return outcome
    this.#change(index, (state, now) => learnt(state, index, outcome, tookMs, now))
    if (outcome.kind === 'failure' || !isForeign(this.shared.state, index)) return outcome
    return { kind: 'failure', error: new WireError('mismatched', `${name} is on another network`) }
  }

  /** Puts a question to the indexer, once more when it turned the question away. Throws as `ask`. */
  async askIndexer(operation: Operation, variables: Variables): Promise<Outcome> {
    const { indexer } = this.shared
    if (indexer === undefined) throw new Error(`${operation.name}: no indexer is configured`)
    const first = await this.#send(indexer, operation, variables, {})
    const isRepeated = first.kind === 'failure' && first.reply !== undefined && isTurnedAway(first.reply)
    return isRepeated ? this.#send(indexer, operation, variables, { isRepeat: true }) : first
  }

  /** Asks a node which network it is on. A failure changes nothing, so that whoever needs the answer may ask again at once. */
  async #check(index: number): Promise<boolean> {
    const outcome = await this.#send(this.portAt(index).query, networkCheck, {}, { why: 'network' }, index)
    if (outcome.kind === 'answer') {
      const { genesisBlock } = networkCheck.data.read(outcome.data, networkCheck.name)
      this.#change(index, (state, now) => withGenesis(state, index, genesisBlock.stateHash, now))
    } else if (outcome.reply !== undefined && isRefusedUnread(outcome.reply)) {
      this.#change(index, (state, now) => withoutSupport(state, index, now))
    }
    return this.#isOver
  }

  /**
   * Learns which network a node is on, where that is not known. Requests share a check in progress; one that ended with
   * the request that asked is made again.
   */
  async learnNetwork(index: number, patienceMs: number): Promise<void> {
    const { checks, clock, state } = this.shared
    if (!needsCheck(nodeAt(state, index), clock.now(), isForeign(state, index))) return
    const until = clock.now() + Math.min(patienceMs, this.timeLeftMs())
    for (let isGivenUp: boolean | undefined = true; isGivenUp && until > clock.now(); ) {
      const running = checks.get(index) ?? this.#check(index).finally(() => checks.delete(index))
      checks.set(index, running)
      isGivenUp = await this.within(running, until - clock.now())
    }
  }

  /** Learns the network where a node listed before this one decides which it is. */
  async learnEarlier(index: number, patienceMs: number): Promise<void> {
    const until = this.shared.clock.now() + patienceMs
    for (const at of unknownBefore(this.shared.state, index)) {
      await this.learnNetwork(at, until - this.shared.clock.now())
      if (nodeAt(this.shared.state, at).genesis !== undefined) return
    }
  }
}
