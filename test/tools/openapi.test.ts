import { describe, expect, test } from '@jest/globals'
import { contracts, type DeclaredEndpoint, endpoints } from '../../shared/endpoints/all.ts'
import { routeOf } from '../../shared/http/routes.ts'
import { namedSchemas } from '../../tools/generate/named-schemas.ts'
import { openApi } from '../../tools/generate/openapi.ts'
import { placesOf, valueAt } from '../shared/contract/places.ts'

const document = openApi(endpoints)

const at = (...place: readonly string[]) => valueAt(document, place)
const keysAt = (...place: readonly string[]) => Object.keys(Object(at(...place)))

/** What the gateway, the CDN and the firewall may answer in place of an endpoint. */
const refusals = ['403', '429']

/** With 304 where a copy may be current. */
const statusesOf = ({ name, currentBasis }: DeclaredEndpoint): readonly string[] =>
  [...Object.keys(contracts[name].responses), ...(currentBasis ? ['304'] : []), ...refusals].sort()

describe('OpenAPI document', () => {
  test('is version 3.1 of the format, describing version 1.0 of the interface', () => {
    expect([at('openapi'), at('info', 'version')]).toEqual(['3.1.0', '1.0'])
  })

  test('has the four tags of the contract', () => {
    expect(at('tags')).toEqual(
      ['broadcast', 'blocks', 'accounts', 'blockchain'].map((name) => ({ name, description: expect.any(String) })),
    )
  })

  test('has every endpoint with its tag and every status that it gives', () => {
    const operations = keysAt('paths').flatMap((path) =>
      keysAt('paths', path).map((method) => [
        `${method.toUpperCase()} ${path}`,
        at('paths', path, method, 'operationId'),
        at('paths', path, method, 'tags'),
        keysAt('paths', path, method, 'responses'),
      ]),
    )
    expect(operations).toEqual(
      endpoints.map((endpoint) => [routeOf(endpoint), endpoint.name, [endpoint.tag], statusesOf(endpoint)]),
    )
  })

  test('declares each parameter of a path as required, and each of a query as an option', () => {
    const parameters = endpoints.map(({ name, path, method }) => [
      name,
      Object.values(Object(at('paths', path, method.toLowerCase(), 'parameters'))).map(
        (parameter) =>
          `${valueAt(parameter, ['in'])} ${valueAt(parameter, ['name'])} ${valueAt(parameter, ['required'])}`,
      ),
    ])
    expect(parameters).toEqual(
      endpoints.map(({ name, path, currentBasis }) => [
        name,
        [
          ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => `path ${parameter} true`),
          ...Object.keys(contracts[name].request.query ?? {}).map((option) => `query ${option} false`),
          ...(currentBasis ? ['header if-none-match false'] : []),
        ],
      ]),
    )
  })

  test('gives the broadcasts their bodies, the contract’s first, the delegation an XML one too', () => {
    const examples = {
      contract: expect.anything(),
      minaSigner: expect.anything(),
      rawSignature: expect.anything(),
    }
    const bodyOf = (path: string) => at('paths', path, 'post', 'requestBody', 'content')
    const shapes = (...names: readonly string[]) => ({
      schema: { anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
      examples,
    })
    expect([bodyOf('/broadcast/transaction'), bodyOf('/broadcast/delegation')]).toEqual([
      { 'application/json': shapes('TransactionRequest', 'SignedPayment', 'RawTransactionRequest') },
      {
        'application/json': shapes('DelegationRequest', 'SignedDelegation', 'RawDelegationRequest'),
        'application/xml': { schema: { type: 'object' } },
      },
    ])
  })

  test('answers every request with application/json and a named schema', () => {
    const contents = placesOf(document).filter((place) => place.includes('responses') && place.at(-1) === 'content')
    const odd = contents
      .map((place) => valueAt(document, place))
      .filter(
        (content) => !String(valueAt(content, ['application/json', 'schema', '$ref'])).startsWith('#/components/'),
      )
    const answers = endpoints.flatMap(({ name }) => [...Object.keys(contracts[name].responses), ...refusals])
    expect([contents.length, odd]).toEqual([answers.length, []])
  })

  test('refers only to schemas that it has, and to each of them', () => {
    const references = placesOf(document)
      .filter((place) => place.at(-1) === '$ref')
      .map((place) => valueAt(document, place))
    expect([...new Set(references)].sort()).toEqual(
      Object.keys(namedSchemas)
        .map((name) => `#/components/schemas/${name}`)
        .sort(),
    )
  })

  test('lifts every use of a named schema: none is written out twice', () => {
    expect([at('components', 'schemas', 'BlockResponse'), at('components', 'schemas', 'BlocksResponse')]).toEqual([
      { type: 'object', properties: { block: { $ref: '#/components/schemas/Block' } }, required: ['block'] },
      {
        type: 'object',
        properties: {
          blocks: {
            type: 'array',
            description: 'newest first',
            items: { $ref: '#/components/schemas/Block' },
            minItems: 1,
            uniqueItems: true,
          },
        },
        required: ['blocks'],
      },
    ])
  })

  test('shows its departures from the contract where they are', () => {
    const departures = placesOf(document).filter((place) => place.at(-1) === 'x-contract-departure')
    expect(departures.map((place) => place.slice(2, -1).join('.'))).toEqual([
      'Block.properties.snarkJobs',
      'BlockTransactions.properties.feeTransfer',
      'BlockTransactions.properties.userCommands',
      'BlockchainState.properties.snarkedLedgerHash',
      'RawDelegationRequest',
      'RawSignature',
      'RawTransactionRequest',
      'SignedDelegation',
      'SignedPayment',
      'StakingEpochData.properties.epochLength',
    ])
  })

  test('survives JSON unchanged', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })
})
