import { enriched, failed, getFailures, strangeOption } from '../answers.ts'
import { blockResponse } from '../block.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'

const responses = {
  200: enriched(blockResponse, 'The block'),
  404: failed(
    'The height is above `x-chain-height`, or below the oldest block here, if there is no indexer',
    'No block found at that height.',
  ),
  ...getFailures,
}

export const getBlockAtHeightContract = {
  name: 'getBlockAtHeight',
  addition: 'Explorers link heights, and a wallet reads the blocks after the last one that it knows.',
  description:
    'The block of the best chain at a height: from the node while it holds it, older ones from the indexer, where there is one. Its body and its `etag` are those of `GET /blocks/{state_hash}`; near the tip, another block may take its place.',
  responses,
  samples: {
    200: { shows: 'canonical' },
    400: strangeOption,
    404: { shows: 'noSuchHeight' },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
