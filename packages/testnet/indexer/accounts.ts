// Accounts in the mina-indexer's shape, with the activity of their keys in all blocks, abandoned ones too.
import { type Activity, activityIn, noActivity } from '../activity.ts'
import type { ChainBlock } from '../block.ts'
import type { Account } from '../ledger/ledger.ts'
import type { Ingested } from './ingested.ts'

/**
 * Counts the blocks that a key made, the jobs it proved, and the commands it sent or received, failed ones and zkApp
 * commands too. A command in two blocks counts twice, a command from a key to itself once.
 *
 * @param tip the block after which the account has this state
 */
export function accountView({ blocks, forgotten, username }: Ingested, tip: ChainBlock, account: Account) {
  const { publicKey, delegate, balance, nonce } = account
  const older = forgotten.get(publicKey) ?? noActivity
  const total = (part: keyof Activity) => () =>
    blocks.reduce((sum, block) => sum + activityIn(block, publicKey)[part], older[part])
  return {
    publicKey,
    username: username(publicKey),
    balance,
    nonce,
    delegate,
    pk_total_num_blocks: total('blocks'),
    pk_total_num_snarks: total('snarkJobs'),
    pk_total_num_user_commands: total('userCommands'),
    block_height: tip.height,
  }
}
