// The times for which CloudFront keeps an answer and may use an expired one, by its developer guide on expiration and on
// the caching of errors.
import type { CachePolicy } from './distribution.ts'

/** The part of an origin's answer that a cache reads. */
export interface OriginAnswer {
  readonly status: number
  readonly cacheControl?: string
  /** An expired copy with it is asked for by the tag. */
  readonly etag?: string
}

/** What a cache-control header allows, in seconds. */
export interface Promised {
  /** The service forbids keeping with no other directive. */
  readonly isNoStore: boolean
  readonly maxAge: number | undefined
  readonly whileRevalidating: number
  readonly onError: number | undefined
}

/** By header: a service has a dozen of them, and an hour of traffic reads them a million times. */
const promisedByHeader = new Map<string, Promised>()

export function promisedBy({ cacheControl = '' }: OriginAnswer): Promised {
  const known = promisedByHeader.get(cacheControl)
  if (known !== undefined) return known
  const directives = cacheControl.split(',').map((directive) => directive.trim().toLowerCase())
  const secondsOf = (name: string) => {
    const directive = directives.find((candidate) => candidate.startsWith(`${name}=`))
    return directive === undefined ? undefined : Number(directive.slice(name.length + 1))
  }
  const isNoStore = directives.includes('no-store')
  const promised = {
    isNoStore,
    maxAge: isNoStore ? 0 : secondsOf('max-age'),
    whileRevalidating: secondsOf('stale-while-revalidate') ?? 0,
    onError: secondsOf('stale-if-error'),
  }
  promisedByHeader.set(cacheControl, promised)
  return promised
}

/** CloudFront caches no other errors. A distribution may set a time for 416, but CloudFront does not use it. */
const keptErrors = new Set([400, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504])

/** The errors for which CloudFront obeys `no-store` and the like. */
const obeyedErrors = new Set([404, 410, 414, 501])

/** For an error without a caching time in the distribution. */
const defaultErrorTtl = 10

/**
 * Seconds for which CloudFront keeps an answer; 0 for never.
 *
 * @param errorTtls error caching minimum TTL in seconds, by status
 */
export function keptSeconds(
  answer: OriginAnswer,
  { minTtl, defaultTtl, maxTtl }: CachePolicy,
  errorTtls: ReadonlyMap<number, number>,
): number {
  const { isNoStore, maxAge } = promisedBy(answer)
  if (answer.status < 400) return isNoStore ? minTtl : Math.max(minTtl, Math.min(maxAge ?? defaultTtl, maxTtl))
  if (!keptErrors.has(answer.status) || (isNoStore && obeyedErrors.has(answer.status))) return 0
  return Math.max(errorTtls.get(answer.status) ?? defaultErrorTtl, Math.min(maxAge ?? 0, maxTtl))
}

/**
 * Further seconds for which CloudFront uses an expired copy: as long as that says, but never past the maximum TTL of the
 * behavior, counted from the receipt of the copy. In place of a 5xx it uses one without `stale-if-error` for all of that
 * time; by observation, `must-revalidate` does not prevent it.
 *
 * @param kept the caching time of the copy
 */
export function stalenessOf(answer: OriginAnswer, kept: number, { maxTtl }: CachePolicy) {
  const most = Math.max(0, maxTtl - kept)
  const { whileRevalidating, onError = most } = promisedBy(answer)
  return { whileRevalidating: Math.min(most, whileRevalidating), onError: Math.min(most, onError) }
}
