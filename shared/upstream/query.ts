// The question to an upstream, and the time that an answer may take.
import type { Operation } from './operation.ts'
import type { Variables } from './wire.ts'

/** The best tip that a node had when it answered. */
export interface Tip {
  readonly height: number
  readonly stateHash: string
  /** Time of the tip's slot, milliseconds since 1970. */
  readonly atMs: number
  /** `SYNCED`, `CATCHUP`, `BOOTSTRAP`, `LISTENING`, `CONNECTING` or `OFFLINE`. */
  readonly syncStatus: string
  /** State hash of the genesis block: the network. A hard fork starts a new one. */
  readonly genesisStateHash: string
}

/** An upstream's GraphQL answer, as it came. */
export interface Reply {
  /** HTTP status of the upstream. */
  readonly status: number
  /** Unread; `undefined` if the body was not a GraphQL answer. */
  readonly data: unknown
  /** The messages in their order. */
  readonly errors: readonly string[]
  /**
   * Milliseconds that the upstream took to begin the answer once it had the question, without the time to connect; of a
   * question with its own connection.
   */
  readonly answerMs?: number
  /** Milliseconds for which the upstream, or a gateway before it, refuses further questions, by its `Retry-After`. */
  readonly retryAfterMs?: number
  /** The tip of the node that answered, if the fields of the question do not show it: see `withTip` of an operation. */
  readonly tip?: Tip
}

export interface CallLimits {
  /** Time limit for the answer, if shorter than the upstream's time-out. */
  readonly limitMs?: number
  /** The question repeats an earlier one, so it is not repeated itself when its connection breaks. */
  readonly isRepeat?: boolean
  /** Ends the call once nobody needs its answer. */
  readonly signal?: AbortSignal
}

/**
 * Sends one operation to its upstream. The chain's only port to the outside.
 *
 * @throws WireError `timeout` or `unreachable` when no complete answer came, `unreadable` for one that is not text
 */
export type QueryUpstream = (operation: Operation, variables: Variables, limits?: CallLimits) => Promise<Reply>

/** The time that is left for an answer. */
export interface Deadline {
  /** Milliseconds until the caller must have its answer. */
  timeLeftMs(): number
  /** Lets time pass between two questions; the signal ends the pause early. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** One address of a node. */
export interface NodePort {
  /** Short name, without any secret. */
  readonly name: string
  readonly query: QueryUpstream
  /** Several nodes answer at its address in turn. */
  readonly sharedAddress: boolean
}
