// Starts and ends every call to a node and to the indexer, while one request is answered.
import { WireError } from '../upstream/errors.ts'
import { labelling, networkCheck } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { NodePort, QueryUpstream, Reply } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import { endOf, failureOf, isRefusedUnread, type Outcome, outcomeOf } from './decide.ts'
import { cancelled, isDemoted, isUnsupported } from './member.ts'
import type { CallRecord, NodeEvent, Watch } from './outside.ts'
import type { ChainState } from './standing.ts'
import { isForeign, isForked, learnt, nodeAt, withGenesis, withNode, withoutSupport } from './standing.ts'
import type { Shared, Terms } from './terms.ts'

/** The status with which a mina-indexer ends a request that waited more than five seconds for a walk over a ledger: without a body. */
const isTurnedAway = ({ status, data }: Reply): boolean => status === 408 && data === undefined

export class Driver {
  readonly shared: Shared
  readonly watch: Watch | undefined
  readonly #deadline: number
  readonly #over = new AbortController()

  constructor(shared: Shared, deadline: number, watch: Watch | undefined) {
    this.shared = shared
    this.#deadline = deadline
    this.watch = watch
  }

  /** True if there are several places, whose answers can be compared. */
  get hasSeveral(): boolean {
    return this.shared.nodes.length > 1
  }

  get nameOf(): ((index: number) => string) | undefined {
    return this.hasSeveral ? (index) => this.portAt(index).name : undefined
  }

