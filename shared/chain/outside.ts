// The parts of a chain, the terms of its calls, and what it tells the log.
import type { LedgerScans } from '../upstream/ledger-scans.ts'
import type { Operation } from '../upstream/operation.ts'
import type { CallLimits, NodeLabel, NodePort, QueryUpstream } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { ChainState } from './network-state.ts'

/** The time as the chain sees it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970: an instance is frozen between requests, and other clocks may stop then. */
  now(): number
  /** Calls once after some time. Returns a function that prevents it. */
  after(milliseconds: number, action: () => void): () => void
}

export interface ChainOptions {
  /** In the order of the settings, at least one. */
  readonly nodes: readonly NodePort[]
  readonly indexer?: QueryUpstream | undefined
  /** The rows of staking ledgers that this instance keeps; absent if no ledger is to be asked for. */
  readonly scans?: LedgerScans | undefined
  readonly clock: Clock
  /** From 0 to below 1. */
  readonly random: () => number
  /** Pins the network: the state hash of its genesis block. */
  readonly genesisStateHash?: string | undefined
}

/** Shared by all requests of an instance. */
export interface Shared extends ChainOptions {
  state: ChainState
  /** Network checks in progress, by node; each resolves to true if the request that asked ended first. */
  readonly checks: Map<number, Promise<boolean>>
}

/** Why a node was asked beside the first one, or again; `network` is the check of which chain it is on. */
export type ExtraCall = 'hedge' | 'failover' | 'confirm' | 'stale' | 'network'

export interface Terms extends Omit<CallLimits, 'signal'> {
  /** Ends the call once nobody needs its answer; the end of the request does so in any case. */
  readonly abort?: AbortController
  /** Undefined for the first call of a question. */
  readonly why?: ExtraCall | undefined
  /** An answer waits for this before the instance learns from it. */
  readonly until?: Promise<unknown> | undefined
  /** Asks without the label, for a caller that does not need the tip. */
  readonly isUnlabelled?: boolean | undefined
  /** Called when the node has answered, before `until` is awaited. */
  readonly onReply?: () => void
}

/** A question to any of the nodes. */
export interface Asked {
  readonly operation: Operation
  readonly variables: Variables
  readonly isUnlabelled?: boolean
  /** Learns the length of a slot, where it decides whether a tip is old. */
  readonly learnSlot?: () => Promise<unknown>
}

/** One call to a node or the indexer, as it ended. */
export interface CallRecord {
  readonly operation: string
  /** Short name of the node, where there are several. */
  readonly node?: string
  /** Absent for the first call of a question. */
  readonly why?: ExtraCall
  readonly durationMs: number
  /**
   * HTTP status, or how the call failed: a `WireFault`, `cancelled` where its answer was no longer needed, `shed` where
   * nothing was sent because the nodes are busy, `failed` for a fault of our own.
   */
  readonly outcome: number | string
  /** The reason why the answer is useless. */
  readonly reason?: string
}

export type NodeEvent = 'demoted' | 'other-network' | 'unsupported' | 'reorganised' | 'hard-fork'

/** Is told what happens while one request is answered. */
export interface Watch {
  called(call: CallRecord): void
  noticed(event: NodeEvent, node: string): void
  /** After each question to several nodes: how many of them are out of use. */
  outOfUse(nodes: number): void
  /** The tip that an answer rests on. `isBehind`: the instance has given an answer of a higher one. */
  rests(tip: NodeLabel, isBehind: boolean): void
}
