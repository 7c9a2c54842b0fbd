// The port that endpoints are handed: the questions they may ask, and the commands they may send.
import type { CommandKind, SignedCommand } from '../broadcast/signed-command.ts'
import type { RefusalCode } from '../contract/broadcast-codes.ts'
import type { NodeCommand } from '../mapping/command.ts'
import type { LedgerScans } from '../upstream/ledger-scans.ts'
import type { ExpectedNonces } from '../upstream/node-errors.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Deadline, NodeLabel } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { Driver } from './driver.ts'
import type { ChainOptions, Watch } from './outside.ts'

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

/** The two ways to ask for a block with the same fields. */
export interface BlockQuestions<Block> {
  /** Asks for `block(height: $height)`, and selects the tip. */
  readonly byHeight: Operation<{ readonly block: Block }>
  /** Asks for `block(stateHash: $stateHash)`. */
  readonly byStateHash: Operation<{ readonly block: Block }>
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
  | { readonly state: 'not-held'; readonly tipHeight: number }

/** One node's answer to a survey. */
export interface Surveyed<Data> {
  /** Index of the node: one that shares its address answers several times. */
  readonly node: number
  readonly data: Data
  readonly tip: NodeLabel
  /** No answer has shown a greater height: it tells of the chain as it is, not as it was. */
  readonly isAtTip: boolean
  /** It answers the question's `repeat`. */
  readonly isRepeat: boolean
}

export interface SurveyQuestion<Data> {
  readonly operation: Operation<Data>
  /** Put in place of the operation once it is answered, to the other nodes behind one address: pools and tip, say. */
  readonly repeat?: Operation<Data>
  readonly variables: Variables
  /** @param answers to the first question: the one that counts, then those that it superseded */
  isEnough(answers: readonly Surveyed<Data>[]): boolean
  /** The way in which it is put: handed over by those who ask, so that only their bundles hold it. */
  procedure(question: SurveyQuestion<Data>, driver: Driver, ask: AskNode): Promise<readonly Surveyed<Data>[]>
}

/** An answer with the tip that its node had. */
export interface Labelled<Data> {
  /** Index of the node. */
  readonly node: number
  readonly data: Data
  readonly label: NodeLabel
}

export interface NodeAnswer<Data> {
  readonly node: number
  readonly data: Data | undefined
  readonly label: NodeLabel | undefined
  /** The answers to the same question in whose place this one was taken, since they lie behind it. */
  readonly superseded?: readonly Labelled<Data>[]
}

/** Puts a question to the nodes. `data` is undefined where they say that they do not have what was asked for. */
export type AskNode = <Data>(
  operation: Operation<Data>,
  variables: Variables,
  isUnlabelled?: boolean,
) => Promise<NodeAnswer<Data>>

export interface Network {
  readonly chainId: string
  /** Undefined where no node reports it. */
  readonly slotDurationMs: number | undefined
}

/** A mutation, its variables, and how to read its answer. */
export interface Submission<Data = unknown> {
  readonly kind: CommandKind
  readonly command: SignedCommand
  readonly mutation: Operation<Data>
  readonly variables: Readonly<Record<string, string | null>>
  /** To send after the node's `Invalid_signature`: a raw signature in its other byte order. */
  readonly otherVariables?: Readonly<Record<string, string | null>>
  /** The command in the mutation's answer. */
  commandOf(data: Data): NodeCommand
  /** The way in which it is sent: handed over by those who broadcast, so that only their bundles hold it. */
  procedure(submission: Submission<Data>, driver: Driver): Promise<Fate>
}

export type Fate = FateOfCommand & {
  /** For the log only. */
  readonly note?: string
  /** The name of the network, as the node that found a signature wrong has it. */
  readonly networkName?: string
  /** The number of the asked nodes that hold the command; undefined where several may hide behind the only address. */
  readonly nodes: { readonly holding: number; readonly asked: number } | undefined
}

export type FateOfCommand =
  | { readonly state: 'sent'; readonly outcome: 'accepted' | 'already-known'; readonly command: NodeCommand }
  | (Failed & { readonly state: 'refused' })
  | (Failed & {
      readonly state: 'unknown'
      /** True if a node may have taken what was sent. */
      readonly wasSent: boolean
    })

interface Failed {
  readonly code: RefusalCode | 'timeout' | 'node-unreachable'
  /** The contract's text. */
  readonly error: string
  readonly nonces?: ExpectedNonces
  /** The ledger is past the command's nonce, so sending it again is useless. */
  readonly nonceIsUsed: boolean
}

/** The chain as an endpoint sees it: all that it knows of nodes and indexer. */
export interface ChainPort {
  readonly configured: { readonly indexer: boolean }
  readonly scans?: LedgerScans | undefined
  readonly deadline: Deadline
  /**
   * Puts a question to the node or the indexer, as its operation says.
   *
   * @throws WireError when no answer fits
   */
  ask<Data>(operation: Operation<Data>, variables: Variables): Promise<Answered<Data>>
  /** As `ask` of a node, for a thing that it may not have: `data` is undefined then. */
  readonly find: AskNode
  /**
   * Looks up a block, and whether it is canonical.
   *
   * @param operation asks for `block(stateHash: $stateHash)`
   * @throws WireError when no answer fits, or none shows whether the block is canonical
   */
  lookUp<Block extends ReadBlock>(
    stateHash: string,
    operation: Operation<{ readonly block: Block }>,
  ): Promise<HeldBlock<Block>>
  /**
   * Puts a question to every node that can be reached, three times where several may share the only address, unless the
   * first answer is enough. Nodes of another network do not count.
   *
   * @returns the answers, the best node's first
   * @throws WireError when no node answers
   */
  survey<Data>(question: SurveyQuestion<Data>): Promise<readonly Surveyed<Data>[]>
  /**
   * Looks up the block of the best chain at a height.
   *
   * @returns `not-held` for a height above the tip, or below the frontier
   * @throws WireError when no answer fits, or none shows which of these is true
   */
  lookUpHeight<Block extends ReadBlock>(height: number, questions: BlockQuestions<Block>): Promise<HeldBlock<Block>>
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
