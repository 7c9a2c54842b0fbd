// Blocks in the mina-indexer's shape: most integers as numbers, a few amounts and times as text, memos decoded.
import { decodeBase58Check } from '../../../shared/mapping/base58check.ts'
import type { ChainBlock, EpochData } from '../block.ts'
import type { IncludedCommand, ZkappCommand } from '../command.ts'
import { minaToken } from '../ledger/ledger.ts'
import type { Ingested } from './ingested.ts'

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
const sum = (amounts: readonly bigint[]): string => String(amounts.reduce((total, amount) => total + amount, 0n))

/** A key with its display name. */
export const keyView = ({ username }: Ingested, publicKey: string) => ({ publicKey, username: username(publicKey) })

/** The 32 bytes after version and length. */
export const vrfOutputBytes = (vrfOutput: string): Uint8Array =>
  decodeBase58Check(vrfOutput)?.subarray(2) ?? new Uint8Array()

/** URL-safe, padded. */
const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_')

const epochView = ({ ledgerHash, totalCurrency, seed, startCheckpoint, lockCheckpoint, epochLength }: EpochData) => ({
  seed,
  epochLength,
  startCheckpoint,
  lockCheckpoint,
  ledger: { hash: ledgerHash, totalCurrency },
})

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

const consensusStateView = (block: ChainBlock, slotsPerEpoch: number) => ({
  totalCurrency: block.totalCurrency,
  blockchainLength: block.height,
  blockHeight: block.height,
  // A mina-indexer calls the epoch count `epoch`.
  epoch: block.epochCount,
  hasAncestorInSameCheckpointWindow: block.hasAncestorInSameCheckpointWindow,
  lastVrfOutput: () => base64(vrfOutputBytes(block.vrfOutput)),
  minWindowDensity: block.minWindowDensity,
  slot: block.slot % slotsPerEpoch,
  slotSinceGenesis: block.slot,
  nextEpochData: epochView(block.nextEpoch),
  stakingEpochData: epochView(block.stakingEpoch),
})

export function blockView(ingested: Ingested, block: ChainBlock) {
  const { username } = ingested
  const dateTime = isoTime(block.date)
  const snarkJobs = block.snarkJobs.map(({ prover, fee }) => ({
    blockStateHash: block.stateHash,
    blockHeight: block.height,
    dateTime,
    fee,
    prover,
    proverUsername: username(prover),
  }))
  return {
    canonical: ingested.isCanonical(block),
    stateHash: block.stateHash,
    blockHeight: block.height,
    globalSlotSinceGenesis: block.slot,
    genesisStateHash: ingested.genesisStateHash,
    dateTime,
    receivedTime: isoTime(block.receivedAt),
    creator: block.creator,
    creatorUsername: username(block.creator),
    creatorAccount: keyView(ingested, block.creator),
    winner: block.winner,
    winnerUsername: username(block.winner),
    winnerAccount: keyView(ingested, block.winner),
    coinbaseReceiver: block.coinbaseReceiver,
    coinbaseReceiverUsername: username(block.coinbaseReceiver),
    txFees: sum([...block.userCommands.map(({ command }) => command), ...block.zkappCommands].map(({ fee }) => fee)),
    snarkFees: sum(block.snarkJobs.map(({ fee }) => fee)),
    protocolState: {
      previousStateHash: block.previousStateHash,
      blockchainState: {
        date: String(block.date),
        utcDate: String(block.date),
        snarkedLedgerHash: block.snarkedLedgerHash,
        stagedLedgerHash: block.stagedLedgerHash,
      },
      consensusState: consensusStateView(block, ingested.slotsPerEpoch),
    },
    transactions: {
      coinbase: String(block.coinbase),
      coinbaseReceiver: block.coinbaseReceiver,
      coinbaseReceiverUsername: username(block.coinbaseReceiver),
      coinbaseReceiverAccount: keyView(ingested, block.coinbaseReceiver),
      feeTransfer: block.feeTransfers.map(({ fee, recipient, type }) => ({
        fee: String(fee),
        recipient,
        recipientUsername: username(recipient),
        type,
      })),
      userCommands: [
        ...block.userCommands.map((command) => commandView(ingested, block, command)),
        ...block.zkappCommands.map((command) => zkappCommandView(ingested, block, command)),
      ],
    },
    snarkJobs,
    block_num_snarks: snarkJobs.length,
    block_num_user_commands: block.userCommands.length + block.zkappCommands.length,
    block_num_zkapp_commands: block.zkappCommands.length,
  }
}
