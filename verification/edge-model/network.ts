// CloudFront in virtual time, as a template configures it: edges, Origin Shield behind them if there is one, and the origin.
import { createCache, type Fetch, type Fetched, type Given, type OriginAnswer, type TimedRequest } from './cache.ts'
import type { CachePolicy, Distribution } from './distribution.ts'

/**
 * @param tag of the caller's copy, if it has one
 * @returns the origin's answer and the milliseconds it takes; 304 where the copy is still good
 */
export type Origin = (request: TimedRequest, tag: string | undefined) => OriginAnswer & { readonly latencyMs: number }

/** An answer to a client. */
export interface ServedAnswer extends Omit<Given, 'by'> {
  readonly request: TimedRequest
  /** `edge`: by CloudFront itself or its viewer function. */
  readonly by: Given['by'] | 'edge'
  /** The call to the origin that the request caused, even in the background, and the cache that made it, or `uncached`. */
  readonly call: (Fetched & { readonly from: string }) | undefined
  readonly policy: CachePolicy
  /** Since the origin was asked for it, when the client gets it. */
  readonly ageMs: number
}

/** From an edge to Origin Shield and back. */
const shieldLatencyMs = 30

/** @returns a function that answers one request after the other, at one of the edges */
export function createNetwork(
  { behaviors, errorTtls, hasOriginShield }: Distribution,
  origin: Origin,
  edges = 1,
): (request: TimedRequest, edge?: number) => ServedAnswer {
  let call: ServedAnswer['call']
  const callOrigin =
    (from: string): Fetch =>
    (request, _policy, tag) => {
      const { latencyMs, ...answer } = origin(request, tag)
      call = { from, answer, latencyMs, givenFor: request }
      return call
    }
  const shield = createCache(errorTtls, callOrigin('shield'))
  /** The shield answers a condition from its copy; the origin does not see it. */
  const callShield: Fetch = (request, policy) => {
    const { answer, givenFor, waitMs } = shield(request, policy)
    return { answer, givenFor, latencyMs: waitMs + shieldLatencyMs }
  }
  const caches = Array.from({ length: edges }, (_, edge) =>
    createCache(errorTtls, hasOriginShield ? callShield : callOrigin(`edge ${edge}`)),
  )
  const callUncached = callOrigin('uncached')

  return (request, edge = 0) => {
    // CloudFront selects a behavior by the client's path, before the viewer function rewrites it.
    const behavior = behaviors.find(({ pattern }) => pattern.test(request.uri))
    const cache = caches[edge]
    if (behavior === undefined || cache === undefined) throw new Error(`No behavior for ${request.uri}, or no ${edge}`)
    const { allowedMethods, cachedMethods, policy, rewrite } = behavior
    call = undefined
    const served = (given: Omit<Given, 'by'> & Pick<ServedAnswer, 'by'>) => {
      return { ...given, request, policy, call, ageMs: request.at + given.waitMs - given.givenFor.at }
    }
    const unkept = (by: 'edge' | 'origin', answer: OriginAnswer, waitMs = 0) =>
      served({ by, answer, givenFor: request, waitMs, keptMs: 0, isForError: false })
    if (!allowedMethods.includes(request.method)) return unkept('edge', { status: 403, cacheControl: '' })

    const viewed = rewrite(request)
    if ('statusCode' in viewed) {
      const cacheControl = viewed.headers['cache-control']?.value ?? ''
      return unkept('edge', { status: viewed.statusCode, cacheControl })
    }
    const rewritten = { ...request, ...viewed }
    // With a maximum TTL of 0 CloudFront does not cache or collapse.
    if (cachedMethods.includes(request.method) && policy.maxTtl > 0) return served(cache(rewritten, policy))
    const { answer, latencyMs } = callUncached(rewritten, policy, undefined)
    return unkept('origin', answer, latencyMs)
  }
}
