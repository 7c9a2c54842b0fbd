// CloudFront in virtual time, as a template configures it: edges, Origin Shield behind them if there is one, and the origin.
import { createCache, type Fetch, type Given, type TimedRequest } from './cache.ts'
import type { Distribution } from './distribution.ts'

/** From an edge to Origin Shield and back. */
const shieldLatencyMs = 30

/** @returns a function that answers one request after the other, each at the next of the edges */
export function createNetwork({ behaviors, errorTtls, hasOriginShield }: Distribution, origin: Fetch, edges = 1) {
  const shield = createCache(errorTtls, origin)
  /** The shield answers a condition from its copy; the origin does not see it. */
  const callShield: Fetch = (request, policy) => {
    const { answer, waitMs } = shield(request, policy)
    return { ...answer, latencyMs: waitMs + shieldLatencyMs }
  }
  const caches = Array.from({ length: edges }, () => createCache(errorTtls, hasOriginShield ? callShield : origin))

  let turn = 0

  return (request: TimedRequest) => {
    // CloudFront selects a behavior by the client's path, before the viewer function rewrites it.
    const behavior = behaviors.find(({ pattern }) => pattern.test(request.uri))
    turn += 1
    const cache = caches[turn % edges]
    if (behavior === undefined || cache === undefined) throw new Error(`No behavior for ${request.uri}, or no edge`)
    const { allowedMethods, policy, rewrite } = behavior
    const served = (given: Given) => {
      /** The age is from the question to the origin until the client gets the answer. */
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

/** An answer to a client. */
export type ServedAnswer = ReturnType<ReturnType<typeof createNetwork>>
