import { found, getFailures, strangeOption } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { summary } from '../summary.ts'

const responses = { 200: found(summary, 'The chain at its best tip'), ...getFailures }

export const getSummaryContract = {
  name: 'getSummary',
  description:
    'Height, epoch, slot, ledgers and supply at the best tip. The cheapest way to see whether there is a new block. `GET /` answers the same.',
  responses,
  samples: { 200: { shows: 'tip' }, 400: strangeOption } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
