import { enriched, failed, getFailures } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { publicKeyForm } from '../forms.ts'
import { maxPoolCommands } from '../limits.ts'
import { patternOf } from '../parameters.ts'
import { poolResponse } from '../pool.ts'

const responses = {
  ...getFailures,
  200: enriched(poolResponse, 'The commands that wait'),
  400: failed('`account` is malformed, or there is another option', 'account must be a public key, given once'),
  503: {
    ...getFailures[503],
    description: `${getFailures[503].description}; or more commands wait than can be read or given, and \`message\` says which`,
  },
}

export const getPoolContract = {
  name: 'getPool',
  description: `Commands that wait for a block, by the pools of all nodes that can be reached; those that are starting are left out. Without \`account\` at most ${maxPoolCommands}, highest fee first, and \`count\` says how many there are. With \`account\` every command to or from the key, so that a deposit shows before its block; if not every one can be given the answer is a 503. Absent is not "never sent".`,
  addition: 'The contract shows the commands that an account has sent, and none that are on their way to it.',
  request: {
    query: {
      account: {
        type: 'string',
        description: 'Public key: only commands to or from it, and all of them',
        documented: { type: 'string', pattern: patternOf(publicKeyForm) },
      },
    },
  },
  responses,
  samples: {
    200: { shows: 'pool' },
    400: { shows: 'malformedAccount', query: { account: 'unknown' } },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
