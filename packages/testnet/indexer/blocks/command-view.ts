// Commands in the mina-indexer's shape: memos decoded, zkApp commands among the others.
import type { ChainBlock } from '../../block.ts'
import type { IncludedCommand } from '../../command.ts'
import { minaText } from '../../pool/refusals.ts'
import { type AccountUpdate, type IncludedZkappCommand, minaToken } from '../../zkapp-command.ts'
import type { Ingested } from '../ingested.ts'

const commandView = ({ command, failureReason }: IncludedCommand) => {
  const { hash, kind, amount, fee, from, to, nonce, memo } = command
  return {
    hash,
    kind,
    amount,
    fee,
    from,
    sender: from,
    to,
    receiver_account: { publicKey: to },
    nonce,
    memo,
    isApplied: failureReason === null,
    failureReason,
    zkapp: null,
    tokens: [minaToken],
  }
}

/** A token's amount as the indexer prints it in whole units: `-1.1`, without zeros at its end. */
function wholeUnits(amount: bigint): string {
  const text = minaText(amount < 0n ? -amount : amount)
  return amount < 0n ? `-${text}` : text
}

/** One row for each update, in their order, without the fee; declared ones where the command failed, too. */
const tokenAccountView = ({ publicKey, tokenId, balanceChange }: AccountUpdate) => ({
  pk: publicKey,
  public_key: publicKey,
  token: tokenId,
  symbol: tokenId === minaToken ? 'MINA' : '',
  balance_change: balanceChange,
  balance_change_str: wholeUnits(balanceChange),
  increment_nonce: false,
})

/** The indexer takes the first updated account for the receiver. Of the failures it names the first account update's. */
function zkappCommandView({ hash, from, fee, nonce, memo, updates, failures }: IncludedZkappCommand) {
  const receiver = updates[0]?.publicKey ?? null
  return {
    hash,
    kind: 'ZKAPP',
    amount: 0n,
    fee,
    from,
    sender: from,
    to: receiver,
    receiver_account: receiver === null ? null : { publicKey: receiver },
    nonce,
    memo,
    isApplied: failures === null,
    failureReason: failures?.at(-1)?.failures[0] ?? null,
    zkapp: { accounts_updated: updates.map(tokenAccountView), actions: [], events: [] },
    tokens: [...new Set(updates.map(({ tokenId }) => tokenId))],
  }
}

/** The commands of a block; its zkApp commands come last. */
export function commandViews(ingested: Ingested, block: ChainBlock) {
  const ofBlock = { canonical: ingested.isCanonical(block), blockHeight: block.height, globalSlot: block.slot }
  return [...block.userCommands.map(commandView), ...block.zkappCommands.map(zkappCommandView)].map((command) => ({
    ...command,
    ...ofBlock,
  }))
}
