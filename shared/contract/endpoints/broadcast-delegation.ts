import { aboutBroadcasts, broadcastAnswers } from '../answers.ts'
import { delegationRequest, delegationResponse } from '../broadcast.ts'
import { delegationBody } from '../documented-body.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { unheldValues } from '../parameters.ts'
import { bodyInAnyShape, signedDelegation } from '../wallet-body.ts'

const responses = broadcastAnswers(delegationResponse, 'Error in sending delegation')

export const broadcastDelegationContract = {
  name: 'broadcastDelegation',
  description: `Sends a signed stake delegation to the network. ${aboutBroadcasts}`,
  request: {
    body: bodyInAnyShape(delegationRequest, signedDelegation),
    documentedBody: delegationBody,
    xmlBody: {
      type: 'string',
      description:
        'One root of any name, with elements named like the keys of the JSON body. XML reads a raw carriage return as a line feed; write it as `&#13;` where a memo was signed with one.',
    },
  },
  responses,
  samples: {
    400: { shows: 'refusedUnsent', body: { publicKey: unheldValues.public_key, payload: { fee: 1 } } },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
