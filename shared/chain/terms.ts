// The terms of a call, and those that all calls of an instance share.
import type { Operation } from '../upstream/operation.ts'
import type { CallLimits } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { ChainOptions, ExtraCall } from './outside.ts'
import type { ChainState } from './standing.ts'

/** Shared by all requests of an instance. */
export interface Shared extends ChainOptions {
  state: ChainState
  /** Checks that are being asked, by node; true when the request ended that asked. */
  readonly checks: Map<number, Promise<boolean>>
}

export interface Terms extends CallLimits {
  /** Undefined for the first call of a question. */
  readonly why?: ExtraCall | undefined
  /** An answer waits for this before anything is learnt from it. */
  readonly until?: Promise<unknown> | undefined
  /** Asks without the label, for a caller that does not need the tip. */
  readonly isUnlabelled?: boolean | undefined
  /** Called when the node has answered, while something else is still awaited. */
  readonly onReply?: () => void
}

/** A question to any of the nodes. */
export interface Asked {
  readonly operation: Operation
  readonly variables: Variables
  readonly isUnlabelled?: boolean
  /** Learns the length of a slot, where a tip's age turns on it. */
  readonly learnSlot?: () => Promise<unknown>
}
