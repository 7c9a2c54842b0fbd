// A command of an account's history: its relation to the account, and its place among the others.
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

/** A command of the account in a block, by all that determines its place in the history. */
export interface HistoryEntry extends CursorBlock {
  readonly nonce: number
  readonly payer: string
  readonly hash: string
  /**
   * Most entries that are read are on no page.
   *
   * @throws WireError for a command without a receiver, or with an impossible memo
   */
  show(): ShownEntry
}

interface ShownEntry {
  /** All of the answer's item but its confirmations, which change with the tip. */
  readonly item: Omit<Exact<AccountTransaction>, 'confirmations' | 'final'>
  /** Fields that it lacks, as paths below the body: its upstream does not show them, or the contract cannot. */
  readonly unknownFields: readonly string[]
}

/** A block's commands as a node lists them. */
interface CommandsOfBlock extends CursorBlock {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly userCommands: readonly IncludedCommand[]
  readonly zkappCommands: readonly NodeZkappCommand[]
}

const shownEntry = (
  { height, stateHash }: CursorBlock,
  relation: Pick<ShownEntry['item'], 'direction' | 'role' | 'amount' | 'change'>,
  command: ShownEntry['item']['command'],
  unknownFields: readonly string[] = [],
): ShownEntry => {
  const block = { stateHash, blockHeight: height, dateTime: command.dateTime }
  return { item: { command, ...relation, hash: command.hash, block }, unknownFields }
}

/** The direction of a payment or delegation for the key, and the change in its balance. A failed command costs only its fee. */
function relationTo({ from, to, amount, fee, status }: Exact<UserCommand>, publicKey: string) {
  const [isSender, isReceiver] = [from === publicKey, to === publicKey]
  const moved = status === 'failed' ? 0n : BigInt(amount)
  const change = (isReceiver ? moved : 0n) - (isSender ? moved + BigInt(fee) : 0n)
  const direction = isSender ? (isReceiver ? 'self' : 'sent') : 'received'
  return { direction, change: jsonInteger(change) } as const
}

/**
 * An entry of a zkApp command. If its balance changes are cut, the key's own may be the one that is left out, so the
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
): ShownEntry {
  const { balanceChanges, fee, feePayer } = command
  const isCut = lacking.includes('balanceChanges')
  const sum = balanceChanges
    .filter((change) => change.publicKey === publicKey)
    .reduce((total, change) => total + BigInt(change.amount), 0n)
  const role = feePayer.publicKey !== publicKey ? 'updated' : isUpdated ? 'both' : 'payer'
  const unknownFields = lacking.map((field) => `transactions.command.${field}`)
  const change = role === 'updated' ? sum : sum - BigInt(fee)
  const known = !isCut && { amount: jsonInteger(sum), change: jsonInteger(change) }
  return shownEntry(block, { role, ...known }, command, [
    ...unknownFields,
    ...(isCut ? ['transactions.amount', 'transactions.change'] : []),
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
    .map((command) => ({
      height,
      stateHash,
      nonce: command.nonce,
      payer: command.from,
      hash: command.hash,
      show() {
        const shown = userCommandFromNode(command, enclosing)
        return shownEntry(block, relationTo(shown, publicKey), shown)
      },
    }))
  const ofZkapps = zkappCommands
    .filter((one) => one.zkappCommand.feePayer.body.publicKey === publicKey || isUpdated(one))
    .map((one) => {
      const { nonce, publicKey: payer } = one.zkappCommand.feePayer.body
      const show = () => {
        const { command, cutFields } = zkappCommandFromNode(one, enclosing)
        return zkappEntry(block, command, publicKey, isUpdated(one), cutFields)
      }
      return { height, stateHash, nonce, payer, hash: one.hash, show }
    })
  return [...ofUsers, ...ofZkapps]
}

/** A command of the account as an indexer lists it by itself. */
export function entryOfRow(row: IndexedCommand, publicKey: string): HistoryEntry {
  const { blockHeight: height, hash, nonce, sender: payer } = row
  const { stateHash } = row.block
  return { height, stateHash, nonce, payer, hash, show: () => shownRow(row, publicKey) }
}

function shownRow({ block, blockHeight, command }: IndexedCommand, publicKey: string): ShownEntry {
  const { stateHash } = block
  const header = { height: blockHeight, stateHash }
  const enclosing = { blockHeight, blockStateHash: stateHash, dateTime: isoTime(block.dateTime) }
  if (!isIndexerZkapp(command)) {
    const shown = userCommandFromIndexer(command, enclosing)
    return shownEntry(header, relationTo(shown, publicKey), shown)
  }
  const { command: shown, unknownFields } = zkappCommandFromIndexer(command, enclosing)
  return zkappEntry(header, shown, publicKey, isUpdatedBy(command, publicKey), unknownFields)
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The order of a history. The nonces of different senders mean nothing to each other, but give one order everywhere. */
export const newestFirst = (entries: readonly HistoryEntry[]): readonly HistoryEntry[] =>
  entries.toSorted(
    (left, right) =>
      right.height - left.height ||
      right.nonce - left.nonce ||
      compare(left.payer, right.payer) ||
      compare(left.hash, right.hash),
  )

/** The newest of them, as many as asked for and the rest of their last block. */
export function pageOf(entries: readonly HistoryEntry[], limit: number): readonly HistoryEntry[] {
  const last = entries[limit - 1]
  return last === undefined ? entries : entries.filter(({ height }) => height >= last.height)
}
