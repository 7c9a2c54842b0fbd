// One question to several nodes: the first call, a hedge, failovers and confirmations, until there is an answer.
import type { CallLimits, ExtraCall, Reply } from '../../../shared/upstream/query.ts'
import { endedNow, type Finished, failureOfAll, finished } from './endings.ts'
import { type Call, callNode, cancelledCall } from './member.ts'
import { type Pool, portAt } from './pool-parts.ts'
import { credited, hasBudget, spent } from './rules/budget.ts'
import { decide, type Ended, mayHedge, type Progress } from './rules/decide.ts'
import { hasFailed } from './rules/health.ts'
import { hedgeDelayMs } from './rules/hedge.ts'
import { foundNothingFresher, isBelievable, stayedBelow } from './rules/heights.ts'
import { elected, isOfBestTier, isUsable, outOfUse, ranked } from './rules/rank.ts'
import { nodeAt } from './rules/state.ts'

/** A node that takes longer to confirm an answer is not reachable for that purpose. */
const confirmationPatienceMs = 1500

type Asked = Pick<Call, 'operation' | 'variables' | 'limits'>

interface Running {
  readonly call: Call
  readonly startedAt: number
  readonly abort: AbortController
}

class Question {
  readonly #pool: Pool
  readonly #asked: Asked
  readonly #begunAt: number
  /** By the index of the node. */
  readonly #running = new Map<number, Running>()
  readonly #finished: Finished[] = []
  #isHedged = false
  #askedFresher = false
  #stopTimer: () => void = () => undefined
  #wake: () => void = () => undefined
  #crash: { readonly error: unknown } | undefined

  constructor(pool: Pool, asked: Asked) {
    this.#pool = pool
    this.#asked = asked
    this.#begunAt = pool.clock.now()
  }

  async answer(): Promise<Reply> {
    const pool = this.#pool
    pool.state = elected(pool.state, this.#begunAt)
    const [first = 0] = ranked(pool.state, this.#begunAt)
    this.#start(first)
    try {
      for (;;) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        if (this.#crash !== undefined) throw this.#crash.error
        const step = decide(this.#progress())
        if (step.do === 'give-up') return failureOfAll(pool, this.#ended())
        if (step.do === 'answer') return this.#accept(step.answer)
        if (step.do === 'ask') this.#askAnother(step.why)
      }
    } finally {
      this.#finish()
    }
  }

  #left(): readonly number[] {
    const now = this.#pool.clock.now()
    const asked = new Set([...this.#finished.map(({ node }) => node), ...this.#running.keys()])
    return ranked(this.#pool.state, now).filter((index) => !asked.has(index))
  }

  #usableLeft(): readonly number[] {
    return this.#left().filter((index) => isUsable(this.#pool.state, index))
  }

  #ended(): readonly Ended[] {
    return this.#finished.map((call) => endedNow(this.#pool, call))
  }

  /** Whether no node has received anything yet: asking the next one then multiplies nothing. */
  #isFree(): boolean {
    return this.#running.size === 0 && this.#finished.every((call) => call.kind === 'failure' && call.error.isUnsent)
  }

  /**
   * The node to ask in place of one that failed. With an empty budget only one that has not failed itself since it last
   * answered, so that an outage of all nodes costs one such call to each.
   */
  #successor(): number | undefined {
    const { state } = this.#pool
    const left = this.#left()
    if (this.#isFree() || hasBudget(state)) return left[0]
    return left.find((index) => !hasFailed(nodeAt(state, index)))
  }

  #progress(): Progress {
    return {
      ended: this.#ended(),
      running: this.#running.size,
      isUsableLeft: this.#usableLeft().length > 0,
      mayFailOver: this.#successor() !== undefined,
      hasBudget: hasBudget(this.#pool.state),
    }
  }

  #askAnother(why: 'failover' | 'confirm' | 'stale'): void {
    const next = why === 'failover' ? this.#successor() : this.#usableLeft()[0]
    if (next === undefined) return
    if (why === 'stale') this.#askedFresher = true
    this.#start(next, why)
  }

  #hedge(): void {
    const { state, clock } = this.#pool
    const next = this.#left().find((index) => isOfBestTier(state, index, clock.now()))
    if (next === undefined || this.#isHedged || !mayHedge(this.#progress())) return
    this.#isHedged = true
    this.#start(next, 'hedge')
  }

  #limits(why: ExtraCall | undefined, signal: AbortSignal): CallLimits {
    const { limits } = this.#asked
    const spentMs = this.#pool.clock.now() - this.#begunAt
    const leftMs = Math.max(1, (limits.limitMs ?? Number.POSITIVE_INFINITY) - spentMs)
    const isCheck = why === 'confirm' || why === 'stale'
    return { ...limits, signal, limitMs: isCheck ? Math.min(leftMs, confirmationPatienceMs) : leftMs }
  }

  #start(node: number, why?: ExtraCall): void {
    const pool = this.#pool
    if (why === 'hedge' || (why === 'failover' && !this.#isFree())) pool.state = spent(pool.state)
    const abort = new AbortController()
    const call: Call = {
      ...this.#asked,
      why,
      limits: this.#limits(why, abort.signal),
      onReply: () => this.#running.size === 1 && this.#stopTimer(),
    }
    this.#running.set(node, { call, startedAt: pool.clock.now(), abort })
    callNode(pool, node, call).then(
      (outcome) => {
        // Not among them any more when it was cancelled.
        if (!this.#running.delete(node)) return
        this.#finished.push(finished(pool, node, outcome))
        this.#wake()
      },
      (error: unknown) => {
        this.#crash = { error }
        this.#wake()
      },
    )
    this.#stopTimer()
    if (this.#isHedged || this.#running.size > 1) return
    this.#stopTimer = pool.clock.after(hedgeDelayMs(nodeAt(pool.state, node)), () => this.#hedge())
  }

  #accept({ node, reply, label, isStale, isBehind }: Extract<Ended, { kind: 'answer' }>): Reply {
    const pool = this.#pool
    const now = pool.clock.now()
    pool.state = credited(pool.state)
    if (isStale && this.#askedFresher) pool.state = foundNothingFresher(pool.state, now)
    if (!isBehind || label === undefined) return reply
    if (this.#usableLeft().length === 0 && isBelievable(pool.state, node, label, now)) {
      const { greatestHeight } = pool.state
      pool.state = stayedBelow(pool.state, label.height, now)
      if (pool.state.greatestHeight < greatestHeight) {
        this.#asked.limits.watch?.noticed('reorganised', portAt(pool, node).name)
      }
    }
    return { ...reply, isBehind }
  }

  /** Nothing is left running: it would be frozen with the instance, and go on in the next request. */
  #finish(): void {
    this.#stopTimer()
    for (const [node, { call, startedAt, abort }] of this.#running) {
      abort.abort()
      cancelledCall(this.#pool, node, call, startedAt)
    }
    this.#running.clear()
    this.#asked.limits.watch?.outOfUse(outOfUse(this.#pool.state))
  }
}

/**
 * Asks the nodes until one gives an answer that is neither behind nor doubtful, within three calls, two at a time.
 *
 * @returns the best answer that could be had; `isBehind` where every node that answers is below a tip seen before
 * @throws WireError `busy` when no node answers
 */
export const askNodes = (pool: Pool, asked: Asked): Promise<Reply> => new Question(pool, asked).answer()
