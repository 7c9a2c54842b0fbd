// A zkApp command: what identifies it, which the searches for a nonce read, and the whole of it as the contract shows it.
// Authorizations are never read: a proof has tens of kilobytes.
import type { BareZkappCommand, ZkappCommand } from '../contract/zkapp-command.ts'
import {
  count,
  flag,
  hash,
  listOf,
  nanomina,
  negation,
  nullable,
  shape,
  shortText,
  text,
  type Wire,
} from '../upstream/wire.ts'
import { fitsInt64, isMinaToken, jsonInteger } from './amounts.ts'
import { type EnclosingBlock, endOf } from './command.ts'
import type { Exact } from './exact-json.ts'

/** Null for an applied command; a null item, or one without a failure, is an account update that did not fail. */
const failureReason = nullable(listOf(nullable(shape({ failures: listOf(text) }))))

const accountUpdate = shape({
  body: shape({
    balanceChange: shape({ magnitude: nanomina, sgn: negation }),
    implicitAccountCreationFee: flag,
    publicKey: shortText,
    tokenId: shortText,
  }),
})

/** A zkApp command of a block or a pool, in which none has failed yet. */
export const nodeZkappCommand = shape({
  failureReason,
  hash,
  zkappCommand: shape({
    accountUpdates: listOf(accountUpdate),
    feePayer: shape({ body: shape({ fee: nanomina, nonce: count, publicKey: shortText }) }),
    memo: shortText,
  }),
})

export type NodeZkappCommand = Wire<typeof nodeZkappCommand>

/** @returns the failures of all its account updates as one text, each named once; null for a command that was applied */
export function failureOfZkapp({ failureReason: updates }: Pick<NodeZkappCommand, 'failureReason'>): string | null {
  const failures = (updates ?? []).flatMap((update) => update?.failures ?? [])
  return failures.length === 0 ? null : [...new Set(failures)].join(', ')
}

/** The change that one account update declares. */
export interface DeclaredChange {
  readonly publicKey: string
  readonly tokenId: string
  /** With its sign: nanomina, or the smallest units of another token. */
  readonly amount: bigint
  readonly implicitAccountCreationFee: boolean
}

/**
 * The declared changes of each account as one, in the order in which the updates name the accounts. A sum of 0 is left
 * out, unless the fee for a new account may come off it.
 */
function sumsOf(declared: readonly DeclaredChange[]): readonly DeclaredChange[] {
  const sums = new Map<string, DeclaredChange>()
  for (const change of declared) {
    const account = `${change.publicKey} ${change.tokenId}`
    const sum = sums.get(account)
    sums.set(account, {
      ...change,
      amount: (sum?.amount ?? 0n) + change.amount,
      implicitAccountCreationFee: (sum?.implicitAccountCreationFee ?? false) || change.implicitAccountCreationFee,
    })
  }
  return [...sums.values()].filter(
    ({ amount, implicitAccountCreationFee }) => amount !== 0n || implicitAccountCreationFee,
  )
}

/** The change with its amount in the form of its list. */
const shownChange = <Amount>({ publicKey, tokenId, implicitAccountCreationFee }: DeclaredChange, amount: Amount) => ({
  publicKey,
  tokenId,
  amount,
  ...(implicitAccountCreationFee && { implicitAccountCreationFee }),
})

/** A command, with the paths of those of its fields that the contract cannot show in full. */
export interface ShownZkapp<Command> {
  readonly command: Command
  readonly cutFields: readonly string[]
}

/**
 * The declared changes: of MINA, without the sums that the contract's numbers cannot hold, and of other tokens. No chain has
 * so much MINA, but a command that waits may declare it.
 */
export function changesOf(declared: readonly DeclaredChange[]) {
  const sums = sumsOf(declared)
  const ofMina = sums.filter(({ tokenId }) => isMinaToken(tokenId))
  const fitting = ofMina.filter(({ amount }) => fitsInt64(amount))
  return {
    changes: {
      balanceChanges: fitting.map((sum) => shownChange(sum, jsonInteger(sum.amount))),
      tokenChanges: sums
        .filter(({ tokenId }) => !isMinaToken(tokenId))
        .map((sum) => shownChange(sum, String(sum.amount))),
    },
    cutFields: fitting.length < ofMina.length ? ['balanceChanges'] : [],
  }
}

const declaredBy = ({ body }: Wire<typeof accountUpdate>): DeclaredChange => {
  const { magnitude, sgn: isNegative } = body.balanceChange
  return {
    publicKey: body.publicKey,
    tokenId: body.tokenId,
    amount: isNegative ? -magnitude : magnitude,
    implicitAccountCreationFee: body.implicitAccountCreationFee,
  }
}

/** The declared changes of a command. One that failed changes only its fee payer's balance, by the fee. */
const declaredIn = (command: NodeZkappCommand): readonly DeclaredChange[] =>
  failureOfZkapp(command) === null ? command.zkappCommand.accountUpdates.map(declaredBy) : []

/**
 * A zkApp command without the fields of its block (contract: BareZkappCommand).
 *
 * @returns amounts in nanomina, those of other tokens as text in their smallest units
 */
export function bareZkappFromNode(command: NodeZkappCommand): ShownZkapp<Exact<BareZkappCommand>> {
  const { feePayer, memo } = command.zkappCommand
  const { changes, cutFields } = changesOf(declaredIn(command))
  return {
    command: {
      ...changes,
      fee: jsonInteger(feePayer.body.fee),
      feePayer: { publicKey: feePayer.body.publicKey },
      hash: command.hash,
      kind: 'ZKAPP',
      memo,
      nonce: feePayer.body.nonce,
    },
    cutFields,
  }
}

/** A zkApp command of a block (contract: ZkappCommand); `failureReason` only if it failed. */
export function zkappCommandFromNode(node: NodeZkappCommand, block: EnclosingBlock): ShownZkapp<Exact<ZkappCommand>> {
  const { command, cutFields } = bareZkappFromNode(node)
  return { command: { ...block, ...command, ...endOf(failureOfZkapp(node)) }, cutFields }
}
