// How long one request waits for nodes to describe their network. An instance that sleeps between requests loses an answer that
// arrives meanwhile, so only a request that waits can learn it: once in ten minutes one of them waits as long as an answer takes.
import { descriptionTimeoutMs } from '../upstream/network.ts'
import type { RequestHost } from './request-host.ts'

/** The longest that most requests wait for a description: an answer that needs one is a 503 within two seconds. */
export const descriptionPatienceMs = 1700

const longOnceInMs = 600_000

export class DescriptionWait {
  readonly #host: RequestHost
  /** On the clock of `elapsed`, once the request has begun to wait. */
  #until: number | undefined
  /** True once the request waits as long as an answer takes. */
  isLong = false

  constructor(host: RequestHost) {
    this.#host = host
  }

  /** True if a long wait may begin: an earlier answer came too late, and this request has not begun a short wait. */
  get mayBeLong(): boolean {
    const { undescribed, waitedLongAt } = this.#host.state
    const isDue = undescribed.size > 0 && this.#host.instant().nowMs - waitedLongAt >= longOnceInMs
    return this.#until === undefined && isDue
  }

  /** Begins a long wait, if it may. */
  beginLong(): void {
    if (!this.mayBeLong) return
    this.#host.learn({ type: 'noted', time: 'waitedLongAt' })
    this.isLong = true
    this.#until = this.#host.elapsed() + descriptionTimeoutMs
  }

  /** Milliseconds that are left. Begins a short wait if none has begun. */
  leftMs(): number {
    this.#until ??= this.#host.elapsed() + descriptionPatienceMs
    return Math.min(this.#until - this.#host.elapsed(), this.#host.timeLeftMs())
  }

  /** Notes the nodes that have not described their network while the request could wait. */
  missed(running: Iterable<{ readonly node: number }>): void {
    for (const { node } of running) this.#host.learn({ type: 'description-missed', node })
  }

  /** Lets another request wait long, if every question failed within a short wait. @param startedAt of the first one */
  ended(startedAt: number): void {
    const isUnused = this.isLong && this.#host.elapsed() - startedAt < descriptionPatienceMs
    if (isUnused) this.#host.learn({ type: 'long-wait-unused' })
  }
}
