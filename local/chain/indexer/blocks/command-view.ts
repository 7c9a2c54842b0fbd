// Commands in the mina-indexer's shape: memos decoded, zkApp commands among the others.
import type { ChainBlock } from '../../block.ts'
import type { IncludedCommand, ZkappCommand } from '../../command.ts'
import { minaToken } from '../../ledger/ledger.ts'
import { keyView } from '../accounts.ts'
import type { Ingested } from '../ingested.ts'

function commandView(ingested: Ingested, block: ChainBlock, { command, failureReason }: IncludedCommand) {
  const { hash, kind, amount, fee, from, to, nonce, memo } = command
  return {
    hash,
    kind,
    amount,
    fee,
    from,
    sender: from,
    senderUsername: ingested.username(from),
    to,
    receiver: to,
    receiver_account: keyView(ingested, to),
    nonce,
    memo,
    isApplied: failureReason === null,
    failureReason,
    canonical: ingested.isCanonical(block),
    blockHeight: block.height,
    globalSlot: block.slot,
    tokens: [minaToken],
  }
}

/** Its receivers are in what it does, so it has none here. */
const zkappCommandView = (ingested: Ingested, block: ChainBlock, { hash, from, fee, nonce }: ZkappCommand) => ({
  hash,
  kind: 'ZKAPP',
  amount: 0n,
  fee,
  from,
  sender: from,
  senderUsername: ingested.username(from),
  to: null,
  receiver: null,
  receiver_account: null,
  nonce,
  memo: '',
  isApplied: true,
  failureReason: null,
  canonical: ingested.isCanonical(block),
  blockHeight: block.height,
  globalSlot: block.slot,
  tokens: [minaToken],
})

/** The commands of a block; its zkApp commands come last. */
export const commandViews = (ingested: Ingested, block: ChainBlock) => [
  ...block.userCommands.map((command) => commandView(ingested, block, command)),
  ...block.zkappCommands.map((command) => zkappCommandView(ingested, block, command)),
]
