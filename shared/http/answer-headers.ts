// The headers of an answer: its tip, and how long caches may keep it, by one policy for functions, OpenAPI document,
// doctor, distribution and the model of the edge.

/** The headers that show an answer's tip, and how its node is connected. */
export const tipHeaders = {
  height: 'x-chain-height',
  stateHash: 'x-chain-state-hash',
  /** ISO-8601 time of the tip. */
  time: 'x-chain-time',
  syncStatus: 'x-node-sync',
} as const

/** Seconds that a cache may use a copy past its age; 0 for never. */
interface Staleness {
  /** While it fetches a new one, so that no reader waits for that. */
  readonly staleWhileRevalidateSeconds: number
  /** In place of an error. */
  readonly staleIfErrorSeconds: number
}

/** For one kind of answer of an endpoint. */
export interface CachePolicy extends Staleness {
  readonly maxAgeSeconds: number
  /** Which answers, if an endpoint gives several kinds with one status. Completes a sentence. */
  readonly when?: string
}

/** For answers about the chain: while a node restarts, an old answer beats none. A minute misses one block at most. */
export const briefStaleness: Staleness = { staleWhileRevalidateSeconds: 10, staleIfErrorSeconds: 60 }

/** Without these words, CloudFront answers errors with expired copies of any age. */
export const noStaleness: Staleness = { staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 0 }

const neverStale = (maxAgeSeconds: number): CachePolicy => ({ maxAgeSeconds, ...noStaleness })

/**
 * For what a wallet acts on: an outdated balance or nonce costs money, and so does a false "not found". Neither is served
 * while a new answer is fetched, or in place of an error. The times of two caches in a row, an edge's and Origin Shield's, add
 * up: together they stay below 5 s.
 */
export const current = /* @__PURE__ */ neverStale(2)

/** For an answer that no reorganisation can change. @param subject of the sentence that says so */
export const finalCaching = (subject: string, staleness: Staleness) => ({
  maxAgeSeconds: 86_400,
  ...staleness,
  when: `${subject} is so deep that it is final, by the network's own k`,
})

/** For an answer without the fields that an indexer should have given: caches must soon ask for the complete one. */
export const incompleteMaxAgeSeconds = 1

/** The contract's answer for a thing that does not exist: it may come to exist. */
export const notFoundCaching = /* @__PURE__ */ neverStale(5)

/**
 * For a GET that failed, by our fault or an upstream's: one call a second finds out whether it still fails, and the
 * requests that waited for that call share its answer. With `no-store` each of them would make its own call.
 */
export const failureCaching = /* @__PURE__ */ neverStale(1)

/**
 * The header of a 503: when a caller should ask again.
 *
 * @param refusedForMs the time for which upstreams refuse calls, if they said so
 */
export const retryAfter = (refusedForMs = 5000): { readonly 'retry-after': string } => ({
  'retry-after': String(Math.ceil(refusedForMs / 1000)),
})

/** @returns the value of the header; `no-store` without a policy */
export function cacheControlOf(policy: CachePolicy | undefined): string {
  if (policy === undefined) return 'no-store'
  const { maxAgeSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = policy
  const revalidating =
    staleWhileRevalidateSeconds === 0 ? '' : `stale-while-revalidate=${staleWhileRevalidateSeconds}, `
  return `public, max-age=${maxAgeSeconds}, ${revalidating}stale-if-error=${staleIfErrorSeconds}`
}

/** The policy of an answer that a better one should soon replace; undefined stays undefined. */
export const brieflyKept = (policy: CachePolicy | undefined): CachePolicy | undefined =>
  policy && { ...policy, maxAgeSeconds: Math.min(policy.maxAgeSeconds, incompleteMaxAgeSeconds) }
