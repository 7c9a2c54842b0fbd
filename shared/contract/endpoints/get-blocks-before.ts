import { enriched, failed, getFailures, refusedQuery } from '../answers.ts'
import { blocksOrHeadersBefore } from '../block.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { cursorReplaced } from '../forms.ts'
import { maxHeaders, maxNodeHeaders } from '../limits.ts'
import { describedBlocksBefore } from '../query/get-blocks-before.ts'

const query = describedBlocksBefore()
const noNumber = { shows: 'noNumber', query: { limit: 0 } }

const responses = {
  ...getFailures,
  200: enriched(blocksOrHeadersBefore, 'The blocks below, or their headers'),
  400: refusedQuery(query, noNumber),
  404: failed('The cursor has height 1, and the chain begins there', 'There is no block below height 1.'),
  409: failed(
    'A reorganisation has replaced the block of the cursor: begin again at a newer block. A height and a hash that never belonged together stay a 409',
    cursorReplaced,
  ),
}

export const getBlocksBeforeContract = {
  name: 'getBlocksBefore',
  addition: 'The contract has no list of older blocks: an explorer asks for each one by its height.',
  description:
    'The blocks of the best chain below a block that the caller has, such as the last one of `GET /blocks`: from the node while it holds them, older ones from the indexer, through a hard fork too. Each block is the parent of the one before it, or the answer is a 503. Go on with `next`. Without `next` nothing lower can be shown: either the last block has height 1, or `endOfKnown` is true.\n\n' +
    `With \`view=header\` the answer has \`headers\` in place of \`blocks\`: a chart of a thousand blocks takes some 25 requests. Without a \`limit\` a page of headers has up to ${maxHeaders}, where it begins with a block that the node gives up to ${maxNodeHeaders}; the service ends it at a height of which the caches have the next page: one above a multiple of its size. Go on with \`next\`, whatever the number of headers. \`feesNanomina\` and \`proofFeesNanomina\` are only in headers of an indexer.`,
  request: { query },
  responses,
  samples: {
    200: { shows: 'below', query: { limit: 1 } },
    400: noNumber,
    404: { shows: 'firstBlock' },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
