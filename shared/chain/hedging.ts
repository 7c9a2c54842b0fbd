// Asks further nodes, within one question, when the first are slow.
import { hasBudget } from './network-state.ts'
import { isOfBestTier } from './node-selection.ts'
import { hedgeDelayMs, isSlow, maxHedgeDelayMs } from './node-state.ts'
import type { RequestHost } from './request-host.ts'

/** What hedging needs of a question. */
export interface Hedged {
  /** The nodes that may still be asked, the best first. */
  left(): readonly number[]
  /** True if a second call may be sent beside the first. */
  mayHedge(): boolean
  /** Asks another node as well. */
  askBeside(node: number): void
}

/** The extra calls of one question: one if the budget allows, and one more, outside the budget, once the nodes take very long. */
export class Hedging {
  readonly #host: RequestHost
  readonly #question: Hedged
  #isHedged = false
  #lastResort: number | undefined
  #stopTimer: () => void = () => undefined

  constructor(host: RequestHost, question: Hedged) {
    this.#host = host
    this.#question = question
  }

  /** The node that was asked because all others took very long; undefined until one is. */
  get lastResort(): number | undefined {
    return this.#lastResort
  }

  /** Gives a node that was just asked time to answer, before another one is asked as well. */
  watch(node: number): void {
    this.stop()
    if (this.#lastResort !== undefined) return
    if (this.#isHedged) {
      this.#askLastResortAfter(maxHedgeDelayMs)
      return
    }
    const delayMs = hedgeDelayMs(this.#host.node(node))
    this.#stopTimer = this.#host.after(delayMs, () => this.#hedge(delayMs))
  }

  /** Gives the nodes already asked a last deadline, and asks no further node. */
  hurry(milliseconds: number, giveUp: () => void): void {
    this.stop()
    this.#stopTimer = this.#host.after(milliseconds, giveUp)
  }

  stop(): void {
    this.#stopTimer()
  }

  /** Asks another node beside the first, if the budget allows. */
  #hedge(waitedMs: number): void {
    const { state } = this.#host
    const at = this.#host.instant()
    const question = this.#question
    const node = question.left().find((index) => isOfBestTier(state, index, at))
    if (node === undefined || !hasBudget(state) || !question.mayHedge()) {
      this.#askLastResortAfter(maxHedgeDelayMs - waitedMs)
      return
    }
    this.#isHedged = true
    this.#host.learn({ type: 'extra-call' })
    question.askBeside(node)
  }

  /** Asks one more node, outside the budget, if those already asked take this long. */
  #askLastResortAfter(milliseconds: number): void {
    this.#stopTimer = this.#host.after(milliseconds, () => {
      const at = this.#host.instant()
      this.#lastResort = this.#question.left().find((index) => !isSlow(this.#host.node(index), at))
      if (this.#lastResort !== undefined) this.#question.askBeside(this.#lastResort)
    })
  }
}
