// A command to send, and what became of it.

import type { RefusalCode } from '../../contract/broadcast-codes.ts'
import type { NodeCommand } from '../../mapping/command.ts'
import type { CommandKind, SignedCommand } from '../../mapping/signed-command.ts'
import type { ExpectedNonces } from '../../upstream/node-errors.ts'
import type { Operation } from '../../upstream/operation.ts'

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
}

export type BroadcastOutcome = CommandOutcome & {
  /** For the log only. */
  readonly note?: string
  /** The name of the network, as the node that found a signature wrong has it. */
  readonly networkName?: string
  /** The name to sign for, as that node has it. */
  readonly signsFor?: string
  /** The number of the asked nodes that hold the command; undefined if several may hide behind the only address. */
  readonly nodes: { readonly holding: number; readonly asked: number } | undefined
}

export type CommandOutcome =
  | { readonly state: 'sent'; readonly outcome: 'accepted' | 'already-known'; readonly command: NodeCommand }
  | (NotSent & { readonly state: 'refused' })
  | (NotSent & {
      readonly state: 'unknown'
      /** True if a node may have taken what was sent. */
      readonly wasSent: boolean
    })

interface NotSent {
  readonly code: RefusalCode | 'timeout' | 'node-unreachable'
  /** The contract's text. */
  readonly error: string
  readonly nonces?: ExpectedNonces
  /** The ledger is past the command's nonce, so sending it again is useless. */
  readonly nonceIsUsed: boolean
}
