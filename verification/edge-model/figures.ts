// Figures on the answers that visitors get, by what they asked for rather than by the caches' keys, and on the origin's calls.
import { collapseSlashes } from '../../shared/admission/paths.ts'
import type { ViewerRequest } from './distribution.ts'
import { type OriginAnswer, promisedBy } from './keeping.ts'
import type { OriginCall, ServedAnswer } from './model.ts'

/** The longest time for which a cache keeps an error. */
const maxErrorMs = 1000

/** The greatest age of an account, from the moment when the origin was asked. */
const maxAccountMs = 5000

/**
 * Of a route: requests, those answered with 200 and with 429 (`starved`), those that waited for no call of their own (`hits`),
 * those that waited for their own call or another's, and the oldest answers, while none failed and in place of an error.
 */
const noRequests = { requests: 0, answered: 0, starved: 0, hits: 0, waits: 0, oldestMs: 0, oldestOnErrorMs: 0 }

/** What must never happen, and how often it did. */
const neverYet = {
  'accounts older than 5 s': 0,
  'errors that a cache kept past 1 s': 0,
  'answers older than they allow': 0,
  'answers to another question': 0,
  'broadcasts that did not reach the service': 0,
  'broadcasts where answers are kept': 0,
}

const noCalls = {
  /** Of one cache for one question within the time for which its answer may be cached. */
  maxOriginCalls: 0,
  /** Of one cache for one question within a second, but for those that the API refuses: CloudFront keeps no 429. */
  maxCallsASecond: 0,
}

export type RouteFigures = typeof noRequests

export interface Figures extends Readonly<typeof noCalls> {
  readonly never: Readonly<typeof neverYet>
  /** GET requests by route: `/blocks`, `/blocks/{}`, `/accounts/{}`, `/summary`. */
  readonly routes: ReadonlyMap<string, Readonly<RouteFigures>>
}

/** Identifies what the client asks for, however its address is written; of the lists, those with an answer. */
function questionOf({ method, uri, querystring }: ViewerRequest): string {
  const path = collapseSlashes(uri)
  const limit = path === '/blocks' ? ` ${Math.min(Number(querystring.limit?.value ?? 1), 10)}` : ''
  return `${method} ${path}${limit}`
}

const routeOf = ({ uri }: ViewerRequest): string => collapseSlashes(uri).replace(/^(\/[^/]+)\/.+/, '$1/{}')

const secondsOf = (answer: OriginAnswer): number => promisedBy(answer).maxAge ?? 0

/** The contract's not-found answers have a max-age; a 404 without one is an error. */
const isError = (answer: OriginAnswer): boolean =>
  answer.status >= 400 && !(answer.status === 404 && secondsOf(answer) > 0)

/** Counts answers to visitors and calls to the origin one by one. */
export function createCount() {
  const routes = new Map<string, RouteFigures>()
  /** By cache and question: until when the first call's answer may be cached, the calls since, and those of the last second. */
  const calls = new Map<
    string,
    { readonly until: number; readonly count: number; readonly recent: readonly number[] }
  >()
  const counts = { ...noCalls }
  const never = { ...neverYet }

  function countAge({ answer, by, ageMs, keptMs }: ServedAnswer, route: string, figures: RouteFigures): void {
    if (isError(answer)) {
      if (keptMs > maxErrorMs) never['errors that a cache kept past 1 s'] += 1
      return
    }
    const { maxAge = 0, whileRevalidating, onError = 0 } = promisedBy(answer)
    const revalidatingMs = 1000 * (maxAge + whileRevalidating)
    // Who waited for another's call may have been given an expired copy in place of an error.
    const isInPlaceOfError = by === 'expired copy' || (by === 'collapsed' && keptMs > revalidatingMs)
    const oldest = isInPlaceOfError ? 'oldestOnErrorMs' : 'oldestMs'
    figures[oldest] = Math.max(figures[oldest], ageMs)
    // The error for which a copy stands in is kept for a second, and the copy with it.
    const allowedMs = isInPlaceOfError ? 1000 * (maxAge + onError) + maxErrorMs : revalidatingMs
    if (keptMs > allowedMs) never['answers older than they allow'] += 1
    if (route === '/accounts/{}' && ageMs > maxAccountMs) never['accounts older than 5 s'] += 1
  }

  return {
    add(served: ServedAnswer): void {
      const { request, answer, by, isOriginAsked, givenFor, policy } = served
      if (request.method === 'POST') {
        never['broadcasts that did not reach the service'] += Number(!isOriginAsked)
        never['broadcasts where answers are kept'] += Number(policy.maxTtl > 0)
      }
      if (request.method !== 'GET') return
      const route = routeOf(request)
      const figures = routes.get(route) ?? { ...noRequests }
      routes.set(route, figures)
      const hasOwnCall = by === 'origin' || (by === 'expired copy' && isOriginAsked)
      figures.requests += 1
      figures.answered += Number(answer.status === 200)
      figures.starved += Number(answer.status === 429)
      figures.hits += Number(!hasOwnCall)
      figures.waits += Number(hasOwnCall || by === 'collapsed')
      if (by !== 'edge') countAge(served, route, figures)
      never['answers to another question'] += Number(questionOf(givenFor) !== questionOf(request))
    },

    addCall({ from, givenFor: request, answer, latencyMs }: OriginCall): void {
      if (request.method !== 'GET') return
      const key = `${from} ${questionOf(request)}`
      const { at } = request
      const last = calls.get(key)
      const earlier = last?.recent.filter((time) => time > at - 1000) ?? []
      const recent = answer.status === 429 ? earlier : [...earlier, at]
      const isAgain = last !== undefined && at < last.until
      const until = isAgain ? last.until : at + latencyMs + 1000 * secondsOf(answer)
      const count = isAgain ? last.count + 1 : 1
      calls.set(key, { until, count, recent })
      counts.maxOriginCalls = Math.max(counts.maxOriginCalls, count)
      counts.maxCallsASecond = Math.max(counts.maxCallsASecond, recent.length)
    },

    figures: (): Figures => ({ ...counts, never, routes }),
  }
}
