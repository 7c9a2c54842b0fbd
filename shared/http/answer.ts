// The answers of endpoints and their failures, before they are written as HTTP.
import type { BroadcastError, Message } from '../contract/error.ts'
import type { Health } from '../contract/health.ts'
import type { TransactionNotFound } from '../contract/transaction.ts'
import type { Exact, PrintedJson } from '../mapping/exact-json.ts'
import type { Tip } from '../upstream/query.ts'
import type { CachePolicy } from './answer-headers.ts'

/** The chain as one answer shows it, for metrics. */
export interface ChainObservation {
  /** Blockchain length of the best tip. */
  readonly tipHeight: number
  /** Milliseconds since 1970. */
  readonly tipAtMs: number
  /** As the node has it: a hard fork changes it. */
  readonly slotDurationMs: number
}

/** How far upstreams are behind the best tip, in blocks, for metrics. */
export interface UpstreamLags {
  /** Blocks of the best one's branch that the node furthest from it lacks, at most four for one on another branch; only with several nodes. */
  readonly nodeLag?: number
  /** Its name, if it lacks any. */
  readonly nodeBehind?: string
  /** True if it has other blocks in their place. */
  readonly isForked?: true
  /** Of the indexer that follows the nodes, if there is one. */
  readonly indexerLag?: number
}

/**
 * The version of an answer, which its entity tag identifies: everything but the code that determines the body, so answers of
 * one version have equal bodies. The first part names the source, since node and indexer know different fields of one block.
 */
export type Version = readonly [source: 'node' | 'node and indexer' | 'indexer', ...state: string[]]

/** The version of the answer that would be given now, and how long that answer may be kept. */
export interface CurrentVersion {
  readonly version: Version
  readonly caching: CachePolicy
  /** As in an answer. */
  readonly tip?: Tip | undefined
}

interface AnswerParts {
  /** The time that caches may keep the answer; without a policy they must not keep it. */
  readonly caching?: CachePolicy
  readonly headers?: Readonly<Record<string, string>>
  /** The tip of the body, if the request has seen several; the lowest of them by default. */
  readonly tip?: Tip | undefined
  /** For the log only: may quote an upstream. */
  readonly note?: string
  /** For metrics only. */
  readonly observed?: ChainObservation | UpstreamLags
}

/** The answer that was asked for. Numbers of the body may be bigint if they can exceed 2^53. */
export interface Success<Body> extends AnswerParts {
  readonly status: 200 | 201
  readonly body: Exact<Body> | PrintedJson
  /** For the entity tag, which is made from the body without it. */
  readonly version?: Version
}

/** Any other answer, in one of the contract's two shapes, or with the places that were searched. */
export interface Failure extends AnswerParts {
  readonly status: 400 | 403 | 404 | 409 | 500 | 502 | 503 | 504
  readonly body: Message | BroadcastError | TransactionNotFound
}

/** The state of the upstreams, if that is the question and nothing can be answered. */
export interface Down extends AnswerParts {
  readonly status: 503
  readonly body: Health
}

/** An answer of an endpoint. */
export type Answer<Body = unknown> = Success<Body> | Failure | Down
