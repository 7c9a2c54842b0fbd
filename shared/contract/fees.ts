// The fees of the latest commands, and suggested ones: an addition to the contract.
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
        median: { ...nanominaText, description: `the median ${nearestRank}` },
        p75: { ...nanominaText, description: `the 75th percentile ${nearestRank}` },
      },
      required: ['count'],
    },
    pool: {
      type: 'object',
      title: 'PoolFees',
      description: 'the commands that wait in the pool of the node that was asked',
      properties: {
        count: { ...number, description: 'number of commands' },
        unchecked: {
          ...number,
          description: 'those that were not compared with the chain; absent where all were',
        },
      },
      required: ['count'],
    },
    suggested: {
      type: 'object',
      title: 'SuggestedFees',
      description:
        'suggested fees. None is below the minimum of the network. A single command sets no fee: with fewer than two commands, all three equal the minimum',
      properties: {
        economy: {
          ...nanominaText,
          description: 'a quarter of the commands pay this fee or less: nanomina, decimal digits',
        },
        normal: { ...nanominaText, description: 'half of the commands pay this fee or less: nanomina, decimal digits' },
        fast: {
          ...nanominaText,
          description:
            'three quarters of the commands pay this fee or less. If more commands wait than fit in a block, at least the fee that gets one into the next block: nanomina, decimal digits',
        },
      },
      required: ['economy', 'normal', 'fast'],
    },
  },
  required: ['blocks', 'included', 'pool', 'suggested'],
} as const
