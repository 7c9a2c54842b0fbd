// Accounts in the mina-indexer's shape, with the activity of their keys in all blocks, abandoned ones too.
import type { ChainBlock } from '../block.ts'
import { type Account, minaToken, type Timing } from '../ledger/ledger.ts'
import type { Ingested } from './ingested.ts'

const count = <T>(items: readonly T[], fits: (item: T) => boolean): number =>
  items.reduce((sum, item) => sum + (fits(item) ? 1 : 0), 0)

/**
 * Counts the blocks that a key made, the jobs it proved, and the commands it sent or received, failed ones too. A
 * command in two blocks counts twice, a command from a key to itself once.
 *
 * @param isInEpoch the blocks that the `pk_epoch_*` fields count
 */
export function activityView(
  blocks: readonly ChainBlock[],
  publicKey: string,
  isInEpoch: (block: ChainBlock) => boolean,
) {
  const proven = ({ snarkJobs }: ChainBlock) => count(snarkJobs, ({ prover }) => prover === publicKey)
  const commands = ({ userCommands }: ChainBlock) =>
    count(userCommands, ({ command: { from, to } }) => from === publicKey || to === publicKey)
  const made = ({ creator }: ChainBlock) => (creator === publicKey ? 1 : 0)
  const inAll = (part: (block: ChainBlock) => number) => () => blocks.reduce((sum, block) => sum + part(block), 0)
  const inEpoch = (part: (block: ChainBlock) => number) => inAll((block) => (isInEpoch(block) ? part(block) : 0))
  return {
    pk_epoch_num_blocks: inEpoch(made),
    pk_total_num_blocks: inAll(made),
    pk_epoch_num_snarks: inEpoch(proven),
    pk_total_num_snarks: inAll(proven),
    pk_epoch_num_user_commands: inEpoch(commands),
    pk_total_num_user_commands: inAll(commands),
  }
}

/** @returns null for an account without time lock */
export const timingView = (timing: Timing | null) =>
  timing && {
    cliff_amount: timing.cliffAmount,
    cliff_time: timing.cliffTime,
    initial_minimum_balance: timing.initialMinimumBalance,
    vesting_period: timing.vestingPeriod,
    vesting_increment: timing.vestingIncrement,
  }

/** @param tip the block after which the account has this state */
export function accountView(ingested: Ingested, tip: ChainBlock, account: Account) {
  const { publicKey, delegate, balance, nonce, timing, receiptChainHash, votingFor } = account
  const genesisAccount = ingested.genesisLedger.get(publicKey)
  return {
    publicKey,
    username: ingested.username(publicKey),
    delegate,
    delegateUsername: ingested.username(delegate),
    balance,
    nonce,
    timeLocked: timing !== null,
    timing: timingView(timing),
    token: minaToken,
    receiptChainHash,
    votingFor,
    is_genesis_account: genesisAccount !== undefined,
    genesis_account: genesisAccount?.balance,
    block_height: tip.height,
    ...activityView(ingested.blocks, publicKey, ({ epochCount }) => epochCount === tip.epochCount),
  }
}
