// The chain as endpoints and actions see it, the parts that it is made of, and what it tells the log. Its words:
// - node: an entry of the list of nodes in the settings, by its index
// - address: where a node is reached; behind a shared one a load balancer picks one of several daemons for each call
// - daemon: a process of a Mina node, which has its own tip
// - answer: what one daemon says to one call, with its tip
// - `call` asks one node once; `request` asks until one answer is good, or fails; `ask` is a `request` for what every node has;
//   `sample` is one for what may not exist, repeated at a shared address until somebody finds it
import type { LedgerScans } from '../upstream/ledger-scans.ts'
import type { Network } from '../upstream/network.ts'
import type { Operation } from '../upstream/operation.ts'
import type { CallLimits, Deadline, NodePort, QueryUpstream, Tip } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { KeptBlocks } from './kept-blocks.ts'
import type { NodeStatus } from './node-selection.ts'
import type { Answered, AnsweredAtTip, Outcome } from './outcome.ts'
import type { NodeEvent } from './state.ts'

/** The time as the chain sees it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970, for the ages of tips. It may be wrong, and be set while a request is answered. */
  now(): number
  /** Milliseconds on a clock that is never set, for deadlines and durations. It may stop while an instance is frozen. */
  elapsed(): number
  /** Calls once after some time. Returns a function that cancels it. */
  after(milliseconds: number, action: () => void): () => void
}

export interface ChainOptions {
  /** In the order of the settings, at least one. */
  readonly nodes: readonly NodePort[]
  /** In the order of the settings; none by default. */
  readonly indexers?: readonly QueryUpstream[]
  /** The rows of staking ledgers that this instance keeps; absent if no ledger is to be asked for. */
  readonly scans?: LedgerScans | undefined
  readonly clock: Clock
  /** From 0 to below 1. */
  readonly random: () => number
  /** Pins the network: the state hashes of its genesis blocks, the oldest first; several if a hard fork is due. */
  readonly genesisStateHashes?: readonly string[] | undefined
  /** Pins their chain ids too, in the same order: a node on a pinned genesis block that names another one is out. */
  readonly chainIds?: readonly string[] | undefined
}

/** The reason for a call beside the first one, or for a repeat; `network` checks which chain the node is on. */
export type ExtraCall = 'hedge' | 'failover' | 'confirm' | 'stale' | 'network'

/** One call to a node or the indexer, as it ended. */
export interface CallRecord {
  readonly operation: string
  /** Short name of the node, if there are several. */
  readonly node?: string
  /** Place of the indexer in the settings, from 1, if there are several. */
  readonly indexer?: number
  /** Absent for the first call of a question. */
  readonly why?: ExtraCall
  readonly durationMs: number
  /**
   * HTTP status, or how the call failed: a `WireFault`, `cancelled` if its answer was no longer needed, `shed` if
   * nothing was sent because the nodes are busy, `failed` for a fault of our own.
   */
  readonly outcome: number | string
  /** The reason why the answer is useless. */
  readonly reason?: string
}

/**
 * A doubt about an answer:
 * - `isPinStale`: its network is not the one that is pinned last
 * - `isOtherNetworkFresh`: its network has halted, while a listed node of another one has a fresh tip
 * - `isClockBehind`: every node shows a tip ahead of our clock
 */
export type Doubt = 'isPinStale' | 'isOtherNetworkFresh' | 'isClockBehind'

/** Receives the events of one request: its calls to nodes and indexers, and the tips of their answers. */
export interface Observer {
  called(call: CallRecord): void
  noticed(event: NodeEvent, node: string): void
  /** After each question to several nodes: the names of those that are out of use. */
  outOfUse(nodes: readonly string[]): void
  /** The nodes or the indexer say that they refuse calls for this long. */
  refusedFor(upstream: Operation['upstream'], milliseconds: number): void
  doubted(by: Doubt): void
  /**
   * The tip of an answer. `isBehind`: the instance has given an answer with a higher one, or the tip is more than a
   * slot ahead of our clock.
   */
  answeredAt(tip: Tip, isBehind: boolean): void
}

export interface RequestOptions {
  /** Asks for no tip beside the question, for a caller that does not need it. */
  readonly withoutTip?: boolean
  /** Called with the index of the first node, once the question is sent, unless the node recently refused load. */
  readonly onSent?: (node: number) => void
}

/** The terms of one call to one node. */
export interface CallTerms extends Omit<CallLimits, 'signal'>, RequestOptions {
  /** Ends the call once nobody needs its answer; the end of the request does so in any case. */
  readonly abort?: AbortController
  /** Undefined for the first call of a question. */
  readonly why?: ExtraCall | undefined
  /** Awaited after the call, before the instance learns from its answer. */
  readonly until?: ((isAnswer: boolean) => Promise<unknown>) | undefined
  /** True if the outcome must not affect how the node is ranked. */
  readonly isProbe?: boolean
  /** Called when the node has answered, before `until` is awaited. */
  readonly onReply?: () => void
}

/** The nodes' networks, as far as an instance knows them. */
export interface Networks {
  /**
   * The network of a genesis block, as a node has described it. An instance asks once; a request that comes before the answer
   * waits for it, 1.7 s at most in all.
   *
   * @param genesisStateHash of the answer that it is needed for
   * @returns undefined if no node has described it in time
   */
  of(genesisStateHash: string): Promise<Network | undefined>
  /**
   * Starts asking for the network, for an answer that will need it, if none is known or the chain id is ten minutes old. Does
   * not wait.
   */
  start(): void
}

