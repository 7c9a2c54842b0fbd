import { enriched, failed, getFailures } from '../answers.ts'
import { blocksResponse } from '../block.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { maxBlocks } from '../limits.ts'

const responses = {
  ...getFailures,
  200: enriched(blocksResponse, 'The latest blocks'),
  400: failed(
    '`limit` must be a whole number, 1 or more, and there is no other option',
    'limit must be a whole number, 1 or more, given once',
  ),
}

export const getBlocksContract = {
  name: 'getBlocks',
  description:
    'The blocks at the end of the best chain, with their payments, delegations, zkApp commands and fee transfers. Poll with the last `etag` in `if-none-match`: as long as there is no new block, the answer is a 304 without a body.',
  request: {
    query: {
      // Contract gap: the name of the option is not shown.
      limit: {
        type: 'string',
        description: `How many blocks. A larger number is taken for ${maxBlocks}; anything but a whole number, 1 or more, is a 400.`,
        documented: { type: 'integer', format: 'int32', minimum: 1, maximum: maxBlocks, default: 1 },
      },
    },
  },
  responses,
  samples: {
    200: { shows: 'latest', query: { limit: 1 } },
    400: { shows: 'noNumber', query: { limit: 0 } },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
