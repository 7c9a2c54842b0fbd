// What commands pay, and what to pay: an addition to the contract.
import { nanominaText, number } from './scalars.ts'

const nearestRank = 'of the fees in ascending order; nanomina, decimal digits; absent without a command'

/** The answer of GET /fees. */
export const fees = {
  type: 'object',
  title: 'Fees',
  description: 'the fees of the latest commands, and what to pay for the next one',
  properties: {
    blocks: { ...number, description: 'number of blocks of the best chain that were read, from the tip down' },
    included: {
      type: 'object',
      title: 'IncludedFees',
      description: 'the commands of these blocks, of all kinds, failed ones too: they have paid their fees',
      properties: {
        count: { ...number, description: 'number of commands' },
        min: { ...nanominaText, description: 'lowest fee: nanomina, decimal digits; absent without a command' },
        median: { ...nanominaText, description: `the one at the half ${nearestRank}` },
        p75: { ...nanominaText, description: `the one at three quarters ${nearestRank}` },
      },
      required: ['count'],
    },
    pool: {
      type: 'object',
      title: 'PoolFees',
      description: 'the commands that wait in the pool of the node that was asked',
      properties: { count: { ...number, description: 'number of commands' } },
      required: ['count'],
    },
    suggested: {
      type: 'object',
      title: 'SuggestedFees',
      description:
        'what to pay, never below the minimum of the network, and never what one command alone pays: with fewer than two commands all three are the minimum',
      properties: {
        economy: {
          ...nanominaText,
          description: 'what a quarter of the commands pay at most: nanomina, decimal digits',
        },
        normal: { ...nanominaText, description: 'what half of the commands pay at most: nanomina, decimal digits' },
        fast: {
          ...nanominaText,
          description:
            'what three quarters of the commands pay at most, or, where more wait than a block holds, what takes a place in the next block: nanomina, decimal digits',
        },
      },
      required: ['economy', 'normal', 'fast'],
    },
  },
  required: ['blocks', 'included', 'pool', 'suggested'],
} as const
