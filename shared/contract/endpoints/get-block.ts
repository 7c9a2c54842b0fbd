import { enriched, failed, getFailures, strangeOption } from '../answers.ts'
import { blockResponse } from '../block.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'

const responses = {
  200: enriched(blockResponse, 'The block'),
  404: failed('No block has this hash', 'No blocks found for that state hash.'),
  ...getFailures,
}

export const getBlockContract = {
  name: 'getBlock',
  description:
    'One block by its state hash: any that the node holds, forks too, whose `canonical` is false; with an indexer also any older one. A failed command is listed with its `failureReason`; only its fee was charged.',
  responses,
  samples: {
    200: { shows: 'withFailedAndZkappCommands' },
    400: strangeOption,
    404: { shows: 'noSuchBlock' },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
