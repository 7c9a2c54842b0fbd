// The commands of an account that wait in a pool, as its history shows them.
import type { AccountTransactions } from '../contract/account-history.ts'
import { maxPending } from '../contract/limits.ts'
import type { ListedCommand } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { bareZkappFromNode, type NodeZkappCommand } from '../mapping/zkapp-command.ts'
import { type BareCommand, bareUser } from './bare-commands.ts'

type Page = Exact<AccountTransactions>

/** The account's commands in a node's pool, and its nonce in the ledger of the same answer. */
interface Pooled {
  readonly ledger: { readonly nonce: number } | null
  readonly pooledUserCommands: readonly ListedCommand[]
  readonly pooledZkappCommands: readonly NodeZkappCommand[]
}

/**
 * The commands in the node's pool that wait, by their nonces from the highest down, then by their hashes. One below the ledger's
 * nonce can no longer be included: the chain holds it, or another one with its nonce.
 */
export function pendingIn({ ledger, pooledUserCommands, pooledZkappCommands }: Pooled): readonly BareCommand[] {
  return [...pooledUserCommands.map(bareUser), ...pooledZkappCommands.map(bareZkappFromNode)]
    .filter(({ command }) => Number(command.nonce) >= (ledger?.nonce ?? 0))
    .toSorted(
      ({ command: left }, { command: right }) =>
        Number(right.nonce) - Number(left.nonce) || (left.hash < right.hash ? -1 : 1),
    )
}

/**
 * The waiting commands on a first page, as many as it has room for, and the paths of the fields that it lacks. The page's
 * own commands are in a block.
 */
export function pendingBeside(
  given: readonly { readonly hash: string }[],
  pending: readonly BareCommand[],
): { readonly body: Pick<Page, 'pending' | 'pendingCount'>; readonly cutFields: readonly string[] } {
  const hashes = new Set(given.map(({ hash }) => hash))
  const waiting = pending.filter(({ command }) => !hashes.has(command.hash))
  const listed = waiting.slice(0, maxPending)
  const isCut = listed.length < waiting.length
  return {
    body: {
      pending: listed.map(({ command }) => ({ command, hash: command.hash, change: 0 })),
      ...(isCut && { pendingCount: waiting.length }),
    },
    cutFields: listed.flatMap(({ cutFields }) => cutFields).map((field) => `pending.command.${field}`),
  }
}
