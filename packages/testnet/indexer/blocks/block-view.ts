// Blocks in the mina-indexer's shape: most integers as numbers, a few amounts and times as text.
import type { ChainBlock, FeeTransfer } from '../../block.ts'
import { sorted } from '../arguments.ts'
import type { Ingested } from '../ingested.ts'
import { commandViews } from './command-view.ts'
import { isBeforeBerkeley, protocolStateView } from './protocol-state.ts'

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

const sumOf = (paid: readonly { readonly fee: bigint }[]): string =>
  String(paid.reduce((sum, { fee }) => sum + fee, 0n))

/** Before Berkeley the coinbase receiver's entry is gross: what the others get is still in it. */
function transfersIn(ingested: Ingested, { feeTransfers, coinbaseReceiver: recipient }: ChainBlock) {
  const others = feeTransfers.filter((transfer) => transfer.type === 'Fee_transfer' && transfer.recipient !== recipient)
  if (!isBeforeBerkeley(ingested) || others.length === 0) return feeTransfers
  const fee = others.reduce((total, other) => total + other.fee, 0n)
  return [...feeTransfers, { type: 'Fee_transfer', recipient, fee } as const]
}

/** One row for each recipient, the transfers via coinbase first, then by fee and key. */
function feeTransferViews(ingested: Ingested, block: ChainBlock) {
  const merged = new Map<string, FeeTransfer>()
  for (const transfer of transfersIn(ingested, block)) {
    const key = `${transfer.type} ${transfer.recipient}`
    merged.set(key, { ...transfer, fee: transfer.fee + (merged.get(key)?.fee ?? 0n) })
  }
  const byFee = sorted(
    [...merged.values()],
    '_ASC',
    ({ fee }) => fee,
    ({ recipient }) => recipient,
  )
  const [direct, viaCoinbase] = [true, false].map((isDirect) =>
    byFee.filter(({ type }) => (type === 'Fee_transfer') === isDirect),
  )
  return [...(viaCoinbase ?? []), ...(direct ?? [])].map(({ fee, recipient, type }) => ({
    fee: String(fee),
    recipient,
    type,
  }))
}

export const blockView = (ingested: Ingested, block: ChainBlock) => ({
  canonical: ingested.isCanonical(block),
  stateHash: block.stateHash,
  blockHeight: block.height,
  block_num_snarks: block.snarkJobs.length,
  // ZkApp commands too.
  block_num_user_commands: block.userCommands.length + block.zkappCommands.length,
  block_num_zkapp_commands: block.zkappCommands.length,
  genesisStateHash: ingested.genesisOf(block).stateHash,
  dateTime: isoTime(block.date),
  receivedTime: isoTime(block.receivedAt),
  creator: block.creator,
  winner: block.winner,
  coinbaseReceiver: block.coinbaseReceiver,
  txFees: sumOf([...block.userCommands.map(({ command }) => command), ...block.zkappCommands]),
  snarkFees: sumOf(block.snarkJobs),
  protocolState: protocolStateView(ingested, block),
  transactions: {
    coinbase: String(block.coinbase),
    feeTransfer: feeTransferViews(ingested, block),
    userCommands: commandViews(ingested, block),
  },
  // A mina-indexer reads the second part of a block's diff first.
  snarkJobs: block.snarkJobs
    .toSorted((left, right) => right.part - left.part)
    .map(({ prover, fee }) => ({ fee, prover })),
})
