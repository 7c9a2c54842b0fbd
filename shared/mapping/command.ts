// A user command (payment or stake delegation) as the node reports it, and its two forms in the contract: numbers inside
// a block, strings in the answer to a broadcast; and its memo, which comes in as text.

import type { BroadcastResultCommand } from '../contract/command.ts'
import type { PendingCommand, UserCommand } from '../contract/user-command.ts'
import { WireError } from '../upstream/errors.ts'
import {
  commandId,
  consistent,
  count,
  type Fits,
  flag,
  hash,
  nanomina,
  nullable,
  shape,
  shortText,
  text,
  type Wire,
  type WireType,
} from '../upstream/wire.ts'
import { isMinaToken, jsonInteger, minaTokenNumber } from './amounts.ts'
import { decodeBase58Check, encodeBase58Check } from './base58check.ts'
import type { Exact } from './exact-json.ts'

/** A user command uses MINA alone. */
const token = /* @__PURE__ */ consistent(shortText, isMinaToken)

const tokenAccount = /* @__PURE__ */ shape({ publicKey: shortText, token })

const commandFields = {
  amount: nanomina,
  fee: nanomina,
  feePayer: tokenAccount,
  feeToken: token,
  from: shortText,
  fromAccount: tokenAccount,
  hash,
  id: commandId,
  isDelegation: flag,
  kind: shortText,
  memo: shortText,
  nonce: count,
  receiver: tokenAccount,
  source: tokenAccount,
  to: shortText,
  token,
  toAccount: tokenAccount,
}

export type NodeCommand = {
  readonly [Key in keyof typeof commandFields]: Wire<(typeof commandFields)[Key]>
}

const account = /* @__PURE__ */ shape({ publicKey: shortText })

/**
 * A command in a block or a pool. A node looks up every account that it shows, and ten full blocks have a thousand
 * commands: of five accounts only two are asked for, to check `from` and `to`.
 */
const listedFields = {
  amount: nanomina,
  fee: nanomina,
  feeToken: token,
  from: shortText,
  hash,
  id: commandId,
  isDelegation: flag,
  kind: shortText,
  memo: shortText,
  nonce: count,
  receiver: account,
  source: account,
  to: shortText,
  token,
}

export type ListedCommand = {
  readonly [Key in keyof typeof listedFields]: Wire<(typeof listedFields)[Key]>
}

/** True if the fields that repeat sender, receiver and kind agree with them. */
const agreesWithItself = (command: ListedCommand): boolean =>
  command.isDelegation === (command.kind === 'STAKE_DELEGATION') &&
  command.source.publicKey === command.from &&
  command.receiver.publicKey === command.to

const allAgree = (command: NodeCommand): boolean =>
  agreesWithItself(command) &&
  command.feePayer.publicKey === command.from &&
  command.fromAccount.publicKey === command.from &&
  command.toAccount.publicKey === command.to

/** The nonces of accounts in the ledger of a node's tip, by public key, as the payments and delegations in its pool show them. */
export const ledgerNoncesIn = (
  pooled: readonly { readonly from: string; readonly source: { readonly nonce: number | null } }[],
): ReadonlyMap<string, number> =>
  new Map(pooled.flatMap(({ from, source }) => (source.nonce === null ? [] : [[from, source.nonce]])))

/**
 * A command of a broadcast's answer with these fields too. The bundles leave out one that their function does not use.
 *
 * @__NO_SIDE_EFFECTS__
 */
const commandWith = <Fields extends Record<string, WireType<unknown>>>(fields: Fields) => {
  const command = shape({ ...commandFields, ...fields })
  return consistent(command, allAgree as Fits<Wire<typeof command>>)
}

/** Exactly the fields that the contract shows: a node refuses a mutation that selects a field it does not have. */
export const nodeCommand = commandWith({})

/** A command with its expiry, and so with all that its signature covers. */
export const expiringCommand = commandWith({ validUntil: count })

/**
 * The same of a block or a pool.
 *
 * @__NO_SIDE_EFFECTS__
 */
const listedWith = <Fields extends Record<string, WireType<unknown>>>(fields: Fields) => {
  const command = shape({ ...listedFields, ...fields })
  return consistent(command, agreesWithItself as Fits<Wire<typeof command>>)
}

/** A command of a pool. */
export const listedCommand = listedWith({})

/** Null for a command that was applied. */
const failureReason = /* @__PURE__ */ nullable(text)

/** A command of a block, with the reason if it failed: a node lists failed commands beside the applied ones. */
export const includedCommand = listedWith({ failureReason })

