// The facts of an account that only an indexer knows.
import { called, count, listOf, nullable, shape, shortText, text, type Wire, type WireType } from '../upstream/wire.ts'

export const indexerAccount = /* @__PURE__ */ shape({
  pk_total_num_blocks: count,
  pk_total_num_snarks: count,
  pk_total_num_user_commands: count,
  publicKey: shortText,
  username: /* @__PURE__ */ nullable(text),
})

/** The account of the key in the variable `publicKey`; an empty list without one. */
export const accountsByKey = <Account extends { readonly publicKey: string }>(
  account: WireType<Account>,
): WireType<readonly Account[]> =>
  called(
    'accounts(limit: 1, query: {publicKey: $publicKey})',
    listOf(account),
    (accounts, asked) => accounts.length <= 1 && accounts.every(({ publicKey }) => publicKey === asked.publicKey),
  )

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
