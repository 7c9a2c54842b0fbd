// Converts an account's commands, as node and indexer send them, into entries of its history.
import { at } from '../../exact-json.ts'
import { heightOf } from '../bodies/block-bodies.ts'
import { includedCommand } from '../bodies/commands.ts'
import { commandOf, isZkapp, zkappCommandOf } from '../bodies/old-block-body.ts'
import { includedZkapp, isCut } from '../bodies/zkapp-commands.ts'
import { flag, integer, isoTime, list, text } from '../sent/values.ts'

export interface Entry {
  readonly height: bigint
  readonly stateHash: string
  readonly nonce: bigint
  readonly sender: string
  readonly hash: string
  /** The answer's item, without its confirmations. */
  readonly item: object
  /** Fields of the command that no upstream has. */
  readonly missing: readonly string[]
}

interface Place {
  readonly blockHeight: bigint
  readonly blockStateHash: string
  readonly dateTime: string
}

function entryOf(
  { blockHeight, blockStateHash, dateTime }: Place,
  payer: unknown,
  command: { readonly hash: string },
  relation: object,
  missing: readonly string[] = [],
): Entry {
  const block = { stateHash: blockStateHash, blockHeight, dateTime }
  return {
    ...{ height: blockHeight, stateHash: blockStateHash, hash: command.hash, missing },
    ...{ nonce: integer(payer, 'nonce'), sender: text(at(payer, 'publicKey') ?? at(payer, 'from')) },
    item: { command, ...relation, block },
  }
}

/** @param hidden fields that an indexer does not know */
function userEntry(command: unknown, key: string, place: Place, hidden: { id?: undefined } = {}): readonly Entry[] {
  const [isSent, isReceived] = [text(command, 'from') === key, text(command, 'to') === key]
  if (!isSent && !isReceived) return []
  const direction = isSent && isReceived ? 'self' : isSent ? 'sent' : 'received'
  return [entryOf(place, command, { ...includedCommand(command, place), ...hidden }, { direction })]
}

function zkappEntry(command: unknown, key: string, place: Place, missing: readonly string[] = []): readonly Entry[] {
  const updates = list(command, 'zkappCommand', 'accountUpdates')
  const payer = at(command, 'zkappCommand', 'feePayer', 'body')
  const isUpdated = updates.some((update) => at(update, 'body', 'publicKey') === key)
  const isPayer = at(payer, 'publicKey') === key
  if (!isUpdated && !isPayer) return []
  const body = includedZkapp(command, place)
  const isUnsummed = isCut(command)
  const amount = body.balanceChanges
    .filter(({ publicKey }) => publicKey === key)
    .reduce((sum, change) => sum + BigInt(change.amount), 0n)
  const role = isPayer && isUpdated ? 'both' : isPayer ? 'payer' : 'updated'
  if (!isUnsummed) return [entryOf(place, payer, body, { role, amount }, missing)]
  const unsummed = ['transactions.command.balanceChanges', 'transactions.amount']
  return [entryOf(place, payer, body, { role }, [...missing, ...unsummed])]
}

/**
 * The account's commands in a node's block.
 *
 * @throws RangeError or TypeError for a value that the contract cannot represent
 */
export function entriesOfBlock(block: unknown, key: string): readonly Entry[] {
  const dateTime = isoTime(integer(block, 'protocolState', 'blockchainState', 'date'))
  const place = { blockHeight: heightOf(block), blockStateHash: text(block, 'stateHash'), dateTime }
  return [
    ...list(block, 'transactions', 'userCommands').flatMap((command) => userEntry(command, key, place)),
    ...list(block, 'transactions', 'zkappCommands').flatMap((command) => zkappEntry(command, key, place)),
  ]
}

/**
 * The account's command in an indexer's row; empty if the command does not involve the account.
 *
 * @throws RangeError or TypeError for a value that the contract cannot represent
 */
export function entryOfRow(row: unknown, key: string): readonly Entry[] {
  const dateTime = new Date(text(row, 'block', 'dateTime')).toISOString()
  const place = { blockHeight: integer(row, 'blockHeight'), blockStateHash: text(row, 'block', 'stateHash'), dateTime }
  if (!isZkapp(row)) return userEntry(commandOf(row), key, place, { id: undefined })
  const missing = flag(row, 'isApplied') ? ['transactions.command.balanceChanges.implicitAccountCreationFee'] : []
  return zkappEntry(zkappCommandOf(row), key, place, missing)
}

const descending = <T extends bigint | string>(left: T, right: T): number => (left > right ? -1 : left < right ? 1 : 0)

/** Height and nonce descend; sender and hash, which break ties, ascend. */
export const newestFirst = (entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted(
    (left, right) =>
      descending(left.height, right.height) ||
      descending(left.nonce, right.nonce) ||
      descending(right.sender, left.sender) ||
      descending(right.hash, left.hash),
  )
