// A command as the indexer lists it in a block, brought to the form that the contract and a node give it.
import type { BareCommand, UserCommand } from '../contract/user-command.ts'
import { indexerBusy, WireError } from '../upstream/errors.ts'
import {
  anyText,
  consistent,
  count,
  flag,
  hash,
  isoInstant,
  nanomina,
  nullable,
  shape,
  shortText,
  text,
  type Wire,
  type WireType,
} from '../upstream/wire.ts'
import { jsonInteger, minaTokenNumber } from './amounts.ts'
import { type EnclosingBlock, endOf, memoOfIndexer } from './command.ts'
import { type Exact, memberOf, printExactJson } from './exact-json.ts'
import { accountsUpdated, type IndexerZkapp, indexerZkapp, isIndexerZkapp, isUpdatedBy } from './indexer-zkapp.ts'

const commandFields = {
  amount: nanomina,
  failureReason: nullable(text),
  fee: nanomina,
  hash,
  isApplied: flag,
  kind: shortText,
  memo: anyText,
  nonce: count,
  receiver_account: nullable(shape({ publicKey: shortText })),
  sender: shortText,
  to: nullable(shortText),
}

/** The indexer gives the receiver under two names, and the failure in two fields: they must agree. */
const indexerCommand = consistent(
  shape(commandFields),
  ({ failureReason, isApplied, receiver_account, to }) =>
    isApplied === (failureReason === null) &&
    (receiver_account === null || to === null || receiver_account.publicKey === to),
)

export type IndexerCommand = Wire<typeof indexerCommand>

/** The fields of a command of any kind. */
const listedFields = { ...commandFields, zkapp: accountsUpdated }

/** The indexer lists zkApp commands among the others. Fields that mean nothing for a kind are not read. */
export const listedCommand: WireType<IndexerCommand | IndexerZkapp> = {
  selection: shape(listedFields).selection,
  read: (value, path, asked) =>
    (memberOf(value, 'kind') === 'ZKAPP' ? indexerZkapp : indexerCommand).read(value, path, asked),
}

/** A command's identity and its place in the chain. */
const placeFields = {
  block: shape({ dateTime: isoInstant, stateHash: hash }),
  blockHeight: count,
  canonical: flag,
  failureReason: nullable(text),
  hash,
  nonce: count,
  sender: shortText,
}

const placedCommand = shape(placeFields)

/** A command as the indexer lists it by itself. */
export type IndexedCommand = Wire<typeof placedCommand> & { readonly command: IndexerCommand | IndexerZkapp }

export const indexedCommand: WireType<IndexedCommand> = {
  selection: shape({ ...listedFields, ...placeFields }).selection,
  read: (value, path, asked) => ({
    ...placedCommand.read(value, path, asked),
    command: listedCommand.read(value, path, asked),
  }),
}

/** The block of a command, with the indexer's own view of it. */
export const blockOf = ({ block, blockHeight, canonical }: IndexedCommand) => ({
  blockHeight,
  canonical,
  stateHash: block.stateHash,
})

/** All that an indexer says of a command except its hash: by itself or in a block. */
function withoutHash({ hash: _, ...row }: IndexedCommand | IndexerCommand | IndexerZkapp): object {
  return 'command' in row ? { ...row, command: withoutHash(row.command) } : row
}

/**
 * The commands of one chain, each of them once. A sender uses a nonce once, so rows with the same sender and nonce are one
 * command, if the indexer has it under two hashes, or they contradict each other.
 *
 * @param rows canonical ones
 * @throws WireError `busy` for rows that differ in more than the hash
 */
export const eachOnce = <Row extends IndexedCommand | IndexerCommand | IndexerZkapp>(
  rows: readonly Row[],
): readonly Row[] =>
  [...Map.groupBy(rows, ({ nonce, sender }) => `${sender} ${nonce}`)].flatMap(([usedNonce, [first, ...others]]) => {
    if (first === undefined || others.length === 0) return first ?? []
    const [text, ...texts] = [first, ...others].map((row) => printExactJson(withoutHash(row)))
    if (texts.some((other) => other !== text)) throw indexerBusy(`the indexer has two commands of nonce ${usedNonce}`)
    return first
  })

/** True if the command pays to the key, delegates to it, or updates its account. */
export const isReceivedBy = ({ command }: IndexedCommand, publicKey: string): boolean =>
  isIndexerZkapp(command)
    ? isUpdatedBy(command, publicKey)
    : (command.receiver_account?.publicKey ?? command.to) === publicKey

/**
 * A command without the fields of its block (contract: UserCommand). The indexer does not know its id, so that key is absent.
 *
 * @throws WireError for a command without a receiver, or with an impossible memo
 */
export function commandFromIndexer(command: IndexerCommand): Exact<BareCommand> {
  const receiver = command.receiver_account?.publicKey ?? command.to
  if (receiver === null) throw new WireError('unreadable', `command ${command.hash}: no receiver`)
  return {
    amount: jsonInteger(command.amount),
    fee: jsonInteger(command.fee),
    feePayer: { publicKey: command.sender, token: minaTokenNumber },
    feeToken: minaTokenNumber,
    from: command.sender,
    fromAccount: { publicKey: command.sender, token: minaTokenNumber },
    hash: command.hash,
    isDelegation: command.kind === 'STAKE_DELEGATION',
    kind: command.kind,
    memo: memoOfIndexer(command.memo),
    nonce: command.nonce,
    receiver: { publicKey: receiver },
    source: { publicKey: command.sender },
    to: receiver,
    toAccount: { publicKey: receiver, token: minaTokenNumber },
    token: minaTokenNumber,
  }
}

/** A command of a block (contract: UserCommand). Throws as `commandFromIndexer`. */
export const userCommandFromIndexer = (command: IndexerCommand, block: EnclosingBlock): Exact<UserCommand> => ({
  ...block,
  ...commandFromIndexer(command),
  ...endOf(command.failureReason),
})
