// A zkApp command as the indexer lists it, in a block or by itself. Its account updates come one by one, each before the
// calls that it makes, with the change that it declares: also for a command that failed (Granola-Team/mina-indexer,
// rust/src/command/signed/mod.rs, accounts_updated). The fee payer's fee is not among them.
import type { BareZkappCommand, ZkappCommand } from '../contract/zkapp-command.ts'
import {
  anyText,
  consistent,
  count,
  flag,
  hash,
  listOf,
  nanomina,
  nullable,
  shape,
  shortText,
  signedInteger,
  text,
  type Wire,
} from '../upstream/wire.ts'
import { jsonInteger } from './amounts.ts'
import { type EnclosingBlock, endOf, memoOfIndexer } from './command.ts'
import type { Exact } from './exact-json.ts'
import { changesOf, type DeclaredChange, type ShownZkapp } from './zkapp-command.ts'

const updates = shape({
  accounts_updated: listOf(shape({ balance_change: signedInteger, public_key: shortText, token: shortText })),
})

/** Null for a payment or delegation. */
export const accountsUpdated = nullable(updates)

/** The indexer reports a failure in two fields: they must agree. */
export const indexerZkapp = consistent(
  shape({
    failureReason: nullable(text),
    fee: nanomina,
    hash,
    isApplied: flag,
    kind: shortText,
    memo: anyText,
    nonce: count,
    sender: shortText,
    zkapp: updates,
  }),
  ({ failureReason, isApplied }) => isApplied === (failureReason === null),
)

export type IndexerZkapp = Wire<typeof indexerZkapp>

/** True for a zkApp command among others. */
export const isIndexerZkapp = (command: { readonly kind: string }): command is IndexerZkapp => command.kind === 'ZKAPP'

/** True if an account update of the command names the key. */
export const isUpdatedBy = ({ zkapp }: IndexerZkapp, publicKey: string): boolean =>
  zkapp.accounts_updated.some((update) => update.public_key === publicKey)

const declaredIn = ({ isApplied, zkapp }: IndexerZkapp): readonly DeclaredChange[] =>
  (isApplied ? zkapp.accounts_updated : []).map(({ balance_change, public_key, token }) => ({
    publicKey: public_key,
    tokenId: token,
    amount: balance_change,
    implicitAccountCreationFee: false,
  }))

/**
 * A zkApp command without the fields of its block (contract: BareZkappCommand). The indexer does not show which update
 * pays the fee for a new account, so that key is absent, and a sum of 0 is always left out.
 *
 * @returns amounts in nanomina, those of other tokens as text in their smallest units
 * @throws WireError for an impossible memo
 */
export function bareZkappFromIndexer(indexed: IndexerZkapp): ShownZkapp<Exact<BareZkappCommand>> {
  const { changes, cutFields } = changesOf(declaredIn(indexed))
  return {
    command: {
      ...changes,
      fee: jsonInteger(indexed.fee),
      feePayer: { publicKey: indexed.sender },
      hash: indexed.hash,
      kind: 'ZKAPP',
      memo: memoOfIndexer(indexed.memo),
      nonce: indexed.nonce,
    },
    cutFields,
  }
}

/**
 * A zkApp command of a block (contract: ZkappCommand), with the fields that it lacks, as paths below it: those that the
 * contract cannot show, and those that the indexer does not. Only an applied command can pay for a new account, and never
 * with another token. Throws as `bareZkappFromIndexer`.
 */
export function zkappCommandFromIndexer(indexed: IndexerZkapp, block: EnclosingBlock) {
  const { command, cutFields } = bareZkappFromIndexer(indexed)
  const shown: Exact<ZkappCommand> = { ...block, ...command, ...endOf(indexed.failureReason) }
  const unknownFields = [...cutFields, ...(indexed.isApplied ? ['balanceChanges.implicitAccountCreationFee'] : [])]
  return { command: shown, unknownFields }
}
