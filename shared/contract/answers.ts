// Answers that several endpoints share.
import { broadcastCodes } from './broadcast-codes.ts'
import type { ByStatus, ResponseSchema, Sample } from './endpoint-contract.ts'
import { broadcastError, message } from './error.ts'
import type { DescribedQuery } from './query/described.ts'
import { kinds } from './query/kinds.ts'
import { faultText, wantedOf } from './query/read-options.ts'
import { readQuery } from './query/read-query.ts'
import { textHeader } from './response-header.ts'

export const found = <Schema extends object>(schema: Schema, description: string): ResponseSchema<Schema> => ({
  description,
  schema,
  headers: {},
})

/** An answer that an indexer completes, or that may leave out what its schema cannot hold. */
export const enriched = <Schema extends object>(schema: Schema, description: string): ResponseSchema<Schema> => ({
  description,
  schema,
  headers: {
    'x-missing-fields': textHeader(
      'MissingFields',
      'Names, comma-joined, of the fields that an upstream should have given and did not, and of those from which something is left out; absent when nothing is missing',
      'receivedTime',
    ),
  },
})

/**
 * Contract gap: the status of the two not-found answers is not shown.
 *
 * @param title for an answer that several endpoints have
 */
export const failed = (description: string, text: string, title?: string): ResponseSchema => ({
  ...(title !== undefined && { title }),
  description,
  schema: message,
  headers: {},
  example: { message: text },
})

/**
 * The 400 of a GET with options.
 *
 * @param sample a query that these options do not allow
 * @param title for endpoints that share these options
 */
export function refusedQuery({ options }: DescribedQuery, { query = {} }: Sample, title?: string): ResponseSchema {
  const each = Object.entries(options).map(([name, option]) => `\`${name}\` must be ${wantedOf(kinds, option)}`)
  const isTogether = Object.values(options).some(({ level }) => level !== undefined)
  const rules = [
    ...each,
    ...(isTogether ? ['none stands without those that it needs'] : []),
    'there is no other option',
  ]
  const given = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return failed(rules.join('; '), faultText(readQuery(options, given, '').faults), title)
}

export const retryAfter = { 'retry-after': textHeader('RetryAfter', 'Seconds to wait', '5') }

/** A query that every GET refuses: the sample of those that have no options. */
export const strangeOption = { shows: 'noSuchOption', query: { order: 'asc' } } as const satisfies Sample

/** Contract gap: the other failures of a GET are not shown. Their 400 is that of a GET without options. */
export const getFailures = {
  400: failed(
    'The query has a key, but this path has no options',
    'order is not an option here (options here: none)',
    'NoOptions',
  ),
  500: failed('A fault of the service itself', 'Internal error.', 'InternalError'),
  502: failed(
    'The upstream cannot be reached, or its answer cannot be read',
    'Upstream unavailable.',
    'UpstreamUnreachable',
  ),
  503: {
    ...failed(
      'The upstream cannot answer now: it is starting or overloaded',
      'Upstream unavailable.',
      'UpstreamUnavailable',
    ),
    headers: retryAfter,
  },
  504: failed('The upstream did not answer in time', 'Upstream timed out.', 'UpstreamTimedOut'),
} satisfies ByStatus

/** The answer of an addition to a malformed public key; a key without an account gets an empty list. */
export const notAPublicKey = failed(
  'The text is not a public key',
  'No account found for that public key.',
  'NotAPublicKey',
)

const nodesHeader = textHeader(
  'BroadcastNodes',
  'How many nodes hold the command, of those asked; absent for an address behind which several nodes may hide',
  '2/3',
)

const successHeaders = {
  'x-broadcast-outcome': textHeader(
    'SuccessOutcome',
    'Whether the node took it now or had it already. There will be no other value.',
    'accepted',
    ['accepted', 'already-known'],
  ),
  'x-transaction-hash': textHeader(
    'TransactionHash',
    'Hash of the command',
    '5Juafq9LLfg4c3FtmX3kMgpRuBKJFbcTqojHsqryKwdLCuVxv7Ph',
  ),
  'x-broadcast-nodes': nodesHeader,
}

const failureHeaders = {
  'x-broadcast-code': textHeader(
    'BroadcastCode',
    'The reason in one word: read this first. Other values may come: read one as `other`.',
    'bad-nonce',
    Object.keys(broadcastCodes),
  ),
  'x-broadcast-outcome': textHeader(
    'FailureOutcome',
    'Whether it is known that no node holds it. There will be no other value.',
    'refused',
    ['refused', 'unknown'],
  ),
  'x-broadcast-retriable': textHeader(
    'Retriable',
    'Whether sending the same signed command again can succeed. There will be no other value.',
    'true',
    ['true', 'false'],
  ),
  'x-expected-nonce': textHeader('ExpectedNonce', 'With `bad-nonce`: the nonce that the node takes next', '7'),
  'x-broadcast-nodes': nodesHeader,
}

/** Both answers of a broadcast. */
export const broadcastAnswers = <Schema extends object>(schema: Schema, failureMessage: string) => ({
  201: {
    description: 'A node held the command when it was asked',
    schema,
    headers: successHeaders,
  },
  400: {
    description:
      'The body was refused and nothing was sent, or the node refused the command, or its outcome is unknown: header and `error` say which. Sending the same signed command again is safe.',
    schema: broadcastError,
    headers: failureHeaders,
    example: { message: failureMessage, error: '/payload/fee is missing; /signature/field must be a string' },
  },
})

/** The promises of both broadcasts, for readers of the OpenAPI document. */
export const aboutBroadcasts =
  'The answer is true: 201 only if a node held the command when it was asked, and 400 says in `x-broadcast-outcome` whether it was refused or whether its outcome cannot be known yet. Sending the same signed command again is always safe. The body may have the shape of the contract, be the result of mina-signer as it is, or carry a raw signature, with its bytes in either order. A signed transaction of Rosetta is taken too: `{signature, payment}` for a payment, `{signature, stake_delegation}` for a delegation.'
