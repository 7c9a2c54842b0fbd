import { enriched, getFailures, strangeOption } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { network } from '../network.ts'

const responses = { 200: enriched(network, 'The constants of the network'), ...getFailures }

export const getNetworkContract = {
  name: 'getNetwork',
  description:
    'The network of the nodes and its constants, read from a node. Whoever signs says which network they mean, and stops where this answer names another one: a service that lies must not choose what you sign.',
  addition: 'The contract does not say on which network a service is.',
  responses,
  samples: { 200: { shows: 'constants' }, 400: strangeOption } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
