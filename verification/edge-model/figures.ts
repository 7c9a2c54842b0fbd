// Figures on the answers of an edge, by what clients asked for rather than by the edge's cache keys.
import { collapseSlashes } from '../../shared/agreements/paths.ts'
import { type OriginAnswer, promisedOnErrorSeconds, promisedSeconds } from './keeping.ts'
import type { ServedAnswer } from './model.ts'
import type { ViewerRequest } from './template.ts'

/** The longest age of an error without a max-age of its own. */
const oldestErrorMs = 1000

/** The longest age of an account, from the moment when the origin was asked. */
const oldestAccountMs = 5000

export interface RouteFigures {
  readonly requests: number
  /** Answered without a call to the origin. */
  readonly hits: number
  readonly originCalls: number
}

export interface Figures {
  /** GET requests by route: `/blocks`, `/blocks/{}`, `/accounts/{}`, `/summary`. */
  readonly routes: ReadonlyMap<string, RouteFigures>
  readonly collapsed: number
  /** Errors served from the cache, and those of them that were more than a second old. */
  readonly errorsFromCache: number
  readonly errorsPastASecond: number
  readonly oldestErrorMs: number
  readonly accountsPastFiveSeconds: number
  readonly oldestAccountMs: number
  /** Expired copies served in place of errors. */
  readonly expiredCopies: number
  /** Answers, errors aside, that the edge served for longer than their cache-control allows. */
  readonly olderThanPromised: number
  /** Answers to another question than the client's. */
  readonly mixedUp: number
  readonly broadcasts: number
  /** Broadcasts that the edge answered without the origin. */
  readonly broadcastsNotSent: number
  /** Broadcasts under a behaviour that caches answers. */
  readonly broadcastsUnderCache: number
  /** Calls for one question within the time for which its answer may be cached. */
  readonly mostOriginCalls: number
}

interface Window {
  readonly until: number
  readonly calls: number
}

/** Identifies what the client asks for, however its address is written; of the queries, those with an answer. */
function questionOf({ method, uri, querystring }: ViewerRequest): string {
  const path = collapseSlashes(uri)
  return path === '/blocks'
    ? `${method} ${path} ${Math.min(Number(querystring.limit?.value ?? 1), 10)}`
    : `${method} ${path}`
}

const routeOf = ({ uri }: ViewerRequest): string => collapseSlashes(uri).replace(/^(\/[^/]+)\/.+/, '$1/{}')

/** The contract's not-found answers have a max-age; a 404 without one is an error. */
const isError = (answer: OriginAnswer): boolean =>
  answer.status >= 400 && !(answer.status === 404 && promisedSeconds(answer) > 0)

/** Counts answers one by one. */
export function createCount(): { add(served: ServedAnswer): void; figures(): Figures } {
  const routes = new Map<string, RouteFigures>()
  const windows = new Map<string, Window>()
  const counts = {
    collapsed: 0,
    errorsFromCache: 0,
    errorsPastASecond: 0,
    oldestErrorMs: 0,
    accountsPastFiveSeconds: 0,
    oldestAccountMs: 0,
    expiredCopies: 0,
    olderThanPromised: 0,
    mixedUp: 0,
    broadcasts: 0,
    broadcastsNotSent: 0,
    broadcastsUnderCache: 0,
    mostOriginCalls: 0,
  }

  function countCall({ request, answer, by }: ServedAnswer, question: string): void {
    const window = windows.get(question)
    const calls = window !== undefined && request.at < window.until ? window.calls + 1 : 1
    // An expired copy means that the origin's own answer was an error.
    const promised = by === 'origin' ? promisedSeconds(answer) : 0
    const until = calls === 1 ? request.at + 1000 * promised : (window?.until ?? 0)
    windows.set(question, { until, calls })
    counts.mostOriginCalls = Math.max(counts.mostOriginCalls, calls)
  }

  function countAge({ answer, by, ageMs, keptMs }: ServedAnswer, route: string): void {
    if (isError(answer)) {
      counts.errorsFromCache += 1
      counts.oldestErrorMs = Math.max(counts.oldestErrorMs, keptMs)
      if (keptMs > oldestErrorMs) counts.errorsPastASecond += 1
      return
    }
    const isInPlaceOfError = by === 'expired copy'
    if (isInPlaceOfError) counts.expiredCopies += 1
    const allowedSeconds = promisedSeconds(answer) + (isInPlaceOfError ? promisedOnErrorSeconds(answer) : 0)
    if (keptMs > 1000 * allowedSeconds) counts.olderThanPromised += 1
    if (route !== '/accounts/{}') return
    counts.oldestAccountMs = Math.max(counts.oldestAccountMs, ageMs)
    if (ageMs > oldestAccountMs) counts.accountsPastFiveSeconds += 1
  }

  return {
    add(served) {
      const { request, by, isOriginAsked, givenFor, policy } = served
      if (request.method === 'POST') {
        counts.broadcasts += 1
        if (!isOriginAsked) counts.broadcastsNotSent += 1
        if (policy.maxTtl > 0) counts.broadcastsUnderCache += 1
        return
      }
      if (request.method !== 'GET') return
      const question = questionOf(request)
      const route = routeOf(request)
      const { requests, hits, originCalls } = routes.get(route) ?? { requests: 0, hits: 0, originCalls: 0 }
      const calls = isOriginAsked ? 1 : 0
      routes.set(route, { requests: requests + 1, hits: hits + 1 - calls, originCalls: originCalls + calls })
      if (isOriginAsked) countCall(served, question)
      if (by === 'collapsed') counts.collapsed += 1
      if (by === 'cache' || by === 'expired copy') countAge(served, route)
      if (givenFor !== request && questionOf(givenFor) !== question) counts.mixedUp += 1
    },
    figures: () => ({ ...counts, routes: new Map(routes) }),
  }
}
