// The words with which the model's nodes refuse: the OCaml daemon's or the Rust node's.
import { refusals } from '../../../local/chain/pool/refusals.ts'
import { type HistoryCommand, signature } from '../signed-command.ts'

export type Reason =
  | { readonly kind: 'nonce'; readonly inferred: number; readonly ledger: number }
  /** Checked before the pool is asked. */
  | { readonly kind: 'signature' | 'memo' | 'fee' }
  | { readonly kind: 'expired' | 'funds' | 'replace' | 'duplicate' | 'overloaded' | 'sender' }

export type Dialect = 'ocaml' | 'rust'

/** As the port hands them on: the node's message, then the reason that it lists beside. */
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

/** What a node of the dialect says. */
export function refusalWords(dialect: Dialect, command: HistoryCommand, reason: Reason): string {
  const isBeforePool = reason.kind === 'memo' || reason.kind === 'fee' || reason.kind === 'signature'
  if (dialect === 'ocaml' || isBeforePool) return daemonWords(command, reason)
  return `Transaction rejected: ${rustNames[reason.kind]}`
}
