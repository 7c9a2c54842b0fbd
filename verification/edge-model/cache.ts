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

/** The part of an origin's answer that a cache reads. */
export interface OriginAnswer {
  readonly status: number
  /** Empty without one. */
  readonly cacheControl: string
  /** An expired copy with it is asked for by the tag. */
  readonly etag?: string
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
  /** `origin`: it waited for its own call; `collapsed`: for that of another request. */
  readonly by: 'origin' | 'cache' | 'collapsed'
  readonly waitMs: number
  /** Since the cache received it, when the reader gets it. */
  readonly keptMs: number
  /** Older than its cache times allow, in place of an error. */
  readonly isForError: boolean
}

interface Copy extends Omit<Fetched, 'latencyMs'> {
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
  const secondsOf = (name: string) => {
    const [, seconds] = new RegExp(`\\b${name}=(\\d+)`).exec(cacheControl) ?? []
    return seconds === undefined ? undefined : Number(seconds)
  }
  return {
    /** The service sends no other ban. */
    isNoStore: cacheControl.includes('no-store'),
    maxAge: secondsOf('max-age'),
    whileRevalidating: secondsOf('stale-while-revalidate') ?? 0,
    onError: secondsOf('stale-if-error'),
  }
}

/** By header: a service has a dozen of them, and an hour of traffic reads them a million times. */
const promises = new Map<string, ReturnType<typeof readPromise>>()

/** The cache times that a cache-control header allows, in seconds. */
export function promisedBy({ cacheControl }: OriginAnswer) {
  const promise = promises.get(cacheControl) ?? readPromise(cacheControl)
  promises.set(cacheControl, promise)
  return promise
}

/** For an error without a caching time in the distribution. */
const defaultErrorTtl = 10

/** Seconds for which CloudFront keeps an answer; 0 for never. */
function keptSeconds(
  answer: OriginAnswer,
  { minTtl, defaultTtl, maxTtl }: CachePolicy,
  errorTtls: Distribution['errorTtls'],
): number {
  const { isNoStore, maxAge } = promisedBy(answer)
  if (answer.status < 400) return isNoStore ? minTtl : Math.max(minTtl, Math.min(maxAge ?? defaultTtl, maxTtl))
  if (answer.status === 429) return 0
  return Math.max(errorTtls.get(answer.status) ?? defaultErrorTtl, Math.min(maxAge ?? 0, maxTtl))
}

/**
 * The caching time of an answer starts anew at each cache: CloudFront's guide does not say that an age counts.
 *
 * @returns a function that answers one request after the other
 */
export function createCache(errorTtls: Distribution['errorTtls'], fetch: Fetch) {
  const entries = new Map<string, { held: Copy | undefined; pending: Copy | undefined }>()

  function copyOf({ answer, latencyMs, givenFor }: Fetched, at: number, policy: CachePolicy, old?: Copy): Copy {
    const readyAt = at + latencyMs
    const said = answer.status === 304 && old ? { ...old.answer, ...answer, status: old.answer.status } : answer
    const kept = keptSeconds(said, policy, errorTtls)
    const freshUntil = readyAt + 1000 * kept
    const isKeptError = answer.status >= 500 && kept > 0
    if (isKeptError && old && old.answer.status < 400 && readyAt <= old.onErrorUntil) {
      return { ...old, freshUntil, readyAt }
    }
    // CloudFront uses a copy as long as that says, but never past the maximum TTL, counted from its receipt. In place of a
    // 5xx it uses one without `stale-if-error` for all of that time; by observation, `must-revalidate` does not prevent it.
    const most = Math.max(0, policy.maxTtl - kept)
    const { whileRevalidating, onError = most } = promisedBy(said)
    const [revalidatingUntil = 0, onErrorUntil = 0] = [whileRevalidating, onError].map(
      (stale) => freshUntil + 1000 * Math.min(most, stale),
    )
    return { answer: said, givenFor, receivedAt: readyAt, freshUntil, revalidatingUntil, onErrorUntil, readyAt }
  }

  return (request: TimedRequest, policy: CachePolicy): Given => {
    const { at, method, uri, querystring } = request
    const key = JSON.stringify([method, uri, ...policy.queryKeys.map((name) => querystring[name])])
    const entry = entries.get(key) ?? { held: undefined, pending: undefined }
    entries.set(key, entry)
    if (entry.pending !== undefined && at >= entry.pending.readyAt) {
      entry.held = entry.pending
      entry.pending = undefined
    }
    const { held, pending } = entry

    const given = (by: Given['by'], { answer, givenFor, receivedAt, revalidatingUntil }: Copy, gotAt = at): Given => ({
      ...{
        by,
        answer,
        givenFor,
        waitMs: gotAt - at,
        keptMs: gotAt - receivedAt,
        isForError: gotAt > revalidatingUntil,
      },
    })
    const ask = (): Copy => {
      const copy = copyOf(fetch(request, policy, held?.answer.etag), at, policy, held)
      entry.pending = copy.freshUntil > copy.readyAt ? copy : undefined
      return copy
    }

    if (held !== undefined && at < Math.max(held.freshUntil, held.revalidatingUntil)) {
      if (at >= held.freshUntil && pending === undefined) ask()
      return given('cache', held)
    }
    if (pending !== undefined) return given('collapsed', pending, pending.readyAt)
    const copy = ask()
    return given('origin', copy, copy.readyAt)
  }
}
