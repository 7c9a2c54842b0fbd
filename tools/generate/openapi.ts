// The OpenAPI 3.1 description of the service.

import type { RequestSchema } from '../../shared/contract/endpoint-contract.ts'
import { type ParameterSchema, parametersOf as parametersIn, pathParameters } from '../../shared/contract/parameters.ts'
import { documented, type Kind, type OptionOf } from '../../shared/contract/query/kinds.ts'
import { maxBodyBytes } from '../../shared/deployment/settings.ts'
import { contracts, type DeclaredEndpoint as Endpoint } from '../../shared/endpoints/all.ts'
import { isTagged } from '../../shared/endpoints/endpoint.ts'
import { parameterExample, requestExamples, xmlRequestExample } from './openapi-examples.ts'
import { sharedResponses } from './openapi-parts.ts'
import { referring, schemaComponents } from './openapi-references.ts'
import { exampleTag, responsesOf } from './openapi-responses.ts'

const tags: readonly { readonly name: Endpoint['tag']; readonly description: string }[] = [
  { name: 'broadcast', description: 'Signed commands for the chain' },
  { name: 'blocks', description: 'The latest blocks' },
  { name: 'accounts', description: 'Accounts of the best tip' },
  { name: 'transactions', description: 'The fate of commands' },
  { name: 'blockchain', description: 'The chain as a whole' },
]

const optionSchema = <Each extends Kind>(option: OptionOf<Each>): object => documented[option.kind](option)

function parametersOf({ name: endpoint, path }: Endpoint, { query }: RequestSchema): readonly object[] {
  const parameter = (
    place: 'path' | 'query',
    name: string,
    description: string | undefined,
    schema: object,
    byDefault?: unknown,
  ) => ({
    name,
    in: place,
    required: place === 'path',
    description,
    schema,
    example: parameterExample(endpoint, name) ?? byDefault,
  })
  return [
    ...parametersIn(path).map((name) => {
      const { description, documented, type }: ParameterSchema = pathParameters[name]
      return parameter('path', name, description, documented ?? { type })
    }),
    ...Object.entries(query?.options ?? {}).map(([name, option]) =>
      parameter('query', name, query?.words[name], optionSchema(option), option.default),
    ),
  ]
}

const ifNoneMatch = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'Entity tags of copies that the caller has; an answer with one of them comes as 304',
  schema: { type: 'string' },
  example: exampleTag,
}

const requestBodyOf = ({ name }: Endpoint, body: object, xmlBody: object | undefined): object => ({
  description:
    `At most ${maxBodyBytes / 1024} KB, read as JSON whatever media type the request names` +
    (xmlBody ? ', but for application/xml and text/xml: elements of the same names.' : '.'),
  required: true,
  content: {
    'application/json': { schema: referring(body), ...requestExamples(name) },
    ...(xmlBody && { 'application/xml': { schema: xmlBody, example: xmlRequestExample(name) } }),
  },
})

/** @param responses all its answers, as the document writes them */
function operationOf(endpoint: Endpoint, responses: object): object {
  const { addition, description, request = {} } = contracts[endpoint.name]
  const parameters = [
    ...parametersOf(endpoint, request),
    ...(isTagged(endpoint) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ]
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description,
    ...(addition && { 'x-contract-addition': addition }),
    ...(parameters.length > 0 && { parameters }),
    ...(request.documentedBody && { requestBody: requestBodyOf(endpoint, request.documentedBody, request.xmlBody) }),
    responses,
  }
}

const description = `Latest blocks, accounts and summary of a Mina-protocol chain, and broadcasting of signed commands.

Amounts in blocks are nanomina (10^-9 MINA) as integers, in broadcasts nanomina as text, in accounts and the summary MINA as text with nine decimals; each schema of an amount says so in \`x-unit\`. The integers are exact however long they are: \`totalCurrency\` is above 2^53, so read it with a parser that keeps its digits. The examples come from a chain with a thousandth of the usual supply, because most viewers would round the real numbers.

HEAD is answered like GET, without a body.`

/**
 * The OpenAPI 3.1 document, in an order that depends on nothing but its input. A schema that departs from the contract
 * says so under `x-contract-departure`, a field of ours under `x-contract-addition`.
 */
export function openApi(endpoints: readonly Endpoint[]): object {
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  const { components, written } = sharedResponses(
    Object.fromEntries(endpoints.map((endpoint) => [endpoint.name, responsesOf(endpoint)])),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chain Explorer REST Service',
      version: '1.0',
      description,
      contact: { name: 'Maintainers of the Chain Explorer REST Service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: 'http://127.0.0.1:8080', description: 'Your own machine: npm start' },
      {
        url: 'https://{host}',
        description: 'A deployment; `host` is its name as `npm run deploy` prints it',
        variables: {
          host: { default: 'd111111abcdef8.cloudfront.net' },
        },
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
            .map((endpoint) => [endpoint.method.toLowerCase(), operationOf(endpoint, written(responsesOf(endpoint)))]),
        ),
      ]),
    ),
    components: { ...components, parameters: { IfNoneMatch: ifNoneMatch }, schemas: schemaComponents() },
  }
}
