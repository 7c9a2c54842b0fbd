// One edge cache of CloudFront in virtual time: what it caches, when it asks the origin, and how old its answers are.
import { keptSeconds, mayServeExpired, type OriginAnswer } from './keeping.ts'
import type { Behavior, CachePolicy, Distribution, ViewerRequest } from './template.ts'

export interface TimedRequest extends ViewerRequest {
  /** Milliseconds of virtual time; requests are in order. */
  readonly at: number
}

/** @returns the origin's answer and the milliseconds it takes */
export type Origin = (request: TimedRequest) => OriginAnswer & { readonly latencyMs: number }

/** An answer to a client. */
export interface ServedAnswer {
  /** As the client sent it. */
  readonly request: TimedRequest
  /** `edge`: answered by CloudFront itself or its viewer function; `collapsed`: waited for the call of another request. */
  readonly by: 'origin' | 'cache' | 'collapsed' | 'expired copy' | 'edge'
  /** Whether the origin was asked for this request. */
  readonly isOriginAsked: boolean
  readonly answer: OriginAnswer
  /** The request for which the origin gave the answer. */
  readonly givenFor: TimedRequest
  /** Time since the origin was asked for it; 0 where this request, or one at the same time, caused the call. */
  readonly ageMs: number
  /** Time since the edge received it. */
  readonly keptMs: number
  readonly policy: CachePolicy
}

interface Copy {
  readonly answer: OriginAnswer
  readonly givenFor: TimedRequest
  readonly receivedAt: number
  /** When its caching time ends. */
  readonly expiresAt: number
}

interface Entry {
  readonly copy: Copy
  /** When the origin answers; until then other requests wait for that answer. */
  readonly readyAt: number
  /** Later than the copy's own expiry where it replaces an error. */
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

/** CloudFront caches no other method, even if a template asks for it. */
const cacheableMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** @returns a function that answers one request after the other */
export function createEdge(
  { behaviors, errorTtls }: Distribution,
  origin: Origin,
): (request: TimedRequest) => ServedAnswer {
  const entries = new Map<string, Entry>()

  /** CloudFront selects a behavior by the client's path, before the viewer function rewrites it. */
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
    const viewed = rewrite(request)
    if ('statusCode' in viewed) {
      const cacheControl = viewed.headers['cache-control']?.value
      const answer = { status: viewed.statusCode, ...(cacheControl !== undefined && { cacheControl }) }
      return { ...unkept, by: 'edge', isOriginAsked: false, answer }
    }
    const rewritten = { ...viewed, at }
    // With a maximum TTL of 0 CloudFront neither caches nor collapses.
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
    const isReplaced =
      answer.status >= 500 &&
      old !== undefined &&
      old.answer.status < 400 &&
      old.expiresAt > old.receivedAt &&
      mayServeExpired(old.answer, (readyAt - old.expiresAt) / 1000)
    const copy = isReplaced ? old : { answer, givenFor: request, receivedAt: readyAt, expiresAt: readyAt + keptMs }
    entries.set(key, { copy, readyAt, freshUntil: readyAt + keptMs })
    return isReplaced
      ? { ...fromCopy(old), by: 'expired copy', isOriginAsked: true }
      : { ...unkept, by: 'origin', isOriginAsked: true, answer }
  }
}
