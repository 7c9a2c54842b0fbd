// The door to the chain: what endpoints are handed.
import type { LedgerScans } from '../upstream/ledger-scans.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Deadline, NodeLabel } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { ChainOptions, Watch } from './outside.ts'
import type { Fate, Submission } from './submission.ts'

/** One answer that fits its question. */
export interface Answered<Data> {
  readonly data: Data
  /** The tip of the node that answered; undefined for the indexer. */
  readonly tip: NodeLabel | undefined
  /** As in `Reply`. */
  readonly answerMs?: number | undefined
}

/** The fields that are needed of every block. */
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
      /** True if `canonical` may be taken back by the next answer. */
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
  /** The parts of this deployment. */
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
