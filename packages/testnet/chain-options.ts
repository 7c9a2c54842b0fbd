import type { Network } from './signer.ts'

export interface ChainOptions {
  /** Determines all keys, all hashes and the history. */
  readonly seed: string
  /** Milliseconds since 1970; the only clock. */
  readonly now: () => number
  /** Duration of a slot and time between blocks. Default 10. */
  readonly blockSeconds?: number
  /** Default 40. */
  readonly slotsPerEpoch?: number
  /** Blocks at the start, the genesis block at height 1 included. Default 40. */
  readonly historyBlocks?: number
  /** Number of blocks of the best chain that the node holds. Default 30. */
  readonly frontierBlocks?: number
  /**
   * Number of blocks of the best chain that are kept, at least those of three epochs. Of older ones only the genesis
   * block and the activity of each key are kept. Default 20,000, about two days of the default block time and 100 MB.
   */
  readonly keptBlocks?: number
  /** Kind of signature. Default `testnet`. */
  readonly network?: Network
  /** The network's name, which on a private network is not its kind of signature. Default that kind. */
  readonly networkName?: string
  /**
   * True if the chain signs the commands it generates. Without signatures a block is built about ten times faster; command ids
   * then contain a placeholder. Default true.
   */
  readonly signsOwnCommands?: boolean
  /** Divides every balance of the genesis ledger, of some 10^18 nanomina in all. Default 1. */
  readonly supplyDivisor?: bigint
}
