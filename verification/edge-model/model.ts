// One edge cache of CloudFront in virtual time: what it keeps, whom it asks, and how old its answers are.
import { keptSeconds, mayServeExpired, type OriginAnswer } from './keeping.ts'
import type { Behavior, CachePolicy, Distribution, ViewerRequest } from './template.ts'

export interface TimedRequest extends ViewerRequest {
  /** Milliseconds of virtual time, never less than those of the request before. */
  readonly at: number
}

/** @returns what the origin would answer, and after how many milliseconds */
export type Origin = (request: TimedRequest) => OriginAnswer & { readonly latencyMs: number }

/** An answer as a client gets it. */
export interface Served {
  /** As the client sent it. */
  readonly request: TimedRequest
  /** `edge`: CloudFront's own refusal; `collapsed`: waited for a call that another request had caused. */
  readonly by: 'origin' | 'cache' | 'collapsed' | 'expired copy' | 'edge'
  /** Whether the origin was asked for this request. */
  readonly isOriginAsked: boolean
  readonly answer: OriginAnswer
  /** The request for which the origin gave the answer. */
  readonly givenFor: TimedRequest
  /** Since the origin was asked for it; 0 for an answer that came for this request, or for one at the same time. */
  readonly ageMs: number
  /** Since the edge received it. */
  readonly keptMs: number
  readonly policy: CachePolicy
}

interface Copy {
  readonly answer: OriginAnswer
  readonly givenFor: TimedRequest
  readonly receivedAt: number
  /** When it should have been dropped. */
  readonly expiresAt: number
}

interface Entry {
  readonly copy: Copy
  /** Until then the origin has not answered, and nobody else asks it. */
  readonly readyAt: number
  /** Past the copy's own end where it stands in for an error. */
  readonly freshUntil: number
}

function keyOf({ method, uri, querystring }: ViewerRequest, { queryKeys }: CachePolicy): string {
  const names = queryKeys === 'all' ? Object.keys(querystring).sort() : queryKeys
  const query = names.flatMap((name) => {
    const given = querystring[name]
    return given === undefined ? [] : [[name, given.value]]
  })
  return JSON.stringify([method, uri, query])
}

/** CloudFront keeps no answer to any other method, whatever a template says. */
const cacheableMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** @returns what answers the next request each time */
export function createEdge({ behaviors, errorTtls }: Distribution, origin: Origin): (request: TimedRequest) => Served {
  const entries = new Map<string, Entry>()

  /** The path as it came decides: what the viewer function makes of it comes too late. */
  const behaviorOf = ({ uri }: TimedRequest): Behavior => {
    const behavior = behaviors.find(({ matches }) => matches(uri))
    if (behavior === undefined) throw new Error(`No behavior for ${uri}`)
    return behavior
  }

  return (request) => {
    const { at, method } = request
    const { allowedMethods, cachedMethods, policy, rewrite } = behaviorOf(request)
    const unkept = { request, policy, givenFor: request, ageMs: 0, keptMs: 0 }
    if (!allowedMethods.includes(method)) {
      return { ...unkept, by: 'edge', isOriginAsked: false, answer: { status: 403 } }
    }
    const rewritten = { ...rewrite(request), at }
    // Without any time to keep an answer CloudFront neither keeps nor collapses.
    if (!cachedMethods.includes(method) || !cacheableMethods.includes(method) || policy.maxTtl === 0) {
      return { ...unkept, by: 'origin', isOriginAsked: true, answer: origin(rewritten) }
    }

    const key = keyOf(rewritten, policy)
    const entry = entries.get(key)
    const fromCopy = ({ answer, givenFor, receivedAt }: Copy) => ({
      request,
      policy,
      answer,
      givenFor,
      ageMs: at - givenFor.at,
      keptMs: at - receivedAt,
    })
    if (entry !== undefined && at < entry.freshUntil) {
      const { copy, readyAt } = entry
      const isCollapsed = at < readyAt && at < copy.receivedAt
      if (isCollapsed) return { ...fromCopy(copy), by: 'collapsed', isOriginAsked: false, ageMs: 0, keptMs: 0 }
      return { ...fromCopy(copy), by: at < copy.expiresAt ? 'cache' : 'expired copy', isOriginAsked: false }
    }

    const { latencyMs, ...answer } = origin(rewritten)
    const readyAt = at + latencyMs
    const keptMs = 1000 * keptSeconds(answer, policy, errorTtls)
    const old = entry?.copy
    const isStoodIn =
      answer.status >= 500 &&
      old !== undefined &&
      old.answer.status < 400 &&
      old.expiresAt > old.receivedAt &&
      mayServeExpired(old.answer, (readyAt - old.expiresAt) / 1000)
    const copy = isStoodIn ? old : { answer, givenFor: request, receivedAt: readyAt, expiresAt: readyAt + keptMs }
    entries.set(key, { copy, readyAt, freshUntil: readyAt + keptMs })
    return isStoodIn
      ? { ...fromCopy(old), by: 'expired copy', isOriginAsked: true }
      : { ...unkept, by: 'origin', isOriginAsked: true, answer }
  }
}