  timeLeftMs = (): number => (this.#over.signal.aborted ? 0 : this.#deadline - this.shared.clock.now())

  /** Lets time pass, until the signal or the end of the request. */
  pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const until = signal === undefined ? this.#over.signal : AbortSignal.any([this.#over.signal, signal])
      const done = () => {
        stop()
        until.removeEventListener('abort', done)
        resolve()
      }
      const stop = this.shared.clock.after(milliseconds, done)
      if (until.aborted) done()
      else until.addEventListener('abort', done)
    })

  /** Waits for something that others may wait for too, with a patience of our own. */
  async within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
    const waiting = new AbortController()
    const over = this.pause(milliseconds, waiting.signal).then(() => undefined)
    return Promise.race([promise, over]).finally(() => waiting.abort())
  }

  end(): void {
    this.#over.abort()
  }

  portAt(index: number): NodePort {
    const port = this.shared.nodes[index]
    if (port === undefined) throw new RangeError(`node index ${index} is out of range`)
    return port
  }

  /** Sends, and notes how that ended. `judge` says what the reply is worth; the request sends no call once it is over. */
  async #send(
    query: QueryUpstream,
    operation: Operation,
    variables: Variables,
    { why, signal, limitMs = Number.POSITIVE_INFINITY, isRepeat }: Terms,
    judge: (reply: Reply) => Outcome,
    node?: number,
  ): Promise<Outcome> {
    const { clock } = this.shared
    const leftMs = this.timeLeftMs()
    const until = signal === undefined ? this.#over.signal : AbortSignal.any([this.#over.signal, signal])
    if (until.aborted || leftMs <= 0) {
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
    until.addEventListener('abort', onAbort)
    const limits = { limitMs: Math.max(1, Math.min(limitMs, leftMs)), signal: until, ...(isRepeat && { isRepeat }) }
    try {
      const outcome = judge(await query(operation, variables, limits))
      if (!until.aborted) note(endOf(outcome))
      return outcome
    } catch (error) {
      if (!until.aborted) note(error instanceof WireError ? { outcome: error.fault } : { outcome: 'failed' })
      return failureOf(error)
    } finally {
      until.removeEventListener('abort', onAbort)
    }
  }

  /** Changes the state, and tells what that changes in the judgement of the nodes. */
  #change(index: number, change: (state: ChainState, now: number) => ChainState): void {
    const { shared } = this
    const now = shared.clock.now()
    const before = shared.state
    shared.state = change(before, now)
    const notice = (event: NodeEvent, at: number, holds: (state: ChainState) => boolean) => {
      if (holds(shared.state) && !holds(before)) this.watch?.noticed(event, this.portAt(at).name)
    }
    if (this.hasSeveral) notice('demoted', index, (state) => isDemoted(nodeAt(state, index), now))
    notice('unsupported', index, (state) => isUnsupported(nodeAt(state, index), now))
    notice('hard-fork', index, isForked)
    for (const at of before.nodes.keys()) notice('other-network', at, (state) => isForeign(state, at))
  }

  /**
   * Puts a question to one node, and learns from how that ends, unless the call was ended meanwhile. An answer from
   * another network does not count.
   *
   * @throws any other error than a WireError, since that is our own fault
   */
  async ask(index: number, operation: Operation, variables: Variables, terms: Terms): Promise<Outcome> {
    const { shared } = this
    const startedAt = shared.clock.now()
    const { name, query } = this.portAt(index)
    const judge = (reply: Reply) => outcomeOf(operation, variables, reply)
    const send = terms.isUnlabelled ? query : labelling(query)
    const outcome = await this.#send(send, operation, variables, terms, judge, index)
    const tookMs = shared.clock.now() - startedAt
    terms.onReply?.()
    await terms.until
    if (terms.signal?.aborted || this.timeLeftMs() <= 0) return outcome
    this.#change(index, (state, now) => learnt(state, index, outcome, tookMs, now))
    if (outcome.kind === 'failure' || !isForeign(shared.state, index)) return outcome
    return { kind: 'failure', error: new WireError('mismatched', `${name} is on another network`) }
  }

  /**
   * Puts a question to the indexer, once more when it turned the question away.
   * @throws any other error than a WireError, since that is our own fault
   */
  async askIndexer(operation: Operation, variables: Variables): Promise<Outcome> {
    const { indexer } = this.shared
    if (indexer === undefined) throw new Error(`${operation.name}: no indexer is configured`)
    const judge = (reply: Reply) =>
      isTurnedAway(reply)
        ? failureOf(new WireError('busy', `${operation.name}: turned away twice, HTTP 408`), reply)
        : outcomeOf(operation, variables, reply)
    const first = await this.#send(indexer, operation, variables, {}, judge)
    const isRepeated = first.kind === 'failure' && first.reply !== undefined && isTurnedAway(first.reply)
    return isRepeated ? this.#send(indexer, operation, variables, { isRepeat: true }, judge) : first
  }

  /** Sends a mutation to one node. It may have happened whatever comes back. */
  async submit(index: number, mutation: Operation, variables: Variables, terms: Terms): Promise<Outcome> {
    const startedAt = this.shared.clock.now()
    const judge = (reply: Reply): Outcome => ({
      kind: 'answer',
      reply,
      data: undefined,
      label: undefined,
      isMissing: false,
    })
    const outcome = await this.#send(this.portAt(index).query, mutation, variables, terms, judge, index)
    if (outcome.kind === 'failure' && !terms.signal?.aborted && this.timeLeftMs() > 0) {
      this.#change(index, (state, now) => learnt(state, index, outcome, now - startedAt, now))
    }
    return outcome
  }

  /**
   * Asks a node which network it is on. Its failure changes nothing, so that the next one who needs it may ask at once.
   * True when the request ended before that.
   */
  async check(index: number): Promise<boolean> {
    const { query } = this.portAt(index)
    const judge = (reply: Reply) => outcomeOf(networkCheck, {}, reply)
    const outcome = await this.#send(query, networkCheck, {}, { why: 'network' }, judge, index)
    if (outcome.kind === 'answer') {
      const { genesisBlock } = networkCheck.data.read(outcome.data, networkCheck.name)
      this.#change(index, (state, now) => withGenesis(state, index, genesisBlock.stateHash, now))
    } else if (outcome.reply !== undefined && isRefusedUnread(outcome.reply)) {
      this.#change(index, (state, now) => withoutSupport(state, index, now))
    }
    return this.#over.signal.aborted
  }
}
