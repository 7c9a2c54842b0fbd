import { enriched, failed, getFailures, refusedQuery } from '../answers.ts'
import { blocksBefore } from '../block.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { describedBlocksBefore } from '../query/get-blocks-before.ts'

const query = describedBlocksBefore()
const noNumber = { shows: 'noNumber', query: { limit: 0 } }

const responses = {
  ...getFailures,
  200: enriched(blocksBefore, 'The blocks below'),
  400: refusedQuery(query, noNumber, 'BadLimit'),
  404: failed('The cursor has height 1, and the chain begins there', 'There is no block below height 1.'),
  409: failed(
    'A reorganisation has replaced the block of the cursor: begin again at a newer block. A height and a hash that never belonged together stay a 409',
    'The block of this cursor is not canonical any more.',
  ),
}

export const getBlocksBeforeContract = {
  name: 'getBlocksBefore',
  addition: 'The contract has no list of older blocks: an explorer asks for each one by its height.',
  description:
    'The blocks of the best chain below a block that the caller has, such as the last one of `GET /blocks`: from the node while it holds them, older ones from the indexer, through a hard fork too. Each block is the parent of the one before it, or the answer is a 503. Go on with `next`. Without `next` nothing lower can be shown: either the last block has height 1, or `endOfKnown` is true.',
  request: { query },
  responses,
  samples: {
    200: { shows: 'below', query: { limit: 1 } },
    400: noNumber,
    404: { shows: 'firstBlock' },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
