// A block and its parts, as the chain stores them.
import type { IncludedCommand } from './command.ts'
import type { IncludedZkappCommand } from './zkapp-command.ts'

/** A fee paid to the creator or to a prover. Nanomina. */
export interface FeeTransfer {
  readonly recipient: string
  readonly fee: bigint
  readonly type: 'Fee_transfer' | 'Fee_transfer_via_coinbase'
}

/** Work bought from a prover: one or two statements. Nanomina. */
export interface SnarkJob {
  readonly prover: string
  readonly fee: bigint
  readonly workIds: readonly number[]
  /** The part of the block's diff that the job is in. Each part pays its provers. */
  readonly part: 1 | 2
}

/** The staking ledger of an epoch, in use or in preparation. */
export interface EpochData {
  readonly ledgerHash: string
  /** Nanomina. */
  readonly totalCurrency: bigint
  readonly seed: string
  /** State hash of the last block before the epoch. */
  readonly startCheckpoint: string
  /** State hash of the block before the last one that changed the seed. */
  readonly lockCheckpoint: string
  readonly epochLength: number
}

/** Amounts in nanomina, slots since genesis, times in milliseconds since 1970. */
export interface ChainBlock {
  readonly stateHash: string
  readonly previousStateHash: string
  /** 1 for the first genesis block; goes on over a hard fork. */
  readonly height: number
  readonly slot: number
  readonly epoch: number
  /** Epochs with at least one block; less than `epoch` once an epoch passed without one. */
  readonly epochCount: number
  /** Start of the block's slot. */
  readonly date: number
  /** When the node received the block. */
  readonly receivedAt: number
  readonly creator: string
  /** The account whose stake won the slot; it delegates to the creator. */
  readonly winner: string
  readonly coinbaseReceiver: string
  /** As a node reports it: 360 MINA also for the genesis block, which pays none. */
  readonly coinbase: bigint
  /** Null where no coinbase was paid. */
  readonly coinbaseReceiverAccount: string | null
  readonly userCommands: readonly IncludedCommand[]
  /** Applied after all user commands. */
  readonly zkappCommands: readonly IncludedZkappCommand[]
  readonly feeTransfers: readonly FeeTransfer[]
  /** Those of the first part first. */
  readonly snarkJobs: readonly SnarkJob[]
  /** All balances of the ledger after this block. */
  readonly totalCurrency: bigint
  readonly stagedLedgerHash: string
  /** The ledger before this block: here proofs are one block behind. */
  readonly snarkedLedgerHash: string
  readonly vrfOutput: string
  readonly minWindowDensity: number
  readonly hasAncestorInSameCheckpointWindow: boolean
  readonly stakingEpoch: EpochData
  readonly nextEpoch: EpochData
}
