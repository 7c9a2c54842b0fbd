import { aboutBroadcasts, broadcastAnswers } from '../answers.ts'
import { transactionRequest, transactionResponse } from '../broadcast.ts'
import { transactionBody } from '../documented-body.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { unheldValues } from '../parameters.ts'
import { bodyInAnyShape, signedPayment } from '../wallet-body.ts'

const responses = broadcastAnswers(transactionResponse, 'Error in sending transaction')

export const broadcastTransactionContract = {
  name: 'broadcastTransaction',
  description: `Sends a signed payment to the network. ${aboutBroadcasts}`,
  request: {
    body: bodyInAnyShape(transactionRequest, signedPayment),
    documentedBody: transactionBody,
  },
  responses,
  samples: {
    400: { shows: 'refusedUnsent', body: { publicKey: unheldValues.public_key, payload: { fee: 1 } } },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
