// Accounts in the mina-indexer's shape, with the activity of their keys in all blocks, abandoned ones too.
import { type Activity, activityIn, noActivity } from '../activity.ts'
import type { ChainBlock } from '../block.ts'
import { type Account, minaToken, type Timing } from '../ledger/ledger.ts'
import type { Ingested } from './ingested.ts'

/**
 * Counts the blocks that a key made, the jobs it proved, and the commands it sent or received, failed ones and zkApp
 * commands too. A command in two blocks counts twice, a command from a key to itself once.
 *
 * @param isInEpoch the blocks that the `pk_epoch_*` fields count
 */
export function activityView(
  { blocks, forgotten }: Pick<Ingested, 'blocks' | 'forgotten'>,
  publicKey: string,
  isInEpoch: (block: ChainBlock) => boolean,
) {
  const older = forgotten.get(publicKey) ?? noActivity
  const inAll = (part: keyof Activity) => () =>
    blocks.reduce((sum, block) => sum + activityIn(block, publicKey)[part], older[part])
  const inEpoch = (part: keyof Activity) => () =>
    blocks.reduce((sum, block) => sum + (isInEpoch(block) ? activityIn(block, publicKey)[part] : 0), 0)
  return {
    pk_epoch_num_blocks: inEpoch('blocks'),
    pk_total_num_blocks: inAll('blocks'),
    pk_epoch_num_snarks: inEpoch('snarkJobs'),
    pk_total_num_snarks: inAll('snarkJobs'),
    pk_epoch_num_user_commands: inEpoch('userCommands'),
    pk_total_num_user_commands: inAll('userCommands'),
  }
}

/** A key with its display name. */
export const keyView = ({ username }: Ingested, publicKey: string) => ({ publicKey, username: username(publicKey) })

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
    ...activityView(ingested, publicKey, ({ epochCount }) => epochCount === tip.epochCount),
  }
}
