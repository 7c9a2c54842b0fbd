// What each endpoint answers, by the endpoint's name and the status.
import type { Static } from 'typebox'
import { accountResponse } from './account.ts'
import { blockResponse, blocksResponse } from './block.ts'
import { delegationResponse, transactionResponse } from './broadcast.ts'
import { broadcastCodes } from './broadcast-codes.ts'
import { broadcastError, message } from './error.ts'
import { summary } from './summary.ts'

/** One answer of an endpoint. Its `cache-control` is the endpoint's own, and not repeated here. */
export interface ResponseSchema<Schema extends object = object> {
  readonly description: string
  readonly schema: Schema
  readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: object }>>
  /** The whole body, where its text is fixed. */
  readonly example?: object
}

type ByStatus = Readonly<Record<number, ResponseSchema>>

const found = <Schema extends object>(schema: Schema, description: string): ResponseSchema<Schema> => ({
  description,
  schema,
  headers: {},
})

/** An answer that an indexer completes. */
const enriched = <Schema extends object>(schema: Schema, description: string): ResponseSchema<Schema> => ({
  description,
  schema,
  headers: {
    'x-missing-fields': {
      description:
        'Names, comma-joined, of the fields that an indexer should have given and did not; absent when there are none',
      schema: { type: 'string' },
    },
  },
})

// Contract gap: the status of the two not-found answers is not shown.
const failed = (description: string, text: string): ResponseSchema => ({
  description,
  schema: message,
  headers: {},
  example: { message: text },
})

/** Contract gap: what else than the asked-for answer a GET may give is not shown. */
const getFailures = {
  500: failed('A fault of the service itself', 'Internal error.'),
  502: failed('The upstream cannot be reached, or its answer cannot be read', 'Upstream unavailable.'),
  503: {
    ...failed('The upstream cannot answer now: it is starting or overloaded', 'Upstream unavailable.'),
    headers: { 'retry-after': { description: 'seconds', schema: { type: 'string' } } },
  },
  504: failed('The upstream did not answer in time', 'Upstream timed out.'),
} satisfies ByStatus

const textHeader = (description: string, values?: readonly string[]) => ({
  description,
  schema: { type: 'string', ...(values && { enum: values }) },
})

const nodesHeader = textHeader(
  'How many nodes hold the command, of those asked: `2/3`; absent for an address behind which several nodes may hide',
)

const broadcastAnswers = <Schema extends object>(schema: Schema, failureMessage: string) => ({
  201: {
    description: 'A node held the command when it was asked',
    schema,
    headers: {
      'x-broadcast-outcome': textHeader('Whether the node took it now or had it already', [
        'accepted',
        'already-known',
      ]),
      'x-transaction-hash': textHeader('Hash of the command'),
      'x-broadcast-nodes': nodesHeader,
    },
  },
  400: {
    description:
      'The body was refused and nothing was sent, or the node refused the command, or its outcome is unknown: header and `error` say which. Sending the same signed command again is safe.',
    schema: broadcastError,
    headers: {
      'x-broadcast-code': textHeader('The reason in one word: read this first', Object.keys(broadcastCodes)),
      'x-broadcast-outcome': textHeader('Whether it is known that no node holds it', ['refused', 'unknown']),
      'x-broadcast-retriable': textHeader('Whether sending the same signed command again can succeed', [
        'true',
        'false',
      ]),
      'x-expected-nonce': textHeader('With `bad-nonce`: the nonce that the node takes next'),
      'x-broadcast-nodes': nodesHeader,
    },
    example: { message: failureMessage, error: '/payload/fee is missing; /signature/field must be a string' },
  },
})

const typedResponses = {
  broadcastTransaction: broadcastAnswers(transactionResponse, 'Error in sending transaction'),
  broadcastDelegation: broadcastAnswers(delegationResponse, 'Error in sending delegation'),
  getBlocks: {
    200: enriched(blocksResponse, 'The latest blocks'),
    400: failed('`limit` is no whole number of at least 1', 'limit must be a whole number of at least 1, given once'),
    ...getFailures,
  },
  getBlock: {
    200: enriched(blockResponse, 'The block'),
    404: failed('No block has this hash', 'No blocks found for that state hash.'),
    ...getFailures,
  },
  getAccount: {
    200: enriched(accountResponse, 'The account'),
    404: failed('No account has this key', 'No account found for that public key.'),
    ...getFailures,
  },
  getSummary: {
    200: found(summary, 'The chain at its best tip'),
    ...getFailures,
  },
} satisfies Readonly<Record<string, ByStatus>>

/** The operationId of an endpoint: the key of its schemas, and the name of its file, function and log lines. */
export type EndpointName = keyof typeof typedResponses

export const responses: Readonly<Record<EndpointName, ByStatus>> = typedResponses

type SuccessSchema<Name extends EndpointName> = (typeof typedResponses)[Name] extends
  | { readonly 200: ResponseSchema<infer Schema> }
  | { readonly 201: { readonly schema: infer Schema } }
  ? Schema
  : never

/** The body of an endpoint's success. */
export type SuccessBody<Name extends EndpointName> = Static<SuccessSchema<Name>>