export type IncludedCommand = Wire<typeof includedCommand>

/** The sender of a pool's command, with its nonce in the ledger of the best tip; null if that has no such account. */
const source = /* @__PURE__ */ shape({ nonce: /* @__PURE__ */ nullable(count), publicKey: shortText })

export const queuedCommand = listedWith({ source })

/** The same in a pool or a block, with the reason if it failed. */
export const shownCommand = listedWith({ failureReason, validUntil: count })

export type ShownCommand = Wire<typeof shownCommand>

/** The same in a pool, with its sender's nonce in the ledger. */
export const shownInPool = listedWith({ source, failureReason, validUntil: count })

const minaAccount = (publicKey: string) => ({ publicKey, token: minaTokenNumber })

/**
 * The result of a broadcast (contract: Broadcast result command).
 *
 * @returns amounts in nanomina as text, token ids as the node reports them
 */
export const broadcastResultFromNode = (command: NodeCommand): Exact<BroadcastResultCommand> => ({
  amount: String(command.amount),
  fee: String(command.fee),
  feePayer: command.feePayer,
  feeToken: command.feeToken,
  from: command.from,
  fromAccount: command.fromAccount,
  hash: command.hash,
  id: command.id,
  isDelegation: command.isDelegation,
  kind: command.kind,
  memo: command.memo,
  nonce: command.nonce,
  receiver: command.receiver,
  source: command.source,
  to: command.to,
  token: command.token,
  toAccount: command.toAccount,
})

/** A command in the contract's numbers, as one literal: the thousand commands of ten full blocks are copied once. */
const commandBody = <Before extends object, After extends object>(
  before: Before,
  command: ListedCommand,
  after: After,
) => ({
  ...before,
  amount: jsonInteger(command.amount),
  fee: jsonInteger(command.fee),
  feePayer: minaAccount(command.from),
  feeToken: minaTokenNumber,
  from: command.from,
  fromAccount: minaAccount(command.from),
  hash: command.hash,
  id: command.id,
  isDelegation: command.isDelegation,
  kind: command.kind,
  memo: command.memo,
  nonce: command.nonce,
  receiver: { publicKey: command.to },
  source: { publicKey: command.from },
  to: command.to,
  toAccount: minaAccount(command.to),
  token: minaTokenNumber,
  ...after,
})

/**
 * A command that is in no block yet (contract: UserCommand less what its block says of it).
 *
 * @returns amounts in nanomina as numbers, 1 for the MINA token
 */
export const pendingCommandFromNode = (command: ListedCommand): Exact<PendingCommand> => commandBody({}, command, {})

/** The fields of its block that a command or a SNARK job shows. */
export interface EnclosingBlock {
  readonly blockHeight: number
  readonly blockStateHash: string
  /** ISO-8601 */
  readonly dateTime: string
}

/**
 * The result of a command in a block.
 *
 * @param failureReason in the words of the upstream; null for an applied command
 */
export const endOf = (
  failureReason: string | null,
): { readonly status: 'applied' } | { readonly status: 'failed'; readonly failureReason: string } =>
  failureReason === null ? { status: 'applied' } : { status: 'failed', failureReason }

/** A command of a block (contract: UserCommand); `failureReason` only if it failed. */
export const userCommandFromNode = (command: IncludedCommand, block: EnclosingBlock): Exact<UserCommand> =>
  commandBody(block, command, endOf(command.failureReason))

const memoVersion = 0x14
const bytesTag = 0x01
/** The most bytes of UTF-8 that a memo holds. */
export const maxMemoBytes = 32

/**
 * The memo as a node reports it (upstream facts: version 0x14, tag 1, length, 32 bytes filled up with zeros).
 *
 * @throws WireError for text that no memo can hold
 */
export function memoFromText(text: string): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > maxMemoBytes) throw new WireError('unreadable', `a memo of ${bytes.length} bytes`)
  const payload = new Uint8Array(3 + maxMemoBytes)
  payload.set([memoVersion, bytesTag, bytes.length, ...bytes])
  return encodeBase58Check(payload)
}

/** True for a memo in a node's form; its 53 characters are more than any memo's text has bytes. */
export const isEncodedMemo = (text: string): boolean => {
  const payload = decodeBase58Check(text)
  return payload?.length === 3 + maxMemoBytes && payload[0] === memoVersion
}

/**
 * The memo of an indexer's command in a node's form: one dialect has its text, the other that form already.
 *
 * @throws WireError for text that no memo can hold
 */
export const memoOfIndexer = (memo: string): string => (isEncodedMemo(memo) ? memo : memoFromText(memo))
