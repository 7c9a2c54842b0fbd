import { accountTransactionsResponse } from '../account-history.ts'
import { enriched, failed, getFailures, notAPublicKey, refusedQuery } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { cursorReplaced } from '../forms.ts'
import { maxHistory } from '../limits.ts'
import { describedAccountTransactions } from '../query/get-account-transactions.ts'

const query = describedAccountTransactions()
const limitTooLarge = { shows: 'limitTooLarge', query: { limit: maxHistory + 1 } }

const responses = {
  ...getFailures,
  200: enriched(accountTransactionsResponse, 'A page of the history'),
  400: refusedQuery(query, limitTooLarge),
  404: notAPublicKey,
  409: failed(
    'A reorganisation has replaced the block of the cursor: begin again without `before`, and merge by hash',
    cursorReplaced,
  ),
}

export const getAccountTransactionsContract = {
  name: 'getAccountTransactions',
  addition: 'The contract has no history of an account: an exchange or a wallet must walk every block for it.',
  description:
    'The payments, delegations and zkApp commands of an account, newest first, failed ones too: the latest blocks from a node, older ones from the indexer. Each page is complete for the heights in `searched`, or the answer is a 503: an indexer that lags, or of another chain, never leaves a gap. Without an indexer only the latest 20 blocks are searched, and an empty list means nothing in these. A last page that does not reach height 1 has `endOfKnown`. Rewards (coinbase, fee transfers) are not commands. An account without commands has an empty list. After a 409 begin again at the first page and merge by command hash: nothing is lost.',
  request: { query },
  responses,
  samples: {
    200: { shows: 'firstPage', query: { limit: 5 } },
    400: limitTooLarge,
    404: { shows: 'noPublicKey', isMalformed: true },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
