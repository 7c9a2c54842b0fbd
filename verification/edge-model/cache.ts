// One cache of CloudFront in virtual time: what it keeps, when it asks for more, and which readers wait for that. Its times
// are those of CloudFront's developer guide on expiration and on the caching of errors.

import type { ViewerRequest } from '../viewer-request.ts'
import type { CachePolicy, Distribution } from './distribution.ts'

export interface TimedRequest extends ViewerRequest {
  /** Milliseconds of virtual time; requests are in order. */
  readonly at: number
  /** The target in its plain form, however the client spells it. */
  readonly question: string
  /** The name of the answer that the service has learnt for it. */
  readonly asks: string
  readonly isHostile: boolean
}

export interface Answer {
  readonly status: number
  /** Empty without one. */
  readonly cacheControl: string
  /** An expired copy with it is asked for by the tag. */
  readonly etag?: string
  /** The request for which the origin was asked, at the time of which the answer was true. */
  readonly givenFor: TimedRequest
}

/**
 * Asks the next cache or the origin.
 *
 * @param tag of the expired copy, if there is one
 * @returns a 304 where the copy with this tag is still good
 */
export type Fetch = (
  request: TimedRequest,
  policy: CachePolicy,
  tag: string | undefined,
) => Answer & { readonly latencyMs: number }

/** The answer to a reader. */
export interface Given {
  readonly answer: Answer
  /** `origin`: the reader waited for a call of its own; `edge`: CloudFront or its viewer function made the answer. */
  readonly by: 'origin' | 'cache' | 'edge'
  readonly waitMs: number
  /** Since the cache received it, when the reader gets it. */
  readonly keptMs: number
  /** Older than its cache times allow, in place of an error. */
  readonly isForError: boolean
}

interface Copy {
  readonly answer: Answer
  readonly receivedAt: number
  /** The cache asks for nothing before. */
  readonly freshUntil: number
  /** The ends of the times in which it may be used although it has expired. */
  readonly revalidatingUntil: number
  readonly onErrorUntil: number
  /** When it, or the error for which it stands in, has arrived. */
  readonly readyAt: number
}

function readPromise(cacheControl: string) {
  const seconds = new Map([...cacheControl.matchAll(/([\w-]+)=(\d+)/g)].map(([, name, text]) => [name, Number(text)]))
  return {
    maxAge: seconds.get('max-age') ?? 0,
    whileRevalidating: seconds.get('stale-while-revalidate') ?? 0,
    onError: seconds.get('stale-if-error'),
  }
}

/** By header: a service has a dozen of them, and an hour of traffic reads them a million times. */
const promises = new Map<string, ReturnType<typeof readPromise>>()

/** The cache times that a cache-control header allows, in seconds. */
export function promisedBy({ cacheControl }: Answer) {
  const promise = promises.get(cacheControl) ?? readPromise(cacheControl)
  promises.set(cacheControl, promise)
  return promise
}

/** For an error without a caching time in the distribution. */
const defaultErrorTtl = 10

/**
 * The caching time of an answer starts anew at each cache: CloudFront's guide does not say that an age counts.
 *
 * @returns a function that answers one request after the other
 */
export function createCache(errorTtls: Distribution['errorTtls'], fetch: Fetch) {
  const held = new Map<string, Copy>()
  /** On their way. */
  const pending = new Map<string, Copy>()

  function keptSeconds(answer: Answer, { maxTtl }: CachePolicy): number {
    const allowed = Math.min(promisedBy(answer).maxAge, maxTtl)
    if (answer.status < 400) return allowed
    return answer.status === 429 ? 0 : Math.max(errorTtls.get(answer.status) ?? defaultErrorTtl, allowed)
  }

  function copyOf({ latencyMs, ...answer }: ReturnType<Fetch>, policy: CachePolicy, at: number, old?: Copy): Copy {
    const readyAt = at + latencyMs
    const said = answer.status === 304 && old ? { ...old.answer, ...answer, status: old.answer.status } : answer
    const kept = keptSeconds(said, policy)
    const freshUntil = readyAt + 1000 * kept
    const isKeptError = said.status >= 500 && kept > 0
    if (isKeptError && old && old.answer.status < 400 && readyAt <= old.onErrorUntil) {
      return { ...old, freshUntil, readyAt }
    }
    // CloudFront uses a copy as long as that says, but never past the maximum TTL, counted from its receipt. In place of a
    // 5xx it uses one without `stale-if-error` for all of that time; by observation, `must-revalidate` does not prevent it.
    const most = Math.max(0, policy.maxTtl - kept)
    const { whileRevalidating, onError = most } = promisedBy(said)
    const revalidatingUntil = freshUntil + 1000 * Math.min(most, whileRevalidating)
    const onErrorUntil = freshUntil + 1000 * Math.min(most, onError)
    return { answer: said, receivedAt: readyAt, freshUntil, revalidatingUntil, onErrorUntil, readyAt }
  }

  return (request: TimedRequest, policy: CachePolicy): Given => {
    const { at, uri, querystring } = request
    const key = JSON.stringify([uri, policy.hasQueryInKey && querystring])
    const arrived = pending.get(key)
    if (arrived !== undefined && at >= arrived.readyAt) {
      held.set(key, arrived)
      pending.delete(key)
    }
    const [copy, next] = [held.get(key), pending.get(key)]

    const given = (by: Given['by'], { answer, receivedAt, revalidatingUntil }: Copy, gotAt = at): Given => {
      return { answer, by, waitMs: gotAt - at, keptMs: gotAt - receivedAt, isForError: gotAt > revalidatingUntil }
    }
    const ask = (): Copy => {
      const asked = copyOf(fetch(request, policy, copy?.answer.etag), policy, at, copy)
      if (asked.freshUntil > asked.readyAt) pending.set(key, asked)
      return asked
    }

    if (copy !== undefined && at < Math.max(copy.freshUntil, copy.revalidatingUntil)) {
      if (at >= copy.freshUntil && next === undefined) ask()
      return given('cache', copy)
    }
    if (next !== undefined) return given('cache', next, next.readyAt)
    const asked = ask()
    return given('origin', asked, asked.readyAt)
  }
}
