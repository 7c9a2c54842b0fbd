// The answers of an operation in the OpenAPI document.

import type { ResponseSchema } from '../../shared/contract/endpoint-contract.ts'
import { message } from '../../shared/contract/error.ts'
import { parametersOf, pointersInBlocks, unheldValues } from '../../shared/contract/parameters.ts'
import { type ResponseHeader, textHeader } from '../../shared/contract/response-header.ts'
import { contracts, type DeclaredEndpoint as Endpoint, endpoints } from '../../shared/endpoints/all.ts'
import { isTagged } from '../../shared/endpoints/endpoint.ts'
import { cacheControlOf, tipHeaders } from '../../shared/http/answer-headers.ts'
import { docsLinks } from '../../shared/http/docs-page.ts'
import { closedAddress, slowDown } from '../../shared/http/routes.ts'
import { responseExamples } from './openapi-examples.ts'
import type { TitledResponse } from './openapi-parts.ts'
import { referring } from './openapi-references.ts'

/** Of the form that answers carry. */
export const exampleTag = 'W/"Jx3c5m1Zq0Tn8yFbVwLk2A"'

/** Every `cache-control` that an endpoint gives with a status, each with its occasion. */
function cacheControlHeader({ caching }: Endpoint, status: string): ResponseHeader {
  const policies = Object.entries(caching).find(([cached]) => cached === status.replace(/^5../, '5xx'))?.[1] ?? {}
  const kinds = Object.values(policies).map((policy) =>
    policy.when === undefined ? cacheControlOf(policy) : `${cacheControlOf(policy)} where ${policy.when}`,
  )
  const [example = cacheControlOf(undefined)] = Object.values(policies).map((policy) => cacheControlOf(policy))
  const ages = Object.values(policies).map(({ maxAgeSeconds }) => maxAgeSeconds)
  const [least, most] = [Math.min(...ages), Math.max(...ages)]
  const age = least === most ? `MaxAge${least}` : `MaxAge${least}To${most}`
  return textHeader(ages.length === 0 ? 'NoStore' : age, kinds.join('; ') || example, example)
}

/** On every answer, those that are made in front of a function included. */
const requestIdHeader = {
  'apigw-requestid': textHeader(
    'RequestId',
    'Id of the request at the API gateway: name it when you report a fault',
    'ZyXwVuTsRqPoNmL=',
  ),
}

/** On which tip an answer rests. Only answers that were made with a node have one. */
const describedTipHeaders = {
  [tipHeaders.height]: textHeader(
    'ChainHeight',
    'Height of the best tip of the node behind the answer; absent where none was asked',
    '359605',
  ),
  [tipHeaders.stateHash]: textHeader('ChainStateHash', 'State hash of that tip', unheldValues.state_hash),
  [tipHeaders.time]: textHeader('ChainTime', 'Time of that tip, ISO-8601', '2026-01-01T00:00:00.000Z'),
  [tipHeaders.syncStatus]: textHeader(
    'NodeSync',
    'How the node was connected to its network: `SYNCED`, `CATCHUP` …',
    'SYNCED',
  ),
}

/** Also on a failure, where a node answered before another call failed. */
const isAboutTheChain = ({ method }: Endpoint, status: string): boolean =>
  method === 'GET' && ['200', '404', '502', '503', '504'].includes(status)

const etagHeader = {
  etag: textHeader('EntityTag', 'Weak tag of what the body says', exampleTag),
}

const linkHeader = {
  link: textHeader(
    'DocsLinks',
    'Addresses of the docs page, as `service-doc`, and of this document, as `service-desc`',
    docsLinks,
  ),
}

const notModifiedOf = ({ links }: Endpoint): TitledResponse => ({
  title: 'NotModified',
  description: 'The copy with one of the tags of `if-none-match` is still good; no body',
  headers: {
    'cache-control': textHeader(
      'CacheControlOfCopy',
      'As with 200',
      'public, max-age=3, stale-while-revalidate=10, stale-if-error=60',
    ),
    ...requestIdHeader,
    ...describedTipHeaders,
    etag: textHeader('EntityTagOfCopy', 'Tag of that copy', exampleTag),
    ...(links !== undefined && linkHeader),
  },
})

