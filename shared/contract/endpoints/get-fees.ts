import { found, getFailures, strangeOption } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { fees } from '../fees.ts'

const responses = { 200: found(fees, 'The fees of the latest commands, and what to pay'), ...getFailures }

export const getFeesContract = {
  name: 'getFees',
  description:
    'What the commands of the latest 20 blocks paid, how many wait in the pool, and three fees to choose from. One absurd fee changes none of them. Ask before you sign: a fee cannot be changed afterwards.',
  addition: 'The contract has no word about fees; wallets read them from a file.',
  responses,
  samples: { 200: { shows: 'fees' }, 400: strangeOption } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
