// The times for which CloudFront keeps an answer and may use an expired one, by its developer guide on expiration and on
// the caching of errors.
import type { CachePolicy } from './distribution.ts'

/** The part of an origin's answer that a cache reads. */
export interface OriginAnswer {
  readonly status: number
  /** The cache-control header, if the answer has one. */
  readonly cacheControl?: string
  /** The entity tag, if the answer has one: an expired copy with it is asked for by the tag. */
  readonly etag?: string
}

/** By their header: a service has a dozen of them, and an hour of traffic reads them a million times. */
const directivesByHeader = new Map<string, readonly string[]>()

function directivesOf({ cacheControl = '' }: OriginAnswer): readonly string[] {
  const known = directivesByHeader.get(cacheControl)
  if (known !== undefined) return known
  const directives = cacheControl.split(',').map((directive) => directive.trim().toLowerCase())
  directivesByHeader.set(cacheControl, directives)
  return directives
}

function secondsOf(answer: OriginAnswer, name: string): number | undefined {
  const directive = directivesOf(answer).find((candidate) => candidate.startsWith(`${name}=`))
  return directive === undefined ? undefined : Number(directive.slice(name.length + 1))
}

/** The service forbids it with no other directive. */
const forbidsKeeping = (answer: OriginAnswer): boolean => directivesOf(answer).includes('no-store')

/** Seconds for which the answer's cache-control allows caches to keep it; 0 without a time. */
export const promisedSeconds = (answer: OriginAnswer): number =>
  forbidsKeeping(answer) ? 0 : (secondsOf(answer, 'max-age') ?? 0)

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
  if (answer.status >= 400) {
    if (!keptErrors.has(answer.status)) return 0
    if (obeyedErrors.has(answer.status) && forbidsKeeping(answer)) return 0
    return Math.max(errorTtls.get(answer.status) ?? defaultErrorTtl, Math.min(promisedSeconds(answer), maxTtl))
  }
  if (forbidsKeeping(answer)) return minTtl
  return Math.max(minTtl, Math.min(secondsOf(answer, 'max-age') ?? defaultTtl, maxTtl))
}

/** Further seconds for which the answer allows its use while a new one is fetched; 0 without `stale-while-revalidate`. */
export const promisedWhileRevalidatingSeconds = (answer: OriginAnswer): number =>
  secondsOf(answer, 'stale-while-revalidate') ?? 0

/** Further seconds for which the answer allows its use in place of an error; 0 without `stale-if-error`. */
export const promisedOnErrorSeconds = (answer: OriginAnswer): number => secondsOf(answer, 'stale-if-error') ?? 0

/** When a copy may no longer be used, in seconds after its caching time. */
interface Staleness {
  readonly whileRevalidating: number
  readonly onError: number
}

/**
 * The time for which CloudFront uses an expired copy: as long as that says, but never past the maximum TTL of the behavior, counted
 * from the receipt of the copy. In place of a 5xx it uses one without `stale-if-error` for all of that time; by
 * observation, `must-revalidate` does not prevent it.
 *
 * @param keptSeconds the caching time of the copy
 */
export function stalenessOf(answer: OriginAnswer, keptSeconds: number, { maxTtl }: CachePolicy): Staleness {
  const most = Math.max(0, maxTtl - keptSeconds)
  return {
    whileRevalidating: Math.min(most, promisedWhileRevalidatingSeconds(answer)),
    onError: Math.min(most, secondsOf(answer, 'stale-if-error') ?? most),
  }
}
