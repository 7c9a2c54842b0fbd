// What is counted of the answers of an edge, told by what clients asked for and not by the edge's own keys.
import { collapseSlashes } from '../../shared/paths.ts'
import { type OriginAnswer, promisedOnErrorSeconds, promisedSeconds } from './keeping.ts'
import type { Served } from './model.ts'
import type { ViewerRequest } from './template.ts'

/** Longest age that an error may have that gives itself no time. */
const oldestErrorMs = 1000

/** Longest age of an account, from the moment that the origin was asked. */
const oldestAccountMs = 5000

export interface RouteFigures {
  readonly requests: number
  /** Answered without a call to the origin. */
  readonly hits: number
  readonly originCalls: number
}

export interface Figures {
  /** By route: `/blocks`, `/blocks/{}`, `/accounts/{}`, `/summary`. Of broadcasts and preflights nothing is counted here. */
  readonly routes: ReadonlyMap<string, RouteFigures>
  readonly collapsed: number
  /** Errors served from the cache at all, and those past a second. */
  readonly errorsFromCache: number
  readonly errorsPastASecond: number
  readonly oldestErrorMs: number
  readonly accountsPastFiveSeconds: number
  readonly oldestAccountMs: number
  /** Copies past their end, given in place of errors. */
  readonly expiredCopies: number
  /** Answers other than errors that the edge gave for longer than they allow, in place of an error or not. */
  readonly olderThanPromised: number
  /** Answers that belong to another question. */
  readonly mixedUp: number
  readonly broadcasts: number
  /** Broadcasts that never reached the origin, so that something else answered. */
  readonly broadcastsNotSent: number
  /** Broadcasts under a behaviour that keeps answers. */
  readonly broadcastsUnderCache: number
  /** For one question, in the time for which its answer may be kept. */
  readonly mostOriginCalls: number
}

interface Window {
  readonly until: number
  readonly calls: number
}

/** A thing that has its own answer, however its address is written. */
function questionOf({ method, uri, querystring }: ViewerRequest): string {
  return `${method} ${collapseSlashes(uri)}?limit=${querystring.limit?.value ?? ''}`
}

const routeOf = ({ uri }: ViewerRequest): string => collapseSlashes(uri).replace(/^(\/[^/]+)\/.+/, '$1/{}')

/** The contract's not-found answers give themselves a time; what does not is an error. */
const isError = (answer: OriginAnswer): boolean =>
  answer.status >= 400 && !(answer.status === 404 && promisedSeconds(answer) > 0)

/** Counts one answer after the other. */
export function createCount(): { add(served: Served): void; figures(): Figures } {
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

  function countCall({ request, answer, by }: Served, question: string): void {
    const window = windows.get(question)
    const calls = window !== undefined && request.at < window.until ? window.calls + 1 : 1
    // Where an expired copy was served, the origin's own answer was an error.
    const promised = by === 'origin' ? promisedSeconds(answer) : 0
    const until = calls === 1 ? request.at + 1000 * promised : (window?.until ?? 0)
    windows.set(question, { until, calls })
    counts.mostOriginCalls = Math.max(counts.mostOriginCalls, calls)
  }

  function countAge({ answer, by, ageMs, keptMs }: Served, route: string): void {
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
