// Figures on the answers that visitors get, by what they asked for rather than by the caches' keys, and on the origin's calls.
import { collapseSlashes } from '../../shared/agreements/paths.ts'
import {
  type OriginAnswer,
  promisedOnErrorSeconds,
  promisedSeconds,
  promisedWhileRevalidatingSeconds,
} from './keeping.ts'
import type { OriginCall, ServedAnswer } from './model.ts'
import type { ViewerRequest } from './template/distribution.ts'

/** The longest time for which a cache keeps an error. */
const oldestErrorMs = 1000

/** The longest age of an account, from the moment when the origin was asked. */
const oldestAccountMs = 5000

export interface RouteFigures {
  requests: number
  /** Answered with 200. */
  answered: number
  /** Answered with 429. */
  starved: number
  /** Answered without waiting for a call of their own to the origin. */
  hits: number
  /** Answered after waiting for a call, their own or another's. */
  waits: number
  /** The oldest answer in place of none, and the oldest one in place of an error. */
  oldestMs: number
  oldestOnErrorMs: number
}

export interface Figures {
  /** GET requests by route: `/blocks`, `/blocks/{}`, `/accounts/{}`, `/summary`. */
  readonly routes: ReadonlyMap<string, Readonly<RouteFigures>>
  readonly revalidating: number
  /** Expired copies served in place of errors. */
  readonly expiredCopies: number
  /** Errors served from a cache that had kept them for more than a second. */
  readonly errorsPastASecond: number
  readonly oldestErrorMs: number
  readonly accountsPastFiveSeconds: number
  /** Answers, errors aside, that a cache served for longer than their cache-control allows. */
  readonly olderThanPromised: number
  /** Answers to another question than the client's. */
  readonly mixedUp: number
  readonly broadcasts: number
  /** Broadcasts that CloudFront answered without the origin. */
  readonly broadcastsNotSent: number
  /** Broadcasts under a behaviour that caches answers. */
  readonly broadcastsUnderCache: number
  /** Calls of one cache for one question within the time for which its answer may be cached. */
  readonly mostOriginCalls: number
  /** Calls of one cache for one question within a second, but for those that the API refuses: CloudFront keeps no 429. */
  readonly mostCallsASecond: number
}

/** Identifies what the client asks for, however its address is written; of the lists, those with an answer. */
function questionOf({ method, uri, querystring }: ViewerRequest): string {
  const path = collapseSlashes(uri)
  return path === '/blocks'
    ? `${method} ${path} ${Math.min(Number(querystring.limit?.value ?? 1), 10)}`
    : `${method} ${path}`
}

/** `/blocks`, `/blocks/{}`, `/accounts/{}` or `/summary`. */
export const routeOf = ({ uri }: ViewerRequest): string => collapseSlashes(uri).replace(/^(\/[^/]+)\/.+/, '$1/{}')

/** The contract's not-found answers have a max-age; a 404 without one is an error. */
const isError = (answer: OriginAnswer): boolean =>
  answer.status >= 400 && !(answer.status === 404 && promisedSeconds(answer) > 0)

/** Whether the client did not wait for a call of its own to the origin. */
export const isHit = ({ by, isOriginAsked }: ServedAnswer): boolean =>
  by !== 'origin' && !(by === 'expired copy' && isOriginAsked)

interface Window {
  /** Until when the first call's answer may be cached. */
  readonly until: number
  readonly calls: number
  /** Times of the calls of the last second. */
  readonly recent: readonly number[]
}

/** Counts answers to visitors and calls to the origin one by one. */
export function createCount(): {
  add(served: ServedAnswer): void
  addCall(call: OriginCall): void
  figures(): Figures
} {
  const routes = new Map<string, RouteFigures>()
  const windows = new Map<string, Window>()
  const counts = {
    revalidating: 0,
    expiredCopies: 0,
    errorsPastASecond: 0,
    oldestErrorMs: 0,
    accountsPastFiveSeconds: 0,
    olderThanPromised: 0,
    mixedUp: 0,
    broadcasts: 0,
    broadcastsNotSent: 0,
    broadcastsUnderCache: 0,
    mostOriginCalls: 0,
    mostCallsASecond: 0,
  }

  function figuresOf(route: string): RouteFigures {
    const known = routes.get(route)
    if (known !== undefined) return known
    const fresh = { requests: 0, answered: 0, starved: 0, hits: 0, waits: 0, oldestMs: 0, oldestOnErrorMs: 0 }
    routes.set(route, fresh)
    return fresh
  }

  function countAge({ answer, by, ageMs, keptMs }: ServedAnswer, route: string): void {
    if (isError(answer)) {
      counts.oldestErrorMs = Math.max(counts.oldestErrorMs, keptMs)
      if (keptMs > oldestErrorMs) counts.errorsPastASecond += 1
      return
    }
    const figures = figuresOf(route)
    const promised = promisedSeconds(answer)
    const mayRevalidate = promised + promisedWhileRevalidatingSeconds(answer)
    // Who waited for another's call may have been given an expired copy in place of an error.
    const isInPlaceOfError = by === 'expired copy' || (by === 'collapsed' && keptMs > 1000 * mayRevalidate)
    if (isInPlaceOfError) counts.expiredCopies += 1
    if (by === 'revalidating') counts.revalidating += 1
    const oldest = isInPlaceOfError ? 'oldestOnErrorMs' : 'oldestMs'
    figures[oldest] = Math.max(figures[oldest], ageMs)
    // The error for which a copy stands in is kept for a second, and the copy with it.
    const onError = promised + promisedOnErrorSeconds(answer) + oldestErrorMs / 1000
    if (keptMs > 1000 * (isInPlaceOfError ? onError : mayRevalidate)) counts.olderThanPromised += 1
    if (route === '/accounts/{}' && ageMs > oldestAccountMs) counts.accountsPastFiveSeconds += 1
  }

  return {
    add(served) {
      const { request, answer, by, isOriginAsked, givenFor, policy } = served
      if (request.method === 'POST') {
        counts.broadcasts += 1
        if (!isOriginAsked) counts.broadcastsNotSent += 1
        if (policy.maxTtl > 0) counts.broadcastsUnderCache += 1
        return
      }
      if (request.method !== 'GET') return
      const route = routeOf(request)
      const figures = figuresOf(route)
      const hasOwnCall = !isHit(served)
      figures.requests += 1
      if (answer.status === 200) figures.answered += 1
      if (answer.status === 429) figures.starved += 1
      if (!hasOwnCall) figures.hits += 1
      if (hasOwnCall || by === 'collapsed') figures.waits += 1
      if (by !== 'edge') countAge(served, route)
      if (givenFor !== request && questionOf(givenFor) !== questionOf(request)) counts.mixedUp += 1
    },

    addCall({ from, request, answer, latencyMs }) {
      if (request.method !== 'GET') return
      const key = `${from} ${questionOf(request)}`
      const { at } = request
      const last = windows.get(key)
      const calls = last !== undefined && at < last.until ? last.calls + 1 : 1
      const until = calls === 1 ? at + latencyMs + 1000 * promisedSeconds(answer) : (last?.until ?? 0)
      const earlier = (last?.recent ?? []).filter((time) => time > at - 1000)
      const recent = answer.status === 429 ? earlier : [...earlier, at]
      windows.set(key, { until, calls, recent })
      counts.mostOriginCalls = Math.max(counts.mostOriginCalls, calls)
      counts.mostCallsASecond = Math.max(counts.mostCallsASecond, recent.length)
    },

    figures: () => ({ ...counts, routes: new Map(routes) }),
  }
}
