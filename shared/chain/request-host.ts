// One request, as the parts of its view of the chain see it.
import type { Operation } from '../upstream/operation.ts'
import type { Deadline, NodePort } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { Instant } from './instant.ts'
import type { NodeState } from './node-state.ts'
import type { CallEnd, Outcome } from './outcome.ts'
import type { BroadcastNetworks, CallRecord, CallTerms, Clock, Observer } from './port.ts'
import type { ChainEvent, ChainState } from './state.ts'

export interface RequestHost extends Deadline, Pick<Clock, 'after' | 'elapsed'> {
  readonly nodes: readonly NodePort[]
  readonly networks: Pick<BroadcastNetworks, 'learnEarlier'> & {
    readonly allRefuseLoad: boolean
    learnSlot(): Promise<void>
  }
  /** Changed by `learn` only. */
  readonly state: ChainState
  /** What is known of a node, by its index. */
  node(index: number): NodeState
  /** Applies a rule to all that is known now. */
  judged<T>(rule: (state: ChainState, at: Instant) => T): T
  /** True if a node's latest answer, a short time ago, was "busy". */
  refusesLoad(node: number): boolean
  readonly observer: Observer | undefined
  /** True once the request has ended. */
  readonly isOver: boolean
  /** Each ends a call or a pause. */
  readonly ends: Set<() => void>
  instant(): Instant
  random(): number
  /** Changes what the instance knows, and reports changes in the judgement of nodes. */
  learn(event: ChainEvent): void
  /** Notes a call for the log, as it ended. */
  called(call: CallRecord): void
  /** The nodes that may be asked, by index, the one to ask first at the front. */
  rankedNodes(): readonly number[]
  /** Puts a question to one node, and learns from how that ends. */
  call(node: number, operation: Operation, variables: Variables, terms: CallTerms): Promise<Outcome>
  /** Asks one node about its network, without judging the node by it. */
  askNetwork(node: number, operation: Operation): Promise<CallEnd>
  /** The same host for one question that outlives the request. */
  apart(): RequestHost
}