const messageBody = (text: string): object => ({
  'application/json': { schema: referring(message), example: { message: text } },
})

/** Answers of what stands before the endpoint. They have no `error`, not even for a broadcast: it was not looked at. */
const refusals = {
  403: {
    title: 'Forbidden',
    description: 'The address is that of the origin behind the CDN, or a firewall blocks the caller',
    content: messageBody(closedAddress),
  },
  429: {
    title: 'TooManyRequests',
    description: 'Too many requests: of one address, or of all together. Nothing was submitted',
    headers: {
      'retry-after': textHeader(
        'RetryAfterOfLimit',
        'Seconds to wait; absent where the limit is that of all together',
        '60',
      ),
    },
    content: messageBody(slowDown),
  },
}

/** A runtime expression of OpenAPI; of several values one text, in which each stands in braces. */
const expressionOf = (pointers: readonly string[]): string => {
  const expressions = pointers.map((pointer) => `$response.body#${pointer}`)
  return expressions.length === 1 ? expressions.join('') : expressions.map((one) => `{${one}}`).join('-')
}

/** The requests that take a value from the blocks of an answer: the docs page fills it in. */
const blockLinks = {
  links: Object.fromEntries(
    endpoints
      .map(({ name, path }) => ({ operationId: name, names: parametersOf(path) }))
      .filter(({ names }) => names.length > 0)
      .map(({ operationId, names }) => [
        operationId,
        {
          operationId,
          parameters: Object.fromEntries(names.map((name) => [name, expressionOf(pointersInBlocks[name])])),
        },
      ]),
  ),
}

const referringHeader = (header: ResponseHeader) => ({ ...header, schema: Object(referring(header.schema)) })

const responseOf = (
  endpoint: Endpoint,
  status: string,
  { title, description, schema, headers, example }: ResponseSchema,
): TitledResponse => ({
  ...(title !== undefined && { title }),
  description,
  headers: {
    'cache-control': cacheControlHeader(endpoint, status),
    ...requestIdHeader,
    ...(isAboutTheChain(endpoint, status) && describedTipHeaders),
    ...(isTagged(endpoint) && status === '200' && etagHeader),
    ...(endpoint.links !== undefined && linkHeader),
    ...Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, referringHeader(header)])),
  },
  content: {
    'application/json': {
      schema: referring(schema),
      ...(responseExamples(endpoint.name, status) ?? (example && { example })),
    },
  },
  ...(endpoint.name === 'getBlocks' && status === '200' && blockLinks),
})

/** Of a broadcast that the API gateway could not hand to its function, or whose function ended without an answer. */
const gatewayFailures = {
  500: {
    title: 'FunctionFailed',
    description: 'The function ended without an answer. The command may have been sent: send the same one again',
    content: messageBody('Internal Server Error'),
  },
  503: {
    title: 'FunctionUnavailable',
    description: 'The function is overloaded or took too long. The command may have been sent: send the same one again',
    content: messageBody('Service Unavailable'),
  },
}

const foreignOption =
  'The query has an option of another service, such as `page` or `minHeight`: the message names those of this path, and the path that has the like'

/** The response, whose 400 says how a GET treats its own options and those of other services. */
const describedFor = (endpoint: Endpoint, status: string, response: ResponseSchema): ResponseSchema =>
  endpoint.method === 'GET' && status === '400'
    ? { ...response, description: `${response.description}. Or: ${foreignOption}` }
    : response

/** All answers by status. */
export const responsesOf = (endpoint: Endpoint): Readonly<Record<string, TitledResponse>> => ({
  ...Object.fromEntries(
    Object.entries(contracts[endpoint.name].responses).map(([status, response]) => [
      status,
      responseOf(endpoint, status, describedFor(endpoint, status, response)),
    ]),
  ),
  ...(isTagged(endpoint) && { 304: notModifiedOf(endpoint) }),
  ...(endpoint.method === 'POST' && gatewayFailures),
  ...refusals,
})
