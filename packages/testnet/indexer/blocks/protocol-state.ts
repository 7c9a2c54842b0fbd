// The protocol state of a block in the mina-indexer's shape, with the fields that it has wrong.
import { sha256 } from '@noble/hashes/sha2.js'
import { decodeBase58Check } from '../../../../shared/mapping/base58check.ts'
import type { ChainBlock, EpochData } from '../../block.ts'
import { ledgerHash } from '../../hashes.ts'
import type { Ingested } from '../ingested.ts'

/** On mainnet's chain before the Berkeley fork, whose block files a mina-indexer reads by other rules. */
export const isBeforeBerkeley = ({ genesisStateHash }: Ingested): boolean =>
  genesisStateHash === '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'

/** The 32 bytes after version and length. */
export const vrfOutputBytes = (vrfOutput: string): Uint8Array =>
  decodeBase58Check(vrfOutput)?.subarray(2) ?? new Uint8Array()

/** URL-safe, padded. */
const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_')

/** 32 bytes, but for the genesis block of a hard fork all that its base58check text holds, the checksum too. */
function lastVrfOutput({ vrfOutput }: ChainBlock, isGenesis: boolean): string {
  if (!isGenesis) return base64(vrfOutputBytes(vrfOutput))
  const payload = decodeBase58Check(vrfOutput) ?? new Uint8Array()
  return base64(Uint8Array.from([...payload, ...sha256(sha256(payload)).subarray(0, 4)]))
}

/** @param epochLength a mina-indexer reports that of the next epoch for both */
const epochView = (epochLength: number, { ledgerHash: hash, totalCurrency, ...epoch }: EpochData) => ({
  seed: epoch.seed,
  epochLength,
  startCheckpoint: epoch.startCheckpoint,
  lockCheckpoint: epoch.lockCheckpoint,
  ledger: { hash, totalCurrency },
})

/**
 * Since Berkeley a mina-indexer reports the left connecting ledger, which only the genesis block has in common with its
 * snarked ledger. This chain has no proofs and so no connecting ledger: any other hash stands for it.
 */
const snarkedLedgerHash = (ingested: Ingested, { snarkedLedgerHash: hash }: ChainBlock, isGenesis: boolean): string =>
  isGenesis || isBeforeBerkeley(ingested) ? hash : ledgerHash(`connecting ${hash}`)

const consensusStateView = (block: ChainBlock, slotInEpoch: number, isGenesis: boolean) => ({
  totalCurrency: block.totalCurrency,
  blockchainLength: block.height,
  blockHeight: block.height,
  // A mina-indexer calls the epoch count `epoch`.
  epoch: block.epochCount,
  hasAncestorInSameCheckpointWindow: block.hasAncestorInSameCheckpointWindow,
  lastVrfOutput: () => lastVrfOutput(block, isGenesis),
  minWindowDensity: block.minWindowDensity,
  slot: slotInEpoch,
  slotSinceGenesis: block.slot,
  nextEpochData: epochView(block.nextEpoch.epochLength, block.nextEpoch),
  stakingEpochData: epochView(block.nextEpoch.epochLength, block.stakingEpoch),
})

export function protocolStateView(ingested: Ingested, block: ChainBlock) {
  const sinceGenesis = block.slot - ingested.genesisOf(block).slot
  const isGenesis = sinceGenesis === 0
  return {
    previousStateHash: block.previousStateHash,
    blockchainState: {
      date: String(block.date),
      utcDate: String(block.date),
      snarkedLedgerHash: () => snarkedLedgerHash(ingested, block, isGenesis),
      stagedLedgerHash: block.stagedLedgerHash,
    },
    consensusState: consensusStateView(block, sinceGenesis % ingested.slotsPerEpoch, isGenesis),
  }
}
