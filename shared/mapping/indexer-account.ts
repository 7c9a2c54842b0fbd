// The facts of an account that only an indexer knows.
import { count, nullable, shape, shortText, text, type Wire } from '../upstream/wire.ts'

export const indexerAccount = shape({
  pk_total_num_blocks: count,
  pk_total_num_snarks: count,
  pk_total_num_user_commands: count,
  publicKey: shortText,
  username: nullable(text),
})

/**
 * The counters, and the username if it has one. The indexer counts every block that it has seen, orphans included, so
 * the counters are upper bounds.
 */
export const countersFromIndexer = (account: Wire<typeof indexerAccount>) => ({
  totalTx: account.pk_total_num_user_commands,
  totalBlocks: account.pk_total_num_blocks,
  totalSnarks: account.pk_total_num_snarks,
  ...(account.username !== null && { username: account.username }),
})
