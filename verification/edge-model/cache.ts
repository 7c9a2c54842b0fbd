// One cache of CloudFront in virtual time: what it keeps, when it asks for more, and which readers wait for that.
import type { CachePolicy, Distribution, ViewerRequest } from './distribution.ts'
import { keptSeconds, type OriginAnswer, stalenessOf } from './keeping.ts'

export interface TimedRequest extends ViewerRequest {
  /** Milliseconds of virtual time; requests are in order. */
  readonly at: number
  /** True if an attacker sent it. */
  readonly isHostile?: boolean
  /** The name of the answer that the service has learnt for it. */
  readonly asks?: string
}

/** The answer of the next cache or the origin; a 304 where the copy with the asked-for tag is still good. */
export interface Fetched {
  readonly answer: OriginAnswer
  readonly latencyMs: number
  /** The request for which the origin was asked, at the time of which its answer was true. */
  readonly givenFor: TimedRequest
}

/** @param tag of the expired copy, if there is one */
export type Fetch = (request: TimedRequest, policy: CachePolicy, tag: string | undefined) => Fetched

/** The answer to a reader. */
export interface Given extends Omit<Fetched, 'latencyMs'> {
  /**
   * `origin`: it waited for its own call; `collapsed`: for that of another request; `revalidating`: an expired copy without
   * waiting; `expired copy`: in place of an error.
   */
  readonly by: 'origin' | 'cache' | 'revalidating' | 'collapsed' | 'expired copy'
  readonly waitMs: number
  /** Since the cache received it, when the reader gets it. */
  readonly keptMs: number
}

interface Copy extends Omit<Fetched, 'latencyMs'> {
  readonly receivedAt: number
  /** When its caching time ends, and the times after that in which it may be used. */
  readonly expiresAt: number
  readonly revalidatingUntil: number
  readonly onErrorUntil: number
  /** The cache asks for nothing before: later than its expiry where it stands in for an error. */
  readonly freshUntil: number
  /** When it, or the error for which it stands in, has arrived. */
  readonly readyAt: number
}

/**
 * The caching time of an answer starts anew at each cache: CloudFront's guide does not say that an age counts.
 *
 * @returns a function that answers one request after the other
 */
export function createCache({ errorTtls }: Pick<Distribution, 'errorTtls'>, fetch: Fetch) {
  const entries = new Map<string, { readonly held: Copy | undefined; readonly pending: Copy | undefined }>()

  /** The cache's copy after an answer; undefined for one that it does not keep. */
  function copyOf({ answer, latencyMs, givenFor }: Fetched, at: number, policy: CachePolicy, old?: Copy) {
    const readyAt = at + latencyMs
    const isStillGood = answer.status === 304 && old !== undefined
    const said = isStillGood ? { ...old.answer, ...answer, status: old.answer.status } : answer
    const kept = keptSeconds(said, policy, errorTtls)
    if (kept === 0) return undefined
    const freshUntil = readyAt + 1000 * kept
    if (answer.status >= 500 && old !== undefined && old.answer.status < 400 && readyAt <= old.onErrorUntil) {
      return { ...old, freshUntil, readyAt }
    }
    const { whileRevalidating, onError } = stalenessOf(said, kept, policy)
    const [revalidatingUntil, onErrorUntil] = [freshUntil + 1000 * whileRevalidating, freshUntil + 1000 * onError]
    const times = { receivedAt: readyAt, expiresAt: freshUntil, revalidatingUntil, onErrorUntil, freshUntil, readyAt }
    return { answer: said, givenFor, ...times }
  }

  return (request: TimedRequest, policy: CachePolicy): Given => {
    const { at, method, uri, querystring } = request
    const key = JSON.stringify([method, uri, ...policy.queryKeys.map((name) => querystring[name])])
    let { held, pending } = entries.get(key) ?? {}
    if (pending !== undefined && at >= pending.readyAt) [held, pending] = [pending, undefined]

    const given = (by: Given['by'], { answer, givenFor, receivedAt }: Copy, gotAt = at): Given => ({
      ...{ by, answer, givenFor, waitMs: gotAt - at, keptMs: gotAt - receivedAt },
    })
    const ask = () => {
      const fetched = fetch(request, policy, held?.answer.etag)
      const copy = copyOf(fetched, at, policy, held)
      entries.set(key, { held, pending: copy })
      return { fetched, copy }
    }

    if (held !== undefined) {
      const isRevalidating = at < held.revalidatingUntil
      if (at < held.expiresAt) return given('cache', held)
      if (at < held.freshUntil) return given(isRevalidating ? 'revalidating' : 'expired copy', held)
      if (isRevalidating) {
        if (pending === undefined) ask()
        return given('revalidating', held)
      }
    }
    if (pending !== undefined) return given('collapsed', pending, pending.readyAt)
    const { fetched, copy } = ask()
    if (copy !== undefined) return given(copy.receivedAt < copy.readyAt ? 'expired copy' : 'origin', copy, copy.readyAt)
    return { by: 'origin', answer: fetched.answer, givenFor: fetched.givenFor, waitMs: fetched.latencyMs, keptMs: 0 }
  }
}
