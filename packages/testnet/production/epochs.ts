// Epochs as in Mina's proof of stake: the ledger at the end of epoch e-2 decides who produces blocks in epoch e.
import type { ChainBlock, EpochData } from '../block.ts'
import { epochSeed, zeroStateHash } from '../hashes.ts'

/** The epoch of a block and its staking ledgers. */
export interface EpochState {
  readonly epoch: number
  readonly epochCount: number
  readonly stakingEpoch: EpochData
  readonly nextEpoch: EpochData
}

/** The epochs 0 and 1 both use the genesis ledger. */
export function genesisEpochs(ledgerHash: string, totalCurrency: bigint): EpochState {
  const data = { ledgerHash, totalCurrency, startCheckpoint: zeroStateHash, lockCheckpoint: zeroStateHash }
  return {
    epoch: 0,
    epochCount: 0,
    stakingEpoch: { ...data, seed: epochSeed(`${ledgerHash} 0`), epochLength: 1 },
    nextEpoch: { ...data, seed: epochSeed(`${ledgerHash} 1`), epochLength: 2 },
  }
}

/** Blocks of the first two thirds of an epoch change the seed of the next one. */
const changesSeed = (slotInEpoch: number, slotsPerEpoch: number): boolean => 3 * slotInEpoch < 2 * slotsPerEpoch

/**
 * The epoch state of a block on top of `parent`.
 *
 * @param slot since the genesis block of the latest hard fork
 */
export function nextEpochs(parent: ChainBlock, slot: number, slotsPerEpoch: number, vrfOutput: string): EpochState {
  const epoch = Math.floor(slot / slotsPerEpoch)
  const isNew = epoch > parent.epoch
  const next: EpochData = isNew
    ? {
        ledgerHash: parent.stagedLedgerHash,
        totalCurrency: parent.totalCurrency,
        seed: parent.nextEpoch.seed,
        startCheckpoint: parent.stateHash,
        lockCheckpoint: zeroStateHash,
        epochLength: 1,
      }
    : { ...parent.nextEpoch, epochLength: parent.nextEpoch.epochLength + 1 }
  return {
    epoch,
    epochCount: parent.epochCount + (isNew ? 1 : 0),
    stakingEpoch: isNew ? parent.nextEpoch : parent.stakingEpoch,
    nextEpoch: changesSeed(slot % slotsPerEpoch, slotsPerEpoch)
      ? { ...next, seed: epochSeed(`${next.seed} ${vrfOutput}`), lockCheckpoint: parent.stateHash }
      : next,
  }
}
