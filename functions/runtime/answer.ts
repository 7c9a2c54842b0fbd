// Answers a request: with its endpoint's answer and an entity tag, with 304 if the caller already has it, or with an error.
import type { ChainView } from '../../shared/chain/port.ts'
import { faultText } from '../../shared/contract/query/read-options.ts'
import { type Endpoint, isTagged } from '../../shared/endpoints/endpoint.ts'
import type { Answer, Failure } from '../../shared/http/answer.ts'
import { type CachePolicy, retryAfter } from '../../shared/http/answer-headers.ts'
import { memberOf, printExactJson } from '../../shared/mapping/exact-json.ts'
import { ApiError, type RequestFault, WireError, type WireFault } from '../../shared/upstream/errors.ts'
import type { Tip } from '../../shared/upstream/query.ts'
import { sha256 } from './sha256.ts'

/** The caller's copy is still good. */
export interface NotModified {
  readonly status: 304
  readonly caching: CachePolicy
  readonly headers: Readonly<Record<string, string>>
  /** The tip of the answer that it stands for. */
  readonly tip?: Tip | undefined
  readonly note?: undefined
  readonly observed?: undefined
}

export interface Condition {
  /** `If-None-Match` as the request has it. */
  readonly ifNoneMatch: string | undefined
  /** Another release may give another body for the same state of the chain. */
  readonly release: string
}

/**
 * The tag of a version under this release of the code. It is weak: two answers of one version mean the same, but need
 * not agree in every byte.
 */
export function entityTag(version: readonly string[], release: string): string {
  const digest = sha256(JSON.stringify([release, ...version]))
  return `W/"${Buffer.from(digest).toString('base64url').slice(0, 22)}"`
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

/** An answer whose body may be printed already, for its tag. */
export type Printed = Answer & { readonly text?: string }

/**
 * An endpoint's answer with its tag, or 304. The tag is that of the version; without one that of the body, which also tells
 * an incomplete answer from the complete one.
 */
async function answered(
  endpoint: Endpoint,
  input: unknown,
  chain: ChainView,
  { ifNoneMatch, release }: Condition,
): Promise<Printed | NotModified> {
  const answer = await endpoint.run(input, chain)
  if (!isTagged(endpoint) || answer.status !== 200 || answer.caching === undefined) return answer
  const text = answer.version === undefined ? printExactJson(answer.body) : undefined
  const headers = { ...answer.headers, etag: entityTag(answer.version ?? ['body', text ?? ''], release) }
  return ifNoneMatch !== undefined && matchesTag(ifNoneMatch, headers.etag)
    ? { status: 304, caching: answer.caching, headers, tip: answer.tip }
    : { ...answer, headers, ...(text !== undefined && { text }) }
}

/**
 * Answers a request. A path that names nothing costs no upstream call. A conditional request asks the cheap question first, so
 * that a caller whose copy is still current costs the upstreams nothing else.
 *
 * @param forgetTip called if the endpoint runs after the cheap question: its answer may have another tip
 * @throws whatever the endpoint throws
 */
export async function answerTo(
  endpoint: Endpoint,
  input: unknown,
  chain: ChainView,
  condition: Condition,
  forgetTip: () => void,
): Promise<Printed | NotModified> {
  const { ifNoneMatch, release } = condition
  if (input === undefined && endpoint.identifier) return endpoint.identifier.unknown
  if (ifNoneMatch !== undefined && endpoint.currentVersion !== undefined) {
    const current = await endpoint.currentVersion(input, chain)
    if (current !== undefined) {
      const etag = entityTag(current.version, release)
      if (matchesTag(ifNoneMatch, etag)) {
        return { status: 304, caching: current.caching, headers: { etag }, tip: current.tip }
      }
    }
    forgetTip()
  }
  return answered(endpoint, input, chain, condition)
}

interface Meaning {
  readonly status: Failure['status']
  /** Shown to callers. */
  readonly text: string
  /** For the log only. */
  readonly note?: string
}

const noGoodAnswer: Meaning = { status: 502, text: 'Upstream unavailable.' }

const wireMeanings: Readonly<Record<WireFault, Meaning>> = {
  busy: { ...noGoodAnswer, status: 503 },
  timeout: { status: 504, text: 'Upstream timed out.' },
  unreachable: noGoodAnswer,
  unreadable: noGoodAnswer,
  mismatched: noGoodAnswer,
}

/** The faults that the endpoint's check found, under the error of @middy/validator. */
function faultsIn(error: unknown): readonly RequestFault[] | undefined {
  const cause = memberOf(error, 'cause')
  const isCheck = memberOf(cause, 'package') === '@middy/validator'
  return isCheck ? (memberOf(cause, 'data') as readonly RequestFault[]) : undefined
}

function meaningOf(error: unknown): Meaning {
  if (error instanceof ApiError) return { status: error.status, text: error.message }
  if (error instanceof WireError)
    return {
      ...wireMeanings[error.fault],
      ...(error.publicText !== undefined && { text: error.publicText }),
      note: error.message,
    }
  const faults = faultsIn(error)
  if (faults !== undefined) return { status: 400, text: faultText(faults) }
  return { status: 500, text: 'Internal error.', note: error instanceof Error ? (error.stack ?? error.message) : '' }
}

/** True for an unforeseen error: a bug, whatever status the endpoint answers with. */
export const isBug = (error: unknown): boolean => meaningOf(error).status === 500

/** True if the nodes are well and only an indexer could have answered. */
export const isOfIndexer = (error: unknown): boolean => error instanceof WireError && error.isOfIndexer

/**
 * The answer to a request that failed, in the endpoint's own shape: a broadcast answers only 201 and 400.
 *
 * @param refusedForMs the time for which the upstream that failed refuses calls, if it said so
 */
export function failureAnswer(error: unknown, { failureMessage, caching }: Endpoint, refusedForMs?: number): Failure {
  const { status, text, note } = meaningOf(error)
  const noted = note === undefined ? {} : { note }
  // A request that bypassed CloudFront does not count as a broadcast.
  if (failureMessage !== undefined && status !== 403) {
    const isOurs = status >= 500
    return {
      status: 400,
      body: { message: failureMessage, error: text },
      headers: {
        'x-broadcast-outcome': isOurs ? 'unknown' : 'refused',
        'x-broadcast-code': isOurs ? 'other' : 'invalid-request',
        'x-broadcast-retriable': String(isOurs),
      },
      ...noted,
    }
  }
  const headers = status === 503 ? retryAfter(refusedForMs) : {}
  const kept = status >= 500 ? caching['5xx']?.failure : undefined
  return { status, body: { message: text }, headers, ...(kept !== undefined && { caching: kept }), ...noted }
}
