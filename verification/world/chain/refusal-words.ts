// The messages with which the simulated daemons refuse a command.
import { refusals } from '../../../local/chain/pool/refusals.ts'
import { type HistoryCommand, signature } from '../broadcasts/signed-command.ts'

export type Reason =
  | { readonly kind: 'nonce'; readonly inferred: number; readonly ledger: number }
  /** Refused before the pool sees the command. */
  | { readonly kind: 'signature' | 'memo' | 'fee' }
  | { readonly kind: 'expired' | 'funds' | 'replace' | 'duplicate' | 'overloaded' | 'sender' | 'ledger' }

/** What a daemon's pool says before it has a ledger. Nothing was taken. */
const withoutLedger =
  "Couldn't send user command: (failure \"We don't have a transition frontier at the moment, so we're unable to verify any transactions.\")"

export function refusalWords(command: HistoryCommand, reason: Reason): string {
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
    case 'ledger':
      return withoutLedger
  }
}

/** What a daemon without a frontier says in place of a best chain, by its version. */
export const bootstrapWords = {
  bestChain: [
    'Could not obtain best chain from transition frontier',
    'Daemon is bootstrapping',
    'Daemon is bootstrapping',
  ],
  submission: [refusals.unknownSender, withoutLedger, 'Daemon is bootstrapping'],
} as const
