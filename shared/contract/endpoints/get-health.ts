import { failed, found, getFailures, retryAfter, strangeOption } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { health } from '../health.ts'
import { maxEmptySlots, unremarkableEmptySlots } from '../tip-age.ts'

const responses = {
  200: found(health, 'Reads are answered: `ok` or `degraded`'),
  400: getFailures[400],
  500: getFailures[500],
  502: failed('An address in front of the service cannot reach it', 'Upstream unavailable.'),
  503: {
    ...found(health, '`down`: reads cannot be answered, or from an old chain'),
    headers: retryAfter,
    example: { status: 'down', nodes: { listed: 1, answering: 0, synced: 0 } },
  },
  504: failed('The service did not answer in time', 'Upstream timed out.'),
}

export const getHealthContract = {
  name: 'getHealth',
  description: `For load balancers and status pages: 200 while a synced node has a tip that is not too old, else 503. All nodes are asked at once and have two seconds. Slots without a block are ordinary, since fewer than half of mainnet's have one: ${unremarkableEmptySlots} in a row change nothing, ${maxEmptySlots} make it \`degraded\` at most. It does not know whether the network takes commands: it sends none, and before a hard fork, when nodes refuse every command for hours, no node shows it. A broadcast then says \`network-paused\`.`,
  addition: 'The contract has nothing that a load balancer could ask.',
  responses,
  samples: { 200: { shows: 'ok' }, 400: strangeOption } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
