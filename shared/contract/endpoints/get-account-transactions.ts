import { accountTransactionsResponse } from '../account-history.ts'
import { enriched, failed, getFailures } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { heightForm, stateHashForm } from '../forms.ts'
import { defaultHistory, maxHistory } from '../limits.ts'
import { pathParameters, patternOf } from '../parameters.ts'

const responses = {
  ...getFailures,
  200: enriched(accountTransactionsResponse, 'A page of the history'),
  400: failed(
    `\`limit\` must be a whole number from 1 to ${maxHistory}; \`before\` must be the \`next\` of an earlier answer; there is no other option`,
    `limit must be a whole number from 1 to ${maxHistory}, given once`,
  ),
  404: failed('The text is not a public key', 'No account found for that public key.'),
  409: failed(
    'A reorganisation has replaced the block of the cursor: begin again without `before`, and merge by hash',
    'The block of this cursor is not canonical any more.',
  ),
}

export const getAccountTransactionsContract = {
  name: 'getAccountTransactions',
  addition: 'The contract has no history of an account: an exchange or a wallet must walk every block for it.',
  description:
    'The payments, delegations and zkApp commands of an account, newest first, failed ones too: the latest blocks from a node, older ones from the indexer. Each page is complete for the heights in `searched`, or the answer is a 503: an indexer that lags, or of another chain, never leaves a gap. Without an indexer only the latest 20 blocks are searched, and an empty list means nothing in these. Rewards (coinbase, fee transfers) are not commands. An account without commands has an empty list. After a 409 begin again at the first page and merge by command hash: nothing is lost.',
  request: {
    path: { public_key: pathParameters.public_key },
    query: {
      limit: {
        type: 'string',
        description: `How many commands: 1 to ${maxHistory}. Commands of one block are never divided.`,
        documented: { type: 'integer', format: 'int32', minimum: 1, maximum: maxHistory, default: defaultHistory },
      },
      before: {
        type: 'string',
        description: 'The `next` of the page before: commands of blocks below this one. Any account may use it.',
        documented: {
          type: 'string',
          pattern: `^[1-9][0-9]{0,${String(heightForm.max).length - 1}}-${patternOf(stateHashForm).slice(1)}`,
        },
      },
    },
  },
  responses,
  samples: {
    200: { shows: 'firstPage', query: { limit: 5 } },
    400: { shows: 'limitTooLarge', query: { limit: maxHistory + 1 } },
    404: { shows: 'noPublicKey', isMalformed: true },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
