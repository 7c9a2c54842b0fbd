// The OpenAPI 3.1 description of the service.

import { cacheControlOf } from '../../shared/agreements/caching.ts'
import { largestBodyBytes } from '../../shared/agreements/limits.ts'
import { labelHeaders } from '../../shared/agreements/names.ts'
import { namedSchemas } from '../../shared/contract/named-schemas.ts'
import { type RequestSchema, requests } from '../../shared/contract/requests.ts'
import { type ResponseSchema, responses } from '../../shared/contract/responses.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'

const tags: readonly { readonly name: Endpoint['tag']; readonly description: string }[] = [
  { name: 'broadcast', description: 'Signed commands for the chain' },
  { name: 'blocks', description: 'The latest blocks' },
  { name: 'accounts', description: 'Accounts of the best tip' },
  { name: 'blockchain', description: 'The chain as a whole' },
]

const nameOf: ReadonlyMap<unknown, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
)

/** A schema with every named schema inside it, and itself, replaced by a reference. */
function referring(schema: unknown): unknown {
  const name = nameOf.get(schema)
  return name === undefined ? withReferences(schema) : { $ref: `#/components/schemas/${name}` }
}

function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referring)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referring(value)]))
}

const parametersOf = (request: RequestSchema): readonly object[] =>
  (['path', 'query'] as const).flatMap((place) =>
    Object.entries(request[place] ?? {}).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: place === 'path',
      description,
      schema,
    })),
  )

const requestBodyOf = (bodyShapes: readonly object[], xmlBody: object | undefined): object => ({
  description:
    `At most ${largestBodyBytes / 1024} KB, read as JSON whatever media type the request names` +
    (xmlBody ? ', but for application/xml and text/xml: elements of the same names.' : '.'),
  required: true,
  content: {
    'application/json': { schema: { anyOf: bodyShapes.map(referring) } },
    ...(xmlBody && { 'application/xml': { schema: xmlBody } }),
  },
})

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

const condition = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'Entity tags of copies that the caller has; an answer with one of them comes as 304',
  schema: { type: 'string' },
}

const notModified = {
  description: 'The copy with one of the tags of `if-none-match` is still good; no body',
  headers: {
    'cache-control': textHeader('As with 200'),
    ...tipHeaders,
    etag: textHeader('Tag of that copy'),
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
  content: { 'application/json': { schema: referring(schema), ...(example && { example }) } },
})

function operationOf(endpoint: Endpoint): object {
  const request = requests[endpoint.name]
  const isConditional = endpoint.currentBasis !== undefined
  const parameters = [...parametersOf(request), ...(isConditional ? [condition] : [])]
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(request.bodyShapes && { requestBody: requestBodyOf(request.bodyShapes, request.xmlBody) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses[endpoint.name]).map(([status, response]) => [
          status,
          responseOf(endpoint, status, response),
        ]),
      ),
      ...(isConditional && { 304: notModified }),
    },
  }
}

/**
 * The OpenAPI 3.1 document, in an order that depends on nothing but its input. A schema that departs from the contract
 * says so under `x-contract-departure`.
 */
export function openApi(endpoints: readonly Endpoint[]): object {
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chain Explorer REST Service',
      version: '1.0',
      description:
        'Latest blocks, accounts and summary of a Mina-protocol chain, and broadcasting of signed commands. Amounts in blocks are nanomina as numbers whose digits are exact beyond 2^53; in broadcasts nanomina as text; in accounts and the summary MINA as text.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}',
        variables: { base_url: { default: 'http://127.0.0.1:8080', description: 'Base address of the service' } },
      },
    ],
    security: [],
    tags,
    paths: Object.fromEntries(
      paths.map((path) => [
        path,
        Object.fromEntries(
          endpoints
            .filter((endpoint) => endpoint.path === path)
            .map((endpoint) => [endpoint.method.toLowerCase(), operationOf(endpoint)]),
        ),
      ]),
    ),
    components: {
      schemas: Object.fromEntries(Object.entries(namedSchemas).map(([name, schema]) => [name, withReferences(schema)])),
    },
  }
}
