// How long caches may keep an answer: one policy for the header, the OpenAPI document, the doctor and the model of the edge.

/** For one kind of answer of an endpoint. */
export interface CachePolicy {
  readonly maxAgeSeconds: number
  /** How long past that age a cache may give the answer in place of an error; 0 for never. */
  readonly staleIfErrorSeconds: number
  /** Which answers, where an endpoint gives several kinds with one status. Completes a sentence. */
  readonly when?: string
}

/** While a node restarts, an answer about the chain is better than none: within a minute it misses one block at most. */
export const briefOutageSeconds = 60

/** Of an answer without the fields that an indexer should have given: caches must soon ask for the complete one. */
export const incompleteMaxAgeSeconds = 1

/** The contract's answer for a thing that does not exist: it may come to exist. */
export const notFoundCaching: CachePolicy = { maxAgeSeconds: 5, staleIfErrorSeconds: 0 }

/** Without `stale-if-error`, CloudFront answers errors with expired copies of any age. */
export const cacheControlOf = (policy: CachePolicy | undefined): string =>
  policy === undefined
    ? 'no-store'
    : `public, max-age=${policy.maxAgeSeconds}, stale-if-error=${policy.staleIfErrorSeconds}`

/** The policy of an answer for which a better one should soon be had; undefined stays undefined. */
export const brieflyKept = (policy: CachePolicy | undefined): CachePolicy | undefined =>
  policy && { ...policy, maxAgeSeconds: Math.min(policy.maxAgeSeconds, incompleteMaxAgeSeconds) }
