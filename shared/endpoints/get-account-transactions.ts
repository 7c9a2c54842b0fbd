import { blockAtHeightQuery } from '../chain/actions/find-block.ts'
import { walkOperations } from '../chain/actions/node-run.ts'
import type { getAccountTransactionsContract } from '../contract/endpoints/get-account-transactions.ts'
import { publicKeyForm } from '../contract/forms.ts'
import { accountTransactionsQuery } from '../contract/query/get-account-transactions.ts'
import { current, failureCaching } from '../http/answer-headers.ts'
import { accountCommandOperations } from '../indexer/account-commands.ts'
import { isPublicKey } from '../mapping/base58check.ts'
import { cursorOption, numberOption, queryReader } from '../mapping/query-values.ts'
import { historyBlocks, latestHistory } from '../transactions/history-blocks.ts'
import { historyCaching, historyPage } from '../transactions/history-page.ts'
import { type HistoryQuestion, historyStart } from '../transactions/history-start.ts'
import { networkQuery } from '../upstream/network.ts'
import { withTipForms } from '../upstream/operation.ts'
import type { Endpoint } from './endpoint.ts'
import { noAccount } from './no-account.ts'

/** GET /accounts/{public_key}/transactions: the commands of an account, newest first, without a gap. */
export const getAccountTransactions: Endpoint<typeof getAccountTransactionsContract, HistoryQuestion> = {
  name: 'getAccountTransactions',
  method: 'GET',
  path: '/accounts/{public_key}/transactions',
  tag: 'accounts',
  summary: 'The commands of an account, newest first',
  isCostly: true,
  caching: { 200: historyCaching, 404: { missing: current }, '5xx': { failure: failureCaching } },
  operations: withTipForms([
    ...[latestHistory, historyBlocks.operation, ...walkOperations, blockAtHeightQuery, networkQuery],
    ...accountCommandOperations,
  ]),
  identifier: { parameter: 'public_key', forms: [publicKeyForm], unknown: noAccount },

  query: queryReader(accountTransactionsQuery, { number: numberOption, cursor: cursorOption }),

  input: ({ path: { public_key }, query }) =>
    isPublicKey(public_key) ? { ...query, publicKey: public_key } : undefined,

  async run(question, chain) {
    return historyPage(question, await historyStart(question, chain), chain)
  },
}
