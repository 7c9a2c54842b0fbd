// A command of an account's history: what the account has to do with it, and its place among the others.
import type { AccountTransaction } from '../contract/account-history.ts'
import type { CursorBlock } from '../contract/forms.ts'
import type { UserCommand } from '../contract/user-command.ts'
import type { ZkappCommand } from '../contract/zkapp-command.ts'
import { jsonInteger } from '../mapping/amounts.ts'
import { type EnclosingBlock, type IncludedCommand, userCommandFromNode } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { type IndexedCommand, userCommandFromIndexer } from '../mapping/indexer-command.ts'
import { isIndexerZkapp, isUpdatedBy, zkappCommandFromIndexer } from '../mapping/indexer-zkapp.ts'
import { isoTime } from '../mapping/times.ts'
import { type NodeZkappCommand, zkappCommandFromNode } from '../mapping/zkapp-command.ts'

/** A command of the account in a block. */
export interface HistoryEntry {
  readonly height: number
  readonly stateHash: string
  /** All of the answer's item but its confirmations, which change with the tip. */
  readonly item: Omit<Exact<AccountTransaction>, 'confirmations' | 'final'>
  /** Fields that it lacks, as paths below the body: its upstream does not show them, or the contract cannot. */
  readonly unknownFields: readonly string[]
}

/** A block's commands as a node lists them. */
export interface CommandsOfBlock extends CursorBlock {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly userCommands: readonly IncludedCommand[]
  readonly zkappCommands: readonly NodeZkappCommand[]
}

const entryOf = (
  { height, stateHash }: CursorBlock,
  relation: Pick<HistoryEntry['item'], 'direction' | 'role' | 'amount'>,
  command: HistoryEntry['item']['command'],
  unknownFields: readonly string[] = [],
): HistoryEntry => {
  const block = { stateHash, blockHeight: height, dateTime: command.dateTime }
  return { height, stateHash, item: { command, ...relation, block }, unknownFields }
}

function directionOf({ from, to }: Pick<Exact<UserCommand>, 'from' | 'to'>, publicKey: string) {
  if (from !== publicKey) return { direction: 'received' } as const
  return { direction: to === publicKey ? 'self' : 'sent' } as const
}

/**
 * An entry of a zkApp command. Where its balance changes are cut, the key's own may be the one that is left out, so the
 * entry does not have their sum.
 *
 * @param isUpdated true if an account update of the command names the key, even one that changes no balance
 * @param lacking fields that the command lacks, as paths below it
 */
function zkappEntry(
  block: CursorBlock,
  command: Exact<ZkappCommand>,
  publicKey: string,
  isUpdated: boolean,
  lacking: readonly string[],
): HistoryEntry {
  const { balanceChanges, feePayer } = command
  const isCut = lacking.includes('balanceChanges')
  const sum = balanceChanges
    .filter((change) => change.publicKey === publicKey)
    .reduce((total, change) => total + BigInt(change.amount), 0n)
  const role = feePayer.publicKey !== publicKey ? 'updated' : isUpdated ? 'both' : 'payer'
  const unknownFields = lacking.map((field) => `transactions.command.${field}`)
  return entryOf(block, { role, ...(!isCut && { amount: jsonInteger(sum) }) }, command, [
    ...unknownFields,
    ...(isCut ? ['transactions.amount'] : []),
  ])
}

/** The commands of the account in a node's block. */
export function entriesOfBlock(block: CommandsOfBlock, publicKey: string): readonly HistoryEntry[] {
  const { height, stateHash, atMs, userCommands, zkappCommands } = block
  const enclosing: EnclosingBlock = { blockHeight: height, blockStateHash: stateHash, dateTime: isoTime(atMs) }
  const isUpdated = ({ zkappCommand }: NodeZkappCommand) =>
    zkappCommand.accountUpdates.some(({ body }) => body.publicKey === publicKey)
  const ofUsers = userCommands
    .filter(({ from, to }) => from === publicKey || to === publicKey)
    .map((command) => entryOf(block, directionOf(command, publicKey), userCommandFromNode(command, enclosing)))
  const ofZkapps = zkappCommands
    .filter((one) => one.zkappCommand.feePayer.body.publicKey === publicKey || isUpdated(one))
    .map((one) => {
      const { command, cutFields } = zkappCommandFromNode(one, enclosing)
      return zkappEntry(block, command, publicKey, isUpdated(one), cutFields)
    })
  return [...ofUsers, ...ofZkapps]
}

/**
 * A command of the account as an indexer lists it by itself.
 *
 * @throws WireError for a command without a receiver, or with an impossible memo
 */
export function entryOfRow(row: IndexedCommand, publicKey: string): HistoryEntry {
  const { block, blockHeight, command } = row
  const { stateHash } = block
  const place = { height: blockHeight, stateHash }
  const enclosing = { blockHeight, blockStateHash: stateHash, dateTime: isoTime(block.dateTime) }
  if (!isIndexerZkapp(command)) {
    const shown = userCommandFromIndexer(command, enclosing)
    return entryOf(place, directionOf(shown, publicKey), shown)
  }
  const { command: shown, unknownFields } = zkappCommandFromIndexer(command, enclosing)
  return zkappEntry(place, shown, publicKey, isUpdatedBy(command, publicKey), unknownFields)
}

const compare = <T extends number | string>(left: T, right: T): number => (left < right ? -1 : left > right ? 1 : 0)

/** The order of a history. The nonces of different senders mean nothing to each other, but give one order everywhere. */
export const newestFirst = (entries: readonly HistoryEntry[]): readonly HistoryEntry[] =>
  entries.toSorted(
    ({ height, item: { command } }, other) =>
      compare(other.height, height) ||
      compare(Number(other.item.command.nonce), Number(command.nonce)) ||
      compare(command.feePayer.publicKey, other.item.command.feePayer.publicKey) ||
      compare(command.hash, other.item.command.hash),
  )

/** The newest of them, as many as asked for and the rest of their last block. */
export function pageOf(entries: readonly HistoryEntry[], limit: number): readonly HistoryEntry[] {
  const last = entries[limit - 1]
  return last === undefined ? entries : entries.filter(({ height }) => height >= last.height)
}
