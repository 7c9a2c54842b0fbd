// What readers and generators of clients need of the OpenAPI document: words and examples everywhere, and numbers that they keep.
import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { annotationFormats, annotationKeywords } from '../../shared/contract/annotations.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { openApi } from '../../tools/generate/openapi.ts'
import { type Place, placesOf, valueAt } from '../shared/contract/places.ts'

const document: unknown = JSON.parse(JSON.stringify(openApi(endpoints)))
const places = placesOf(document)
const at = (place: Place) => valueAt(document, place)
const spelled = (found: readonly Place[]) => found.map((place) => place.join('.'))

const isInExample = (place: Place): boolean => place.includes('example') || place.includes('examples')

/** A schema's own description, or that of the schema that it refers to. */
const isDescribed = (place: Place): boolean => {
  const schema = at(place)
  const name = String(valueAt(schema, ['$ref'])).replace('#/components/schemas/', '')
  return [schema, at(['components', 'schemas', name])].some(
    (each) => typeof valueAt(each, ['description']) === 'string',
  )
}

describe('every word', () => {
  test('each operation and each answer says what it is', () => {
    const operations = places.filter((place) => place[0] === 'paths' && place.length === 3)
    const answers = places.filter((place) => place[3] === 'responses' && place.length === 5)
    const silent = [...operations, ...answers].filter((place) => !isDescribed(place))
    expect([operations.length, spelled(silent)]).toEqual([endpoints.length, []])
  })

  test('each property, parameter, header and body says what it is', () => {
    const described = places.filter((place) => {
      const holder = place.at(-2)
      return !isInExample(place) && ['properties', 'parameters', 'headers', 'variables'].includes(String(holder))
    })
    expect(described.length).toBeGreaterThan(150)
    expect(spelled(described.filter((place) => !isDescribed(place)))).toEqual([])
  })

  test('each addition to the contract says so', () => {
    const additions = places.filter((place) => place.at(-1) === 'x-contract-addition')
    expect(additions.map((place) => place.slice(2, -1).join('.'))).toEqual([
      'BlockTransactions.properties.zkappCommandCount',
      'UserCommand.properties.failureReason',
    ])
  })
})

describe('every example', () => {
  const bodies = places.filter((place) => place.at(-1) === 'application/json')
  const examplesOf = (place: Place): readonly unknown[] => {
    const { example, examples = {} } = Object(at(place))
    return [...(example === undefined ? [] : [example]), ...Object.values(examples).map((one) => Object(one).value)]
  }

  test('each body of a request and of an answer has one', () => {
    expect(bodies.length).toBeGreaterThan(30)
    expect(spelled(bodies.filter((place) => examplesOf(place).length === 0))).toEqual([])
  })

  test('each fits its schema', () => {
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: annotationFormats })
    ajv.addVocabulary([...annotationKeywords, 'components'])
    const components = at(['components'])
    const wrong = bodies.flatMap((place) => {
      const isValid = ajv.compile({ ...Object(at([...place, 'schema'])), components })
      return examplesOf(place).flatMap((example) => (isValid(example) ? [] : [[place.join('.'), isValid.errors]]))
    })
    expect(wrong).toEqual([])
  })

  test('the parameters have the values of the request that was answered', () => {
    const examples = endpoints
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => valueAt(at(['paths', path, 'get', 'parameters']), [0, 'example']))
    const body = (path: string) =>
      at(['paths', path, 'get', 'responses', '200', 'content', 'application/json', 'examples'])
    const [, stateHash, publicKey] = examples
    expect(examples).toEqual([1, expect.stringMatching(/^3N/), expect.stringMatching(/^B62/), undefined])
    expect(JSON.stringify(body('/blocks/{state_hash}'))).toContain(`"stateHash":"${stateHash}"`)
    expect(JSON.stringify(body('/accounts/{public_key}'))).toContain(`"account":{"publicKey":"${publicKey}"`)
  })

  test('the example of a block shows a failed command and zkApp commands', () => {
    const block = JSON.stringify(at(['paths', '/blocks/{state_hash}', 'get']))
    expect(block).toContain('"failureReason":"Amount_insufficient_to_create_account"')
    expect(block).toContain('"zkappCommandCount":2')
  })
})

describe('numbers', () => {
  test('no integer of the document is above 2^53-1, where viewers round', () => {
    const numbers = places.map(at).filter((value) => typeof value === 'number')
    expect(numbers.length).toBeGreaterThan(100)
    expect(numbers.filter((value) => !Number.isSafeInteger(value))).toEqual([])
  })

  test('limit is an integer from 1 to 10', () => {
    expect(at(['paths', '/blocks', 'get', 'parameters', 0])).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: expect.stringContaining('A larger number is taken for 10'),
      schema: { type: 'integer', minimum: 1, maximum: 10, default: 1 },
      example: 1,
    })
  })

  test('every number of a schema is an integer of 64 bits but the limit', () => {
    const typed = places.filter(
      // Conditions say what is checked of mina-signer's results, which may be text too.
      (place) => !isInExample(place) && !place.includes('then') && ['number', 'integer'].includes(String(at(place))),
    )
    const narrow = typed.filter((place) => at([...place.slice(0, -1), 'format']) !== 'int64')
    expect(spelled(narrow)).toEqual(['paths./blocks.get.parameters.0.schema.type'])
  })
})

test('the lists of staking records and of work have typed items', () => {
  const itemsOf = (schema: string, property: string) =>
    at(['components', 'schemas', schema, 'properties', property, 'items'])
  const record = { $ref: '#/components/schemas/StakingRecord' }
  const lists = ['epochStakingAccount', 'nextEpochStakingAccount', 'epochDelegators', 'nextEpochDelegators']
  expect(lists.map((name) => itemsOf('Account', name))).toEqual([record, record, record, record])
  expect(itemsOf('Account', 'firstPendingTransaction')).toEqual({ $ref: '#/components/schemas/PendingCommand' })
  expect(itemsOf('SnarkJob', 'workIds')).toMatchObject({
    type: 'object',
    properties: { workId: { type: 'integer' } },
    required: ['workId'],
  })
})

test('the first server is the one of npm start, the other a variable with a default', () => {
  expect(at(['servers'])).toEqual([
    { url: 'http://127.0.0.1:8080', description: expect.any(String) },
    {
      url: 'https://{host}',
      description: expect.any(String),
      variables: { host: { default: expect.stringMatching(/^[a-z0-9.]+$/), description: expect.any(String) } },
    },
  ])
})
