// Commands that wait: an addition to the contract.
import type { Static } from 'typebox'
import { type AnyCommand, anyCommand } from './any-command.ts'
import { maxAccountPoolCommands } from './limits.ts'
import { number } from './scalars.ts'

const searchedPools = {
  type: 'object',
  title: 'SearchedPools',
  description: 'the pools that were asked',
  properties: { nodes: { ...number, description: 'number of node addresses that answered' } },
  required: ['nodes'],
} as const

/** The answer of GET /pool. */
export const poolResponse = {
  type: 'object',
  title: 'PoolResponse',
  description:
    'commands that wait in the pools of the nodes that were asked. One that is not here may still have been sent: pools differ, and forget',
  properties: {
    count: { ...number, description: 'number of commands in these pools; with `account` of those to or from the key' },
    unchecked: {
      ...number,
      description:
        'those of `count` that may be in a block: they were not compared with the chain; absent where all were',
    },
    commands: {
      type: 'array',
      description:
        'highest fee first; with `account` all of them: payments, delegations and zkApp commands that the key pays for, gets or is named by',
      items: anyCommand,
      maxItems: maxAccountPoolCommands,
    },
    searched: searchedPools,
  },
  required: ['count', 'commands', 'searched'],
} as const

export type Pool = Omit<Static<typeof poolResponse>, 'commands'> & { commands: AnyCommand[] }
