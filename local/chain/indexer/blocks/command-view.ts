// Commands in the mina-indexer's shape: memos decoded, zkApp commands among the others.
import type { ChainBlock } from '../../block.ts'
import type { IncludedCommand } from '../../command.ts'
import type { ZkappCommand } from '../../zkapp-command.ts'
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
  }
}

/** A zkApp command has no single receiver. Of its failures the indexer names the first account update's first. */
const zkappCommandView = ({ hash, from, fee, nonce, failures }: ZkappCommand) => ({
  hash,
  kind: 'ZKAPP',
  amount: 0n,
  fee,
  from,
  sender: from,
  to: null,
  receiver_account: null,
  nonce,
  memo: '',
  isApplied: failures === null,
  failureReason: failures?.at(-1)?.failures[0] ?? null,
})

/** The commands of a block; its zkApp commands come last. */
export function commandViews(ingested: Ingested, block: ChainBlock) {
  const ofBlock = { canonical: ingested.isCanonical(block), blockHeight: block.height }
  return [...block.userCommands.map(commandView), ...block.zkappCommands.map(zkappCommandView)].map((command) => ({
    ...command,
    ...ofBlock,
  }))
}