/** The networks for a broadcast, which must learn a node's network before it sends anything there. */
export interface BroadcastNetworks extends Networks {
  /** Learns which network a node is on, by its genesis block and a pinned chain id, if that is not known. */
  learn(node: number, patienceMs: number): Promise<void>
  /**
   * Learns from every node which of several pinned networks counts, if that may have changed.
   *
   * @throws WireError `busy` if no node can show it
   */
  learnPinned(patienceMs: number): Promise<void>
  /** Learns the network if a node listed before this one decides which it is. */
  learnEarlier(node: number, patienceMs: number): Promise<void>
}

/** The questions that one node rejected as unknown, and the lasting time of that check. */
interface AskedForRefusals {
  readonly at: number
  readonly names: Promise<ReadonlySet<string>>
}

/** What all requests of an instance share of earlier answers. */
export interface InstanceMemory {
  /**
   * State hashes by height of the blocks that end in a hard fork's parent, by the parent's: nothing can change them, so an
   * instance asks for them once.
   */
  readonly branches: Map<string, ReadonlyMap<number, string>>
  /** What the instance has printed of the newest blocks. */
  readonly blocks: KeptBlocks
  /** For each node index, the questions that the node rejected as unknown when last checked. */
  readonly refusals: Map<number, AskedForRefusals>
  /** Payments and delegations in the longest pool that the instance last listed; absent before it has listed one. */
  waitingPayments?: number
}

/** One indexer while a request is answered. */
export interface Indexer {
  /**
   * Asks it a question, once more if it turns that away.
   *
   * @returns `answerMs` as in `Reply`
   * @throws WireError when it gives no answer that fits
   */
  ask<Data>(
    operation: Operation<Data>,
    variables: Variables,
  ): Promise<{ readonly data: Data; readonly answerMs?: number | undefined }>
}

/** The chain while one request is answered: all that endpoints and actions know of nodes and indexers. */
export interface ChainView extends Deadline {
  /** The configured indexers, in the order of the settings; empty if the deployment has none. */
  readonly indexers: readonly Indexer[]
  readonly scans?: LedgerScans | undefined
  readonly kept: InstanceMemory
  /** The tip that this request has been shown before it asks for the newest blocks. */
  shownTip?: Tip | undefined
  /** In the order of the settings. */
  readonly nodes: readonly NodePort[]
  /** True if the newest tip is so old that the chain may have halted: a hard fork may discard its end. */
  readonly isHalted: boolean
  /** True if several networks are pinned. */
  readonly expectsFork: boolean
  /** Milliseconds since 1970, by which the ages of tips are judged. The clock may be wrong. */
  wallMs(): number
  /** Milliseconds on the clock of all that an instance remembers: never set, and running while it is frozen. */
  lastingMs(): number
  readonly networks: Networks
  /** True if an answer has shown a greater height. */
  isStaleHeight(height: number): boolean
  /** The standing of a node, by its index. */
  nodeStatus(node: number): NodeStatus
  /** The nodes worth asking when all are asked, by index: those of the network, and those that may have moved to it since. */
  nodesToAsk(): readonly number[]
  /** Milliseconds until a node may answer again; undefined unless each that is up says how long it refuses calls. */
  refusedForMs(): number | undefined
  /**
   * Puts a question to the nodes, until one answer is good.
   *
   * @throws WireError when no answer fits
   */
  request<Data>(
    operation: Operation<Data>,
    variables: Variables,
    options?: RequestOptions,
  ): Promise<Answered<Data | undefined>>
  /**
   * Like `request`, but returns first the answer that counts, then the others that have data and a tip.
   *
   * @throws WireError when no answer fits
   */
  answers<Data>(
    operation: Operation<Data>,
    variables: Variables,
    options?: RequestOptions,
  ): Promise<readonly [Answered<Data | undefined>, ...AnsweredAtTip<Data>[]]>
  /**
   * Puts a question or a mutation to one node, by its index, and learns from how that ends.
   *
   * @throws any other error than a WireError, since that is our own fault
   */
  call(node: number, operation: Operation, variables: Variables, terms: CallTerms): Promise<Outcome>
  /** Notes the tip of an answer that did not come from `request`. */
  noteTip(tip: Tip): void
}

/** The view of a broadcast, which must not reach another network. */
export interface BroadcastView extends ChainView {
  readonly networks: BroadcastNetworks
  /** The genesis block of the network, if it is known, and whether it is pinned. */
  readonly target: { readonly genesisStateHash: string | undefined; readonly isPinned: boolean }
  /** The nodes that may be asked, by index, the one to ask first at the front. */
  rankedNodes(): readonly number[]
  /** True if a node has shown its network lately. */
  isNetworkKnown(node: number): boolean
}

/** The view in the hands of its creator, who must end it. */
export interface OpenView extends BroadcastView {
  /** Ends every call that is still running: one would be frozen with the instance, and continue in its next request. */
  end(): void
}

/** All nodes and the indexer, and what one instance has learnt of them. */
export interface Chain {
  /** @param withinMs milliseconds until the caller must have its answer */
  view(terms: { readonly withinMs: number; readonly observer?: Observer }): OpenView
}

/** Makes a chain; nothing else does. */
export type CreateChain = (options: ChainOptions) => Chain
