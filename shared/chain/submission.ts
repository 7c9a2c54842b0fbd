// A signed command on its way to the nodes, and what became of it.
import type { CommandKind, SignedCommand } from '../broadcast/signed-command.ts'
import type { RefusalCode } from '../contract/broadcast-codes.ts'
import type { NodeCommand } from '../mapping/command.ts'
import type { ExpectedNonces } from '../upstream/node-errors.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Driver } from './driver.ts'

/** A mutation, its variables, and how to read its answer. */
export interface Submission<Data = unknown> {
  readonly kind: CommandKind
  readonly command: SignedCommand
  readonly mutation: Operation<Data>
  readonly variables: Readonly<Record<string, string | null>>
  /** The command in the mutation's answer. */
  commandOf(data: Data): NodeCommand
  /** The way in which it is sent: handed over by those who broadcast, so that only their bundles hold it. */
  procedure(submission: Submission<Data>, driver: Driver): Promise<Fate>
}

/** The outcome of a command. */
export type Fate = FateOfCommand & {
  /** For the log only. */
  readonly note?: string
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
