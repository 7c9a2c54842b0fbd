// What each endpoint takes, by the endpoint's name.
import { delegationRequest, transactionRequest } from './broadcast.ts'
import type { EndpointName } from './responses.ts'
import { signersDelegation, signersPayment } from './signer-body.ts'
import {
  bodyInAnyShape,
  rawDelegationRequest,
  rawTransactionRequest,
  signedDelegation,
  signedPayment,
} from './wallet-body.ts'

/** A path or query parameter: arrives as text, so it is checked as text. */
export interface ParameterSchema {
  readonly type: 'string'
  readonly pattern?: string
  readonly description: string
  /** The schema for people and generated clients, where the check takes more than makes sense to send. */
  readonly documented?: object
}

/** Schemas of one endpoint's request: named parameters, and the body of a POST. */
export interface RequestSchema {
  readonly path?: Readonly<Record<string, ParameterSchema>>
  readonly query?: Readonly<Record<string, ParameterSchema>>
  readonly body?: object
  /** The shapes that `body` takes one by one, the contract's first: for people. */
  readonly bodyShapes?: readonly object[]
  /** The body as `application/xml`, where the contract declares one. */
  readonly xmlBody?: object
}

// Contract gap: the formats of the path parameters and the name of the option are not shown.
export const requests: Readonly<Record<EndpointName, RequestSchema>> = {
  broadcastTransaction: {
    body: bodyInAnyShape(transactionRequest, signedPayment),
    bodyShapes: [transactionRequest, signersPayment, rawTransactionRequest],
  },
  broadcastDelegation: {
    body: bodyInAnyShape(delegationRequest, signedDelegation),
    bodyShapes: [delegationRequest, signersDelegation, rawDelegationRequest],
    xmlBody: { type: 'object' },
  },
  getBlocks: {
    query: {
      limit: {
        type: 'string',
        pattern: '^0*[1-9][0-9]*$',
        description:
          'How many blocks. A larger number is taken for 10; anything but a whole number of at least 1 is a 400.',
        documented: { type: 'integer', minimum: 1, maximum: 10, default: 1 },
      },
    },
  },
  getBlock: {
    path: { state_hash: { type: 'string', description: 'State hash: base58check, 52 characters, 3N…' } },
  },
  getAccount: {
    path: { public_key: { type: 'string', description: 'Public key: base58check, 55 characters, B62…' } },
  },
  getSummary: {},
}
