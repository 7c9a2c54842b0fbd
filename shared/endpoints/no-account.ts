// The answer for a key without an account, and for a text that is not a key.
import type { Failure } from '../http/answer.ts'
import { type CachePolicy, noStaleness } from '../http/answer-headers.ts'

/**
 * An outdated balance or nonce costs money, and so does a false "not found": neither is served while a new answer is
 * fetched, or in place of an error. The times of two caches in a row, an edge's and Origin Shield's, add up: together
 * they stay below 5 s.
 */
export const current: CachePolicy = { maxAgeSeconds: 2, ...noStaleness }

export const noAccount = {
  status: 404,
  body: { message: 'No account found for that public key.' },
  caching: current,
} as const satisfies Failure
