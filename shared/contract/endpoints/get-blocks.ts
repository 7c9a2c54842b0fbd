import { enriched, getFailures, refusedQuery } from '../answers.ts'
import { blocksResponse } from '../block.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { describedBlocks } from '../query/get-blocks.ts'

const query = describedBlocks()
const noNumber = { shows: 'noNumber', query: { limit: 0 } }

const responses = {
  ...getFailures,
  200: enriched(blocksResponse, 'The latest blocks'),
  400: refusedQuery(query, noNumber),
}

export const getBlocksContract = {
  name: 'getBlocks',
  description:
    'The blocks at the end of the best chain, with their payments, delegations, zkApp commands and fee transfers. Poll with the last `etag` in `if-none-match`: as long as there is no new block, the answer is a 304 without a body.',
  request: { query },
  responses,
  samples: {
    200: { shows: 'latest', query: { limit: 1 } },
    400: noNumber,
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
