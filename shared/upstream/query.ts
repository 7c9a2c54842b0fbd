// How an endpoint sees the world: the question to an upstream, the time that an answer may take, and what is configured.
import type { LedgerScans } from './ledger-scans.ts'
import type { NodeLabel } from './node-label.ts'
import type { Operation } from './operation.ts'
import type { Variables } from './wire.ts'

/** An upstream's GraphQL answer, as it came. */
export interface Reply {
  /** HTTP status of the upstream. */
  readonly status: number
  /** Unread; `undefined` where the body was no GraphQL answer. */
  readonly data: unknown
  /** The messages in their order. */
  readonly errors: readonly string[]
  /**
   * Milliseconds that the upstream took to begin the answer once it had the question, without the time to connect; of a
   * question with a connection of its own.
   */
  readonly answerMs?: number
  /** The tip of the node that answered, where it was asked beside the question: see `labelBeside` of an operation. */
  readonly label?: NodeLabel
  /** No node that answers has the tip that was seen before: caches must soon ask again. */
  readonly isBehind?: boolean
}

/** Why a node was asked beside the first one; `network` is the question which chain it is on. */
export type ExtraCall = 'hedge' | 'failover' | 'confirm' | 'stale' | 'network'

/** One call to one of several nodes. */
export interface NodeCall {
  readonly operation: string
  /** Short name of the node, without any secret. */
  readonly node: string
  /** Absent for the first call of a question. */
  readonly why?: ExtraCall
  readonly durationMs: number
  /** HTTP status, or how the call failed; `cancelled` where another node was faster. */
  readonly outcome: number | string
}

/** What changed in the judgement of a node. */
export type NodeEvent = 'demoted' | 'other-network' | 'reorganised'

/** Where one question may take several calls: what happened, for logs and metrics. */
export interface CallWatch {
  called(call: NodeCall): void
  noticed(event: NodeEvent, node: string): void
  /** After each question: how many nodes are out of use. */
  outOfUse(nodes: number): void
}

export interface CallLimits {
  /** The longest that the answer may take, where that is less than the upstream's time-out. */
  readonly limitMs?: number
  /** The question repeats an earlier one, so it is not repeated itself when its connection breaks. */
  readonly isRepeat?: boolean
  /** Ends the call when its answer is no longer needed. */
  readonly signal?: AbortSignal
  readonly watch?: CallWatch
}

/**
 * Sends one operation to its upstream. The only port to the outside.
 *
 * @throws WireError `timeout` or `unreachable` when no complete answer came, `unreadable` for one that is no text
 */
export type QueryUpstream = (operation: Operation, variables: Variables, limits?: CallLimits) => Promise<Reply>

/** The time that is left for an answer. */
export interface Deadline {
  /** Milliseconds until the caller must have its answer. */
  timeLeftMs(): number
  /** Lets time pass between two questions; the signal ends the pause early. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** What this deployment has. */
export interface Configured {
  /** Whether operations of the indexer may be sent. */
  readonly indexer: boolean
}

/** One network place of a node, asked by itself. */
export interface NodePort {
  /** Short name, without any secret. */
  readonly name: string
  readonly query: QueryUpstream
  /** Several nodes answer at its address in turn. */
  readonly sharedAddress: boolean
}

/** What an endpoint is handed beside its input. */
export interface EndpointContext {
  readonly query: QueryUpstream
  /** For broadcasts, best first. */
  readonly nodes: readonly NodePort[]
  readonly deadline: Deadline
  readonly configured: Configured
  /** Absent without an indexer, and where the stage has switched the staking fields off. */
  readonly scans?: LedgerScans
}
