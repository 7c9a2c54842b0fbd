// What each endpoint answers, by the endpoint's name and the status.
import { accountResponse } from './account.ts'
import { blockResponse, blocksResponse } from './block.ts'
import { delegationResponse, transactionResponse } from './broadcast.ts'
import { broadcastError, message } from './error.ts'
import { summary } from './summary.ts'

/** One answer of an endpoint. */
export interface ResponseSchema {
  readonly description: string
  readonly schema: object
  readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: object }>>
  /** The whole body, where its text is fixed. */
  readonly example?: object
}

type ByStatus = Readonly<Record<number, ResponseSchema>>

const cacheControl = (description: string) => ({ 'cache-control': { description, schema: { type: 'string' } } })

const uncached = cacheControl('no-store')

const found = (schema: object, description: string, caching: string): ResponseSchema => ({
  description,
  schema,
  headers: cacheControl(caching),
})

/** An answer that an indexer completes. */
const enriched = (schema: object, description: string, caching: string): ResponseSchema => ({
  description,
  schema,
  headers: {
    ...cacheControl(`${caching}; max-age=1 where fields are missing`),
    'x-missing-fields': {
      description:
        'Names, comma-joined, of the fields that an indexer should have given and did not; absent when there are none',
      schema: { type: 'string' },
    },
  },
})

const failed = (description: string, text: string): ResponseSchema => ({
  description,
  schema: message,
  headers: uncached,
  example: { message: text },
})

// Contract gap: its status is not shown.
const notFound = (description: string, text: string): ResponseSchema => ({
  ...failed(description, text),
  headers: cacheControl('public, max-age=5, stale-if-error=0'),
})

/** Contract gap: what else than the asked-for answer a GET may give is not shown. */
const getFailures: ByStatus = {
  500: failed('A fault of the service itself', 'Internal error.'),
  502: failed('The upstream cannot be reached, or its answer cannot be read', 'Upstream unavailable.'),
  503: {
    ...failed('The upstream cannot answer now: it is starting or overloaded', 'Upstream unavailable.'),
    headers: { ...uncached, 'retry-after': { description: 'seconds', schema: { type: 'string' } } },
  },
  504: failed('The upstream did not answer in time', 'Upstream timed out.'),
}

const textHeader = (description: string, values?: readonly string[]) => ({
  description,
  schema: { type: 'string', ...(values && { enum: values }) },
})

const broadcastAnswers = (schema: object, failureMessage: string): ByStatus => ({
  201: {
    description: 'A node held the command when it was asked',
    schema,
    headers: {
      ...uncached,
      'x-broadcast-outcome': textHeader('Whether the node took it now or had it already', [
        'accepted',
        'already-known',
      ]),
      'x-transaction-hash': textHeader('Hash of the command'),
    },
  },
  400: {
    description:
      'The body was refused and nothing was sent, or the node refused the command, or its outcome is unknown: header and `error` say which. Sending the same signed command again is safe.',
    schema: broadcastError,
    headers: {
      ...uncached,
      'x-broadcast-outcome': textHeader('Whether it is known that no node holds it', ['refused', 'unknown']),
      'x-broadcast-code': textHeader('The reason, for machines', [
        'bad-nonce',
        'insufficient-funds',
        'invalid-signature',
        'fee-too-low',
        'expired',
        'duplicate',
        'memo-too-long',
        'sender-unknown',
        'replace-fee-too-low',
        'pool-overloaded',
        'invalid-request',
        'node-unreachable',
        'timeout',
        'other',
      ]),
      'x-broadcast-retriable': textHeader('Whether sending the same signed command again can succeed', [
        'true',
        'false',
      ]),
      'x-expected-nonce': textHeader('With `bad-nonce`: the nonce that the node takes next'),
    },
    example: { message: failureMessage, error: '/payload/fee is missing; /signature/field must be a string' },
  },
})

export const responses: Readonly<Record<string, ByStatus>> = {
  broadcastTransaction: broadcastAnswers(transactionResponse, 'Error in sending transaction'),
  broadcastDelegation: broadcastAnswers(delegationResponse, 'Error in sending delegation'),
  getBlocks: {
    200: enriched(blocksResponse, 'The latest blocks', 'public, max-age=5, stale-if-error=60'),
    400: failed('`limit` is no whole number of at least 1', 'limit must be a whole number of at least 1, given once'),
    ...getFailures,
  },
  getBlock: {
    200: enriched(
      blockResponse,
      'The block',
      'public, max-age=15, or 60 for a block 10 or more below the tip, stale-if-error=60',
    ),
    404: notFound('No block has this hash', 'No blocks found for that state hash.'),
    ...getFailures,
  },
  getAccount: {
    200: enriched(accountResponse, 'The account', 'public, max-age=3, stale-if-error=0'),
    404: notFound('No account has this key', 'No account found for that public key.'),
    ...getFailures,
  },
  getSummary: {
    200: found(summary, 'The chain at its best tip', 'public, max-age=5, stale-if-error=60'),
    ...getFailures,
  },
}
