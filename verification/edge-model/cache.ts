// One cache of CloudFront in virtual time: what it keeps, when it asks for more, and which readers wait for that.

import type { CachePolicy, Distribution, ViewerRequest } from './distribution.ts'
import { keptSeconds, type OriginAnswer, stalenessOf } from './keeping.ts'

export interface TimedRequest extends ViewerRequest {
  /** Milliseconds of virtual time; requests are in order. */
  readonly at: number
  /** True if an attacker sent it. */
  readonly isHostile?: boolean
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

interface Copy {
  readonly answer: OriginAnswer
  readonly givenFor: TimedRequest
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
  readonly held: Held | undefined
  /** The answer under way. */
  readonly pending?: Held & { readonly readyAt: number }
}

function keyOf({ method, uri, querystring }: ViewerRequest, { queryKeys }: CachePolicy): string {
  const names = queryKeys === 'all' ? Object.keys(querystring).sort() : queryKeys
  const query = names.flatMap((name) => {
    const { value, multiValue } = querystring[name] ?? {}
    return value === undefined ? [] : [[name, multiValue?.map((one) => one.value) ?? value]]
  })
  return JSON.stringify([method, uri, query])
}

/**
 * The caching time of an answer starts anew at each cache: CloudFront's guide does not say that an age counts.
 *
 * @returns a function that answers one request after the other
 */
export function createCache(
  { errorTtls }: Pick<Distribution, 'errorTtls'>,
  fetch: Fetch,
): (request: TimedRequest, policy: CachePolicy) => Given {
  const entries = new Map<string, Entry>()

  /** The cache's copy after an answer; undefined for one that it does not keep. */
  function heldAfter(
    { answer, latencyMs, givenFor }: Fetched,
    at: number,
    policy: CachePolicy,
    old: Copy | undefined,
  ): (Held & { readonly readyAt: number }) | undefined {
    const readyAt = at + latencyMs
    const { cacheControl } = answer
    const isStillGood = answer.status === 304 && old !== undefined
    const said = isStillGood ? { ...old.answer, ...(cacheControl !== undefined && { cacheControl }) } : answer
    const kept = keptSeconds(said, policy, errorTtls)
    if (kept === 0) return undefined
    if (answer.status >= 500 && old !== undefined && old.answer.status < 400 && readyAt <= old.onErrorUntil) {
      return { copy: old, freshUntil: readyAt + 1000 * kept, readyAt }
    }
    const expiresAt = readyAt + 1000 * kept
    const staleness = stalenessOf(said, kept, policy)
    const copy: Copy = {
      answer: said,
      givenFor,
      receivedAt: readyAt,
      expiresAt,
      revalidatingUntil: expiresAt + 1000 * staleness.whileRevalidating,
      onErrorUntil: expiresAt + 1000 * staleness.onError,
    }
    return { copy, freshUntil: expiresAt, readyAt }
  }

  return (request, policy) => {
    const { at } = request
    const key = keyOf(request, policy)
    const found = entries.get(key)
    const { held, pending }: Entry =
      found?.pending !== undefined && at >= found.pending.readyAt
        ? { held: found.pending }
        : (found ?? { held: undefined })

    const given = (by: Given['by'], { answer, givenFor, receivedAt }: Copy, gotAt = at): Given => ({
      by,
      answer,
      givenFor,
      waitMs: gotAt - at,
      keptMs: gotAt - receivedAt,
    })
    const ask = () => {
      const fetched = fetch(request, policy, held?.copy.answer.etag)
      const next = heldAfter(fetched, at, policy, held?.copy)
      entries.set(key, { held, ...(next !== undefined && { pending: next }) })
      return { fetched, next }
    }

    if (held !== undefined) {
      const { copy, freshUntil } = held
      const isRevalidating = at < copy.revalidatingUntil
      if (at < freshUntil) {
        return given(at < copy.expiresAt ? 'cache' : isRevalidating ? 'revalidating' : 'expired copy', copy)
      }
      if (isRevalidating) {
        if (pending === undefined) ask()
        return given('revalidating', copy)
      }
    }
    if (pending !== undefined) return given('collapsed', pending.copy, pending.readyAt)
    const { fetched, next } = ask()
    if (next !== undefined) return given(next.copy === held?.copy ? 'expired copy' : 'origin', next.copy, next.readyAt)
    const { answer, latencyMs, givenFor } = fetched
    return { by: 'origin', answer, givenFor, waitMs: latencyMs, keptMs: 0 }
  }
}
