// Conditional requests: an entity tag for what an answer follows from, and 304 where the caller has that answer already.
import { createHash } from 'node:crypto'
import type { ChainPort } from '../../shared/chain/port.ts'
import type { Answer, Endpoint } from '../../shared/endpoints/endpoint.ts'
import type { CachePolicy } from '../../shared/http/caching.ts'

/** The caller's copy is still good. */
export interface NotModified {
  readonly status: 304
  readonly caching: CachePolicy
  readonly headers: Readonly<Record<string, string>>
}

export interface Condition {
  /** `If-None-Match` as the request has it. */
  readonly ifNoneMatch: string | undefined
  /** Of the code: another release may give another body for the same state of the chain. */
  readonly release: string
}

/**
 * The tag of a body that follows from these parts and from the code. It is weak: two answers of one basis say the same,
 * which is not a promise about every byte.
 */
export function entityTag(basis: readonly string[], release: string): string {
  const digest = createHash('sha256').update(JSON.stringify([release, ...basis]))
  return `W/"${digest.digest('base64url').slice(0, 22)}"`
}

const opaque = /"([\x21\x23-\x7e\x80-\xff]*)"/g

/**
 * True if a tag is in a list of tags, by weak comparison: caches weaken a tag when they compress.
 *
 * @param ifNoneMatch `*`, or tags separated by commas
 */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const [own] = Array.from(tag.matchAll(opaque), ([, text]) => text)
  return Array.from(ifNoneMatch.matchAll(opaque), ([, text]) => text).includes(own)
}

/** An endpoint's answer, with its tag if it has one, or 304. */
async function answered(
  endpoint: Endpoint,
  input: unknown,
  chain: ChainPort,
  { ifNoneMatch, release }: Condition,
): Promise<Answer | NotModified> {
  const answer = await endpoint.run(input, chain)
  if (answer.status !== 200 || answer.basis === undefined || answer.caching === undefined) return answer
  const headers = { ...answer.headers, etag: entityTag(answer.basis, release) }
  return ifNoneMatch !== undefined && matchesTag(ifNoneMatch, headers.etag)
    ? { status: 304, caching: answer.caching, headers }
    : { ...answer, headers }
}

/**
 * The answer to a request that may have a condition. With one, the cheap question comes first, so that a
 * caller whose copy is still good costs the upstreams nothing else.
 *
 * @param again called before the endpoint is asked after all: what was noted so far is not about its answer
 * @throws whatever the endpoint throws
 */
export async function answerTo(
  endpoint: Endpoint,
  input: unknown,
  chain: ChainPort,
  condition: Condition,
  again: () => void,
): Promise<Answer | NotModified> {
  const { ifNoneMatch, release } = condition
  if (ifNoneMatch !== undefined && endpoint.currentBasis !== undefined) {
    const current = await endpoint.currentBasis(input, chain)
    if (current !== undefined) {
      const etag = entityTag(current.basis, release)
      if (matchesTag(ifNoneMatch, etag)) return { status: 304, caching: current.caching, headers: { etag } }
    }
    again()
  }
  return answered(endpoint, input, chain, condition)
}
