// One cache of CloudFront in virtual time: what it keeps, when it asks for more, and which readers wait for that.
import type { CachePolicy, Distribution, ViewerRequest } from './distribution.ts'
import { keptSeconds, type OriginAnswer, stalenessOf } from './keeping.ts'

export interface TimedRequest extends ViewerRequest {
  /** Milliseconds of virtual time; requests are in order. */
  readonly at: number
  /** True if an attacker sent it. */
  readonly isHostile?: boolean
  /** The name of the answer that the service has learnt for it, where the address does not tell. */
  readonly asks?: string
}

/** The answer of the next cache or the origin. */
export interface Fetched {
  /** A 304 means that the copy with the asked-for tag is still good. */
  readonly answer: OriginAnswer
  readonly latencyMs: number
  /** The request for which the origin was asked, at the time of which its answer was true. */
  readonly givenFor: TimedRequest
}

/** @param tag of the expired copy, if there is one */
export type Fetch = (request: TimedRequest, policy: CachePolicy, tag: string | undefined) => Fetched

/** The answer to a reader. */
export interface Given {
  /**
   * `origin`: it waited for its own call; `collapsed`: for that of another request; `revalidating`: an expired copy without
   * waiting; `expired copy`: in place of an error.
   */
  readonly by: 'origin' | 'cache' | 'revalidating' | 'collapsed' | 'expired copy'
  readonly answer: OriginAnswer
  readonly givenFor: TimedRequest
  readonly waitMs: number
  /** Since the cache received it, when the reader gets it. */
  readonly keptMs: number
}

interface Copy extends Pick<Given, 'answer' | 'givenFor'> {
  readonly receivedAt: number
  /** When its caching time ends, and the times after that in which it may be used. */
  readonly expiresAt: number
  readonly revalidatingUntil: number
  readonly onErrorUntil: number
}

interface Held {
  readonly copy: Copy
  /** Later than the copy's own expiry where it replaces an error: the cache asks for nothing before. */
  readonly freshUntil: number
}

interface Entry {
  readonly held?: Held | undefined
  /** The answer under way. */
  readonly pending?: (Held & { readonly readyAt: number }) | undefined
}

function keyOf({ method, uri, querystring }: ViewerRequest, { queryKeys }: CachePolicy): string {
  return JSON.stringify([method, uri, ...queryKeys.map((name) => querystring[name])])
}

/**
 * The caching time of an answer starts anew at each cache: CloudFront's guide does not say that an age counts.
 *
 * @returns a function that answers one request after the other
 */
export function createCache({ errorTtls }: Pick<Distribution, 'errorTtls'>, fetch: Fetch) {
  const entries = new Map<string, Entry>()

  /** The cache's copy after an answer; undefined for one that it does not keep. */
  function heldAfter({ answer, latencyMs, givenFor }: Fetched, at: number, policy: CachePolicy, old?: Copy) {
    const readyAt = at + latencyMs
    const isStillGood = answer.status === 304 && old !== undefined
    const { cacheControl = old?.answer.cacheControl } = answer
    const said = isStillGood ? { ...old.answer, ...(cacheControl !== undefined && { cacheControl }) } : answer
    const kept = keptSeconds(said, policy, errorTtls)
    if (kept === 0) return undefined
    const freshUntil = readyAt + 1000 * kept
    if (answer.status >= 500 && old !== undefined && old.answer.status < 400 && readyAt <= old.onErrorUntil) {
      return { copy: old, freshUntil, readyAt }
    }
    const { whileRevalidating, onError } = stalenessOf(said, kept, policy)
    const copy: Copy = {
      answer: said,
      givenFor,
      receivedAt: readyAt,
      expiresAt: freshUntil,
      revalidatingUntil: freshUntil + 1000 * whileRevalidating,
      onErrorUntil: freshUntil + 1000 * onError,
    }
    return { copy, freshUntil, readyAt }
  }

  return (request: TimedRequest, policy: CachePolicy): Given => {
    const { at } = request
    const key = keyOf(request, policy)
    const found = entries.get(key) ?? {}
    const isReady = found.pending !== undefined && at >= found.pending.readyAt
    const { held, pending }: Entry = isReady ? { held: found.pending } : found

    const given = (by: Given['by'], { answer, givenFor, receivedAt }: Copy, gotAt = at): Given => ({
      ...{ by, answer, givenFor, waitMs: gotAt - at, keptMs: gotAt - receivedAt },
    })
    const ask = () => {
      const fetched = fetch(request, policy, held?.copy.answer.etag)
      const next = heldAfter(fetched, at, policy, held?.copy)
      entries.set(key, { held, pending: next })
      return { fetched, next }
    }

    if (held !== undefined) {
      const { copy, freshUntil } = held
      const isRevalidating = at < copy.revalidatingUntil
      if (at < copy.expiresAt) return given('cache', copy)
      if (at < freshUntil) return given(isRevalidating ? 'revalidating' : 'expired copy', copy)
      if (isRevalidating) {
        if (pending === undefined) ask()
        return given('revalidating', copy)
      }
    }
    if (pending !== undefined) return given('collapsed', pending.copy, pending.readyAt)
    const { fetched, next } = ask()
    if (next !== undefined) return given(next.copy === held?.copy ? 'expired copy' : 'origin', next.copy, next.readyAt)
    return { by: 'origin', answer: fetched.answer, givenFor: fetched.givenFor, waitMs: fetched.latencyMs, keptMs: 0 }
  }
}
