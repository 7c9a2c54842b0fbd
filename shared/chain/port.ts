// The door to the chain: what endpoints are handed, what a chain is made of, and what it tells the log.
import type { LedgerScans } from '../upstream/ledger-scans.ts'
import type { NodeLabel } from '../upstream/node-label.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Deadline, NodePort, QueryUpstream } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { Fate, Submission } from './submission.ts'

/** The time as the chain sees it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970: an instance is frozen between requests, and other clocks may stop then. */
  now(): number
  /** Calls once after some time. Returns a function that prevents it. */
  after(milliseconds: number, action: () => void): () => void
}

/** What a chain is made of. */
export interface ChainOptions {
  /** In the order of the settings, at least one. */
  readonly nodes: readonly NodePort[]
  readonly indexer?: QueryUpstream | undefined
  /** What this instance keeps of staking ledgers; absent where none is to be asked for. */
  readonly scans?: LedgerScans | undefined
  readonly clock: Clock
  /** From 0 to below 1. */
  readonly random: () => number
  /** Pins the network: the state hash of its genesis block. */
  readonly genesisStateHash?: string | undefined
}

/** Why a node was asked beside the first one, or again; `network` is the check of which chain it is on. */
export type ExtraCall = 'hedge' | 'failover' | 'confirm' | 'stale' | 'network'

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
  /** Why the answer is no use. */
  readonly reason?: string
}

/** What changed in the judgement of a node. */
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

/** One answer that fits its question. */
export interface Answered<Data> {
  readonly data: Data
  /** The tip of the node that answered; undefined for the indexer. */
  readonly tip: NodeLabel | undefined
  /** As in `Reply`. */
  readonly answerMs?: number | undefined
}

/** What is needed of a block, whatever else is read of it. */
export interface ReadBlock {
  readonly protocolState: { readonly consensusState: { readonly blockHeight: number } }
}

/** `depth` is below the tip, at about the time when the node gave the block. */
export type HeldBlock<Block> =
  | {
      readonly state: 'held'
      readonly block: Block
      readonly canonical: boolean
      readonly depth: number
      /** Whether `canonical` may be taken back by the next answer. */
      readonly isBrief: boolean
    }
  | {
      readonly state: 'not-held'
      /** Height of the node's tip. */
      readonly tipHeight: number
    }

/** Which network the chain is. */
export interface Network {
  readonly chainId: string
  /** Undefined where no node reports it. */
  readonly slotDurationMs: number | undefined
}

/** The chain as an endpoint sees it: all that it knows of nodes and indexer. */
export interface ChainPort {
  /** What this deployment has. */
  readonly configured: { readonly indexer: boolean }
  readonly scans?: LedgerScans | undefined
  readonly deadline: Deadline
  /**
   * Puts a question to the node or the indexer, as its operation says.
   *
   * @throws WireError when no answer fits
   */
  ask<Data>(operation: Operation<Data>, variables: Variables): Promise<Answered<Data>>
  /**
   * Looks a block up, and whether it is canonical.
   *
   * @param operation asks for `block(stateHash: $stateHash)`
   * @throws WireError when no answer fits, or none shows whether the block is canonical
   */
  lookUp<Block extends ReadBlock>(
    stateHash: string,
    operation: Operation<{ readonly block: Block }>,
  ): Promise<HeldBlock<Block>>
  /** Sends a signed command, and says what became of it. Upstream trouble is part of the answer. */
  broadcast<Data>(submission: Submission<Data>): Promise<Fate>
  /** @throws WireError when no node says */
  network(): Promise<Network>
}

/** The port while one request is answered. */
export interface Exchange extends ChainPort {
  /** Ends every call that is still running: it would be frozen with the instance, and go on in its next request. */
  end(): void
}

/** All nodes and the indexer, and what one instance has learnt of them. */
export interface Chain {
  /** @param deadline when the caller must have its answer, on the chain's clock */
  exchange(terms: { readonly deadline: number; readonly watch?: Watch }): Exchange
}

/** Makes a chain; nothing else does. */
export type CreateChain = (options: ChainOptions) => Chain
