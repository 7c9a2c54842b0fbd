// CloudFront in virtual time, as a template configures it: edges, Origin Shield behind them if there is one, and the origin.
import { createCache, type Fetch, type Given, type TimedRequest } from './cache.ts'
import type { CachePolicy, Distribution } from './distribution.ts'

/** An answer to a client. */
export interface ServedAnswer extends Given {
  readonly request: TimedRequest
  readonly policy: CachePolicy
  /** Since the origin was asked for it, when the client gets it. */
  readonly ageMs: number
}

/** From an edge to Origin Shield and back. */
const shieldLatencyMs = 30

/** @returns a function that answers one request after the other, at one of the edges */
export function createNetwork(
  { behaviors, errorTtls, hasOriginShield }: Distribution,
  origin: Fetch,
  edges = 1,
): (request: TimedRequest, edge?: number) => ServedAnswer {
  const shield = createCache(errorTtls, origin)
  /** The shield answers a condition from its copy; the origin does not see it. */
  const callShield: Fetch = (request, policy) => {
    const { answer, waitMs } = shield(request, policy)
    return { ...answer, latencyMs: waitMs + shieldLatencyMs }
  }
  const caches = Array.from({ length: edges }, () => createCache(errorTtls, hasOriginShield ? callShield : origin))

  return (request, edge = 0) => {
    // CloudFront selects a behavior by the client's path, before the viewer function rewrites it.
    const behavior = behaviors.find(({ pattern }) => pattern.test(request.uri))
    const cache = caches[edge]
    if (behavior === undefined || cache === undefined) throw new Error(`No behavior for ${request.uri}, or no ${edge}`)
    const { allowedMethods, policy, rewrite } = behavior
    const served = (given: Given): ServedAnswer => {
      return { ...given, request, policy, ageMs: request.at + given.waitMs - given.answer.givenFor.at }
    }
    const unkept = { keptMs: 0, isForError: false }
    const byEdge = (status: number, cacheControl = '') =>
      served({ by: 'edge', answer: { status, cacheControl, givenFor: request }, waitMs: 0, ...unkept })
    if (!allowedMethods.includes(request.method)) return byEdge(403)

    const viewed = rewrite(request)
    if ('statusCode' in viewed) return byEdge(viewed.statusCode, viewed.headers['cache-control']?.value)
    const rewritten = { ...request, ...viewed }
    // With a maximum TTL of 0 CloudFront does not cache or collapse.
    if (request.method === 'GET' && policy.maxTtl > 0) return served(cache(rewritten, policy))
    const { latencyMs, ...answer } = origin(rewritten, policy, undefined)
    return served({ by: 'origin', answer, waitMs: latencyMs, ...unkept })
  }
}
