import { enriched, getFailures, refusedQuery } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { maxPoolCommands } from '../limits.ts'
import { poolResponse } from '../pool.ts'
import { describedPool } from '../query/get-pool.ts'

const query = describedPool()
const malformed = { shows: 'malformedAccount', query: { account: 'unknown' } }

const responses = {
  ...getFailures,
  200: enriched(poolResponse, 'The commands that wait'),
  400: refusedQuery(query, malformed),
  503: {
    ...getFailures[503],
    description: `${getFailures[503].description}; or more commands wait than can be read or given, and \`message\` says which`,
  },
}

export const getPoolContract = {
  name: 'getPool',
  description: `Commands that wait for a block, by the pools of all nodes that can be reached; those that are starting are left out, and so is what the best tip has in a block. Without \`account\` at most ${maxPoolCommands}, highest fee first, and \`count\` says how many there are. With \`account\` every command to or from the key, so that a deposit shows before its block; if not every one can be given the answer is a 503. Absent is not "never sent".`,
  addition: 'The contract shows the commands that an account has sent, and none that are on their way to it.',
  request: { query },
  responses,
  samples: {
    200: { shows: 'pool' },
    400: malformed,
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
