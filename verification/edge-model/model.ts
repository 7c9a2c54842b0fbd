// CloudFront in virtual time, as a template configures it: edges, Origin Shield behind them if there is one, and the origin.
import { createCache, type Fetch, type Fetched, type Given, type TimedRequest } from './cache.ts'
import type { CachePolicy, Distribution } from './distribution.ts'
import type { OriginAnswer } from './keeping.ts'

/**
 * @param tag of the caller's copy, if it has one
 * @returns the origin's answer and the milliseconds it takes; 304 where the copy is still good
 */
export type Origin = (request: TimedRequest, tag: string | undefined) => OriginAnswer & { readonly latencyMs: number }

/** A call to the origin. */
export interface OriginCall extends Fetched {
  /** The cache that made it, or `uncached`. */
  readonly from: string
}

/** An answer to a client. */
export interface ServedAnswer extends Omit<Given, 'by'> {
  /** As the client sent it. */
  readonly request: TimedRequest
  /** `edge`: by CloudFront itself or its viewer function. */
  readonly by: Given['by'] | 'edge'
  /** True if the origin was asked for this request, even in the background. */
  readonly isOriginAsked: boolean
  /** Time since the origin was asked for it, when the client gets it. */
  readonly ageMs: number
  readonly policy: CachePolicy
}

/** CloudFront caches no other method, even if a template asks for it. */
const cacheableMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** From an edge to Origin Shield and back. */
const shieldLatencyMs = 30

/** @returns a function that answers one request after the other, at one of the edges */
export function createNetwork(
  distribution: Distribution,
  origin: Origin,
  { edges = 1, onCall }: { readonly edges?: number; onCall(call: OriginCall): void },
): (request: TimedRequest, edge?: number) => ServedAnswer {
  let calls = 0
  const originFor =
    (from: string): Fetch =>
    (request, _policy, tag) => {
      calls += 1
      const { latencyMs, ...answer } = origin(request, tag)
      const fetched = { answer, latencyMs, givenFor: request }
      onCall({ from, ...fetched })
      return fetched
    }
  const shield = createCache(distribution, originFor('shield'))
  /** The shield answers a condition from its copy; the origin does not see it. */
  const callShield: Fetch = (request, policy) => {
    const { answer, givenFor, waitMs } = shield(request, policy)
    return { answer, givenFor, latencyMs: waitMs + shieldLatencyMs }
  }
  const caches = Array.from({ length: edges }, (_, edge) =>
    createCache(distribution, distribution.hasOriginShield ? callShield : originFor(`edge ${edge}`)),
  )
  const callUncached = originFor('uncached')

  return (request, edge = 0) => {
    const { at, method, uri } = request
    // CloudFront selects a behavior by the client's path, before the viewer function rewrites it.
    const behavior = distribution.behaviors.find(({ matches }) => matches(uri))
    const cache = caches[edge]
    if (behavior === undefined || cache === undefined) throw new Error(`No behavior for ${uri}, or no edge ${edge}`)
    const { allowedMethods, cachedMethods, policy, rewrite } = behavior
    const callsBefore = calls
    const served = (given: Omit<Given, 'by'> & Pick<ServedAnswer, 'by'>): ServedAnswer => ({
      ...given,
      ...{ request, policy, isOriginAsked: calls > callsBefore, ageMs: at + given.waitMs - given.givenFor.at },
    })
    const byEdge = (answer: OriginAnswer) => served({ by: 'edge', answer, givenFor: request, waitMs: 0, keptMs: 0 })
    if (!allowedMethods.includes(method)) return byEdge({ status: 403 })

    const viewed = rewrite(request)
    if ('statusCode' in viewed) {
      const cacheControl = viewed.headers['cache-control']?.value
      return byEdge({ status: viewed.statusCode, ...(cacheControl !== undefined && { cacheControl }) })
    }
    const rewritten: TimedRequest = { ...request, ...viewed }
    // With a maximum TTL of 0 CloudFront does not cache or collapse.
    if (!cachedMethods.includes(method) || !cacheableMethods.includes(method) || policy.maxTtl === 0) {
      const { answer, latencyMs } = callUncached(rewritten, policy, undefined)
      return served({ by: 'origin', answer, givenFor: request, waitMs: latencyMs, keptMs: 0 })
    }
    return served(cache(rewritten, policy))
  }
}
