// The messages with which the simulated nodes refuse a command: the OCaml daemon's or the Rust node's.
import { refusals } from '../../../local/chain/pool/refusals.ts'
import { type HistoryCommand, signature } from '../signed-command.ts'

export type Reason =
  | { readonly kind: 'nonce'; readonly inferred: number; readonly ledger: number }
  /** Refused before the pool sees the command. */
  | { readonly kind: 'signature' | 'memo' | 'fee' }
  | { readonly kind: 'expired' | 'funds' | 'replace' | 'duplicate' | 'overloaded' | 'sender' }

export type Dialect = 'ocaml' | 'rust'

/** The reasons that follow the node's message. */
const rustNames = {
  nonce: 'InvalidNonce',
  expired: 'Expired',
  funds: 'InsufficientFunds',
  replace: 'InsufficientReplaceFee',
  duplicate: 'Duplicate',
  overloaded: 'Overloaded',
  sender: 'FeePayerAccountNotFound',
} as const

function daemonWords(command: HistoryCommand, reason: Reason): string {
  switch (reason.kind) {
    case 'nonce':
      return refusals.nonce(command, signature, reason.inferred, reason.ledger)
    case 'signature':
      return refusals.signature(command, signature)
    case 'memo':
      return refusals.memo
    case 'fee':
      return refusals.fee(command.fee)
    case 'sender':
      return refusals.unknownSender
    case 'expired':
      return refusals.pool('Expired')
    case 'funds':
      return refusals.pool('Insufficient_funds')
    case 'replace':
      return refusals.pool('Insufficient_replace_fee')
    case 'duplicate':
      return 'Couldn\'t send user command: ["Duplicate"]'
    case 'overloaded':
      return 'Couldn\'t send user command: ["Overloaded"]'
  }
}

/** The message of a node of this dialect. */
export function refusalWords(dialect: Dialect, command: HistoryCommand, reason: Reason): string {
  const isBeforePool = reason.kind === 'memo' || reason.kind === 'fee' || reason.kind === 'signature'
  if (dialect === 'ocaml' || isBeforePool) return daemonWords(command, reason)
  return `Transaction rejected: ${rustNames[reason.kind]}`
}
