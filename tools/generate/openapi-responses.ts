// The answers of an operation in the OpenAPI document.

import type { ResponseSchema } from '../../shared/contract/endpoint-contract.ts'
import { message } from '../../shared/contract/error.ts'
import { contracts, type DeclaredEndpoint as Endpoint } from '../../shared/endpoints/all.ts'
import { cacheControlOf, labelHeaders } from '../../shared/http/answer-headers.ts'
import { closedAddress, slowDown } from '../../shared/http/front.ts'
import { responseExamples } from './openapi-examples.ts'
import { referring } from './openapi-references.ts'

/** Every `cache-control` that an endpoint gives with a status, each with its occasion. */
function cacheControlHeader({ caching }: Endpoint, status: string): object {
  const policies = Object.entries(caching).find(([cached]) => cached === status.replace(/^5../, '5xx'))?.[1] ?? {}
  const kinds = Object.values(policies).map((policy) =>
    policy.when === undefined ? cacheControlOf(policy) : `${cacheControlOf(policy)} where ${policy.when}`,
  )
  return { description: kinds.join('; ') || cacheControlOf(undefined), schema: { type: 'string' } }
}

const textHeader = (description: string): object => ({ description, schema: { type: 'string' } })

/** On which tip an answer rests. Only answers that were made with a node have one. */
const tipHeaders = {
  [labelHeaders.height]: textHeader(
    'Height of the best tip of the node behind the answer; absent where none was asked',
  ),
  [labelHeaders.stateHash]: textHeader('State hash of that tip'),
  [labelHeaders.time]: textHeader('Time of that tip, ISO-8601'),
  [labelHeaders.syncStatus]: textHeader('How the node was connected to its network: `SYNCED`, `CATCHUP` …'),
}

const isAboutTheChain = ({ method }: Endpoint, status: string): boolean =>
  method === 'GET' && ['200', '404'].includes(status)

const etagHeader = { etag: textHeader('Weak tag of what the body says; absent from an incomplete answer') }

const notModified = {
  description: 'The copy with one of the tags of `if-none-match` is still good; no body',
  headers: {
    'cache-control': textHeader('As with 200'),
    ...tipHeaders,
    etag: textHeader('Tag of that copy'),
  },
}

const messageBody = (text: string): object => ({
  'application/json': { schema: referring(message), example: { message: text } },
})

/** Answers of what stands before the endpoint. They have no `error`, not even for a broadcast: it was not looked at. */
const refusals = {
  403: {
    description: 'The address is that of the origin behind the CDN, or a firewall blocks the caller',
    content: messageBody(closedAddress),
  },
  429: {
    description: 'Too many requests: of one address, or of all together. Nothing was submitted',
    headers: { 'retry-after': textHeader('Seconds to wait; absent where the limit is that of all together') },
    content: messageBody(slowDown),
  },
}

const responseOf = (
  endpoint: Endpoint,
  status: string,
  { description, schema, headers, example }: ResponseSchema,
): object => ({
  description,
  headers: {
    'cache-control': cacheControlHeader(endpoint, status),
    ...(isAboutTheChain(endpoint, status) && tipHeaders),
    ...(endpoint.currentBasis !== undefined && status === '200' && etagHeader),
    ...headers,
  },
  content: {
    'application/json': {
      schema: referring(schema),
      ...(responseExamples(endpoint.name, status) ?? (example && { example })),
    },
  },
})

/** All answers by status. */
export const responsesOf = (endpoint: Endpoint): object => ({
  ...Object.fromEntries(
    Object.entries(contracts[endpoint.name].responses).map(([status, response]) => [
      status,
      responseOf(endpoint, status, response),
    ]),
  ),
  ...(endpoint.currentBasis !== undefined && { 304: notModified }),
  ...refusals,
})
