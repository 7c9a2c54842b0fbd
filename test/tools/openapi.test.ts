// Rules of openapi.json for readers and generators of clients. Its linter (client-types) holds references, words and
// the shape of examples; its other values are those of the committed file, which a change must change too.
import { describe, expect, test } from '@jest/globals'
import Client from 'mina-signer'
import { unheldValues } from '../../shared/contract/parameters.ts'
import { contracts, type DeclaredEndpoint, endpoints } from '../../shared/endpoints/all.ts'
import { routeOf } from '../../shared/http/routes.ts'
import { openApi } from '../../tools/generate/openapi.ts'
import { type Place, placesOf, valueAt } from '../shared/contract/places.ts'

const written: { readonly components: Readonly<Record<string, object>> } = JSON.parse(
  JSON.stringify(openApi(endpoints)),
)

/** Answers, headers and parameters that are written once, in the places that refer to them. */
function inPlace(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inPlace)
  if (typeof value !== 'object' || value === null) return value
  const { $ref }: { readonly $ref?: unknown } = value
  const [, kind = '', name = ''] = /^#\/components\/(headers|parameters|responses)\/(\w+)$/.exec(String($ref)) ?? []
  if (name !== '') return inPlace(Object(written.components[kind])[name])
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inPlace(part)]))
}

const document = inPlace({ ...written, components: { schemas: written.components.schemas } })
const places = placesOf(document)
const at = (...place: Place) => valueAt(document, place)
const spelled = (found: readonly Place[]) => found.map((place) => place.join('.'))
const keysAt = (...place: Place) => Object.keys(Object(at(...place)))
/** True for what such a key holds, and not for a property of that name. */
const isIn = (place: Place, ...keys: readonly string[]): boolean =>
  keys.includes(String(place.at(-2))) && place.at(-3) !== 'properties'
const isInExample = (place: Place): boolean => place.includes('example') || place.includes('examples')

/** With 400 for an option of another service, with 304 where a copy may be current, and with what gateway, CDN and firewall answer in place of an endpoint. */
const statusesOf = ({ name, method, isTagged }: DeclaredEndpoint): readonly string[] =>
  [
    ...new Set([
      ...Object.keys(contracts[name].responses),
      ...(method === 'GET' && isTagged !== false ? ['304'] : []),
      ...(method === 'POST' ? ['403', '429', '500', '503'] : ['400', '403', '429']),
    ]),
  ].sort()

describe('the OpenAPI document', () => {
  test('writes each answer, header and enumeration of a header once, since generators make a type of each copy', () => {
    const partsIn = placesOf(written).filter((place) => !isInExample(place))
    // Those of a body's properties stay where they are: Perl's client reads a named one as an empty object.
    const isEnumeration = (place: Place) =>
      !place.includes('properties') && Array.isArray(valueAt(written, [...place, 'enum']))
    const repeated = partsIn.filter(
      (place) =>
        (isIn(place, 'responses', 'headers') || isEnumeration(place)) &&
        !Object.hasOwn(Object(valueAt(written, place)), '$ref'),
    )
    const textAt = (place: Place) => {
      const part = Object(valueAt(written, place))
      return JSON.stringify(part.enum ?? part)
    }
    const firsts = new Map(repeated.toReversed().map((place) => [textAt(place), place]))
    expect(firsts.size).toBeGreaterThan(50)
    expect(spelled(repeated.filter((place) => firsts.get(textAt(place)) !== place))).toEqual([])
  })

  test('has in words which lists hold nothing twice, since generators make sets or broken code of `uniqueItems`', () => {
    const unique = placesOf(contracts).filter((place) => place.at(-1) === 'uniqueItems')
    const lists = unique.map((place) => Object(valueAt(contracts, place.slice(0, -1))))
    expect(lists.length).toBeGreaterThan(1)
    expect(
      lists.filter(({ description }) => !/none twice|each is the parent of the one before it/.test(description)),
    ).toEqual([])
    expect(spelled(places.filter((place) => place.at(-1) === 'uniqueItems'))).toEqual([])
  })

  test('says of each enumeration but a parameter’s whether other values may come, since many clients lose the answer over one', () => {
    const isOfAnswer = (place: Place) => !place.includes('parameters') && !isInExample(place)
    const enums = places.filter((place) => place.at(-1) === 'enum' && isOfAnswer(place))
    const said = enums.map((place) => {
      const schema = place.slice(0, -1)
      const described = schema.at(-1) === 'schema' ? schema.slice(0, -1) : schema
      const { description } = Object(at(...described))
      const [words] =
        /There will be no other value\.$|Other values may come: read one as `[a-z]+`\.$/.exec(description) ?? []
      return [described.at(-1), words] as const
    })
    expect(said.filter(([, words]) => words === undefined)).toEqual([])
    expect(new Set(said.filter(([, words]) => words?.startsWith('Other')).map(([name]) => name))).toEqual(
      new Set(['BroadcastCode', 'sending']),
    )
  })

  test('has every endpoint with its tag, its parameters and every status that it gives', () => {
    const operations = keysAt('paths').flatMap((path) =>
      keysAt('paths', path).map((method) => [
        `${method.toUpperCase()} ${path} ${at('paths', path, method, 'operationId')}`,
        at('paths', path, method, 'tags'),
        Object.values(Object(at('paths', path, method, 'parameters'))).map((one) =>
          ['in', 'name', 'required'].map((key) => valueAt(one, [key])).join(' '),
        ),
        keysAt('paths', path, method, 'responses'),
      ]),
    )
    const parametersOf = ({ name, path, method, isTagged }: DeclaredEndpoint) => [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => `path ${parameter} true`),
      ...Object.keys(contracts[name].request?.query?.options ?? {}).map((option) => `query ${option} false`),
      ...(method === 'GET' && isTagged !== false ? ['header if-none-match false'] : []),
    ]
    expect(operations).toEqual(
      endpoints.map((endpoint) => [
        `${routeOf(endpoint)} ${endpoint.name}`,
        ...[[endpoint.tag], parametersOf(endpoint), statusesOf(endpoint)],
      ]),
    )
  })

  test('has a type in each schema but that of a signature: ogen reads no list of types, and some generators leave out what has none', () => {
    const schemas = places.filter(
      (place) =>
        !isInExample(place) && (place.at(-1) === 'schema' || ['properties', 'schemas'].includes(String(place.at(-2)))),
    )
    const untyped = schemas.filter((place) => !['type', '$ref'].some((key) => Object.hasOwn(Object(at(...place)), key)))
    expect(spelled(untyped)).toEqual(['components.schemas.AnySignature'])
  })

  test('has a union only where generators do not look', () => {
    const unions = places.filter((place) => !isInExample(place) && /^(one|any|all)Of$/.test(String(place.at(-1))))
    expect(spelled(unions).filter((place) => !place.endsWith('.then.oneOf'))).toEqual([])
  })

  test('bounds each list whose words have a bound, and each public key of a query by its form', () => {
    const described = places
      .map((place) => Object(at(...place)))
      .filter(({ type, description }) => type === 'array' && /at most|none or one/.test(description))
    const bounds = described.map(({ description, maxItems }) => [
      maxItems,
      Number(/at most (one|[\d,]+)/.exec(description)?.[1]?.replace('one', '1').replace(',', '') ?? 1),
    ])
    expect(bounds.length).toBeGreaterThan(0)
    expect(bounds.filter(([bound, inWords]) => bound !== inWords)).toEqual([])
    const keys = places
      .map((place) => Object(at(...place)))
      .filter(({ name, in: place }) => ['from', 'to'].includes(name) && place === 'query')
    const isTaken = (text: string) => keys.map(({ schema: { pattern } }) => new RegExp(pattern).test(text))
    expect([isTaken(unheldValues.public_key), isTaken(unheldValues.state_hash)]).toEqual([
      [true, true],
      [false, false],
    ])
  })

  test('answers every request with application/json and a named schema', () => {
    const contents = places.filter((place) => place.includes('responses') && place.at(-1) === 'content')
    const references = contents.map((place) => at(...place, 'application/json', 'schema', '$ref'))
    expect(references.filter((reference) => !String(reference).startsWith('#/components/'))).toEqual([])
    const statuses = endpoints.flatMap(statusesOf).filter((status) => status !== '304')
    expect(contents).toHaveLength(statuses.length)
  })

  test('lists no header that OpenAPI ignores: the content type of an answer stands with its content', () => {
    const headers = places.filter((place) => place.includes('responses') && place.at(-2) === 'headers')
    expect(headers.length).toBeGreaterThan(100)
    expect(spelled(headers.filter((place) => String(place.at(-1)).toLowerCase() === 'content-type'))).toEqual([])
  })

  test('describes each property, parameter and header', () => {
    const isDescribed = (place: Place): boolean => {
      const name = String(at(...place, '$ref')).replace('#/components/schemas/', '')
      return [place, ['components', 'schemas', name]].some((one) => typeof at(...one, 'description') === 'string')
    }
    const described = places.filter(
      (place) => !isInExample(place) && !place.includes('links') && isIn(place, 'properties', 'parameters', 'headers'),
    )
    expect(described.length).toBeGreaterThan(150)
    expect(spelled(described.filter((place) => !isDescribed(place)))).toEqual([])
  })

  test('links GET /blocks to every request with a path parameter, by a place that its own example has', () => {
    const answer = at('paths', '/blocks', 'get', 'responses', '200')
    const example = valueAt(answer, ['content', 'application/json', 'examples', 'latest', 'value'])
    const linked = Object.values(Object(valueAt(answer, ['links']))).flatMap((link) => {
      const { operationId, parameters } = Object(link)
      return Object.entries<string>(parameters).map(([name, expression]) => {
        const pointers = Array.from(expression.matchAll(/\$response\.body#(\/[^}]*)/g), ([, pointer = '']) => pointer)
        const value = pointers.map((pointer) => valueAt(example, pointer.split('/').slice(1))).join('-')
        return [operationId, name, value]
      })
    })
    const linkable = endpoints.flatMap(({ name, path }) =>
      Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => [name, parameter, expect.stringMatching(/^[\w-]+$/)]),
    )
    expect(linked).toEqual(linkable)
  })

  test('marks every departure from the contract and every addition that the schemas declare', () => {
    const textsOf = (whole: unknown, mark: string) =>
      placesOf(whole).flatMap((place) => (place.at(-1) === mark ? [String(valueAt(whole, place))] : []))
    for (const mark of ['x-contract-departure', 'x-contract-addition']) {
      const declared = endpoints.flatMap(({ name }) => textsOf(contracts[name], mark))
      expect(declared.length).toBeGreaterThan(0)
      const added =
        mark === 'x-contract-addition' ? endpoints.flatMap(({ name }) => contracts[name].addition ?? []) : []
      expect(new Set(textsOf(document, mark))).toEqual(new Set([...declared, ...added]))
    }
  })

  test('has an example of each body, and of a block one with a failed command and zkApp commands', () => {
    const bodies = places.filter((place) => place.at(-1) === 'application/json')
    expect(bodies.length).toBeGreaterThan(30)
    const isShown = (place: Place) => keysAt(...place).some((key) => ['example', 'examples'].includes(key))
    expect(spelled(bodies.filter((place) => !isShown(place)))).toEqual([])
    const block = JSON.stringify(at('paths', '/blocks/{state_hash}', 'get'))
    expect(block).toContain('"failureReason":"Amount_insufficient_to_create_account"')
    expect(block).toContain('"zkappCommandCount":2')
  })

  test('has raw signatures in the byte order of Rosetta, by the judgement of mina-signer', () => {
    const signer = new Client({ network: 'testnet' })
    const unread = {
      randomOracleInput: '',
      signerInput: { prefix: [], suffix: [] },
      payment: null,
      stakeDelegation: null,
    }
    const judged = ['transaction', 'delegation'].map((route) => {
      const content = at('paths', `/broadcast/${route}`, 'post', 'requestBody', 'content', 'application/json')
      const { publicKey, signature, payload } = Object(valueAt(content, ['examples', 'rawSignature', 'value']))
      const { to, from, validUntil: valid_until, ...terms } = payload
      const part =
        route === 'transaction'
          ? { payment: { ...terms, to, from, valid_until, token: '1' } }
          : { stakeDelegation: { ...terms, delegator: from, new_delegate: to, valid_until } }
      return signer.verifyRosettaTransaction({
        publicKey,
        signature: signature.rawSignature,
        data: { ...unread, ...part },
      })
    })
    expect(judged).toEqual([true, true])
  })

  test('has no integer above 2^53-1, where viewers round, and 64 bits for each whose bounds do not fit into 32', () => {
    const numbers = places.map((place) => at(...place)).filter((value) => typeof value === 'number')
    expect(numbers.length).toBeGreaterThan(100)
    expect(numbers.filter((value) => !Number.isSafeInteger(value))).toEqual([])
    const typed = places.filter((place) => !isInExample(place) && ['number', 'integer'].includes(String(at(...place))))
    const schemas = typed.map((place) => place.slice(0, -1))
    const narrow = schemas.filter((schema) => at(...schema, 'format') !== 'int64')
    expect(narrow.length).toBeGreaterThan(1)
    const isBounded = (schema: Place) =>
      at(...schema, 'format') === 'int32' &&
      Number(at(...schema, 'minimum')) >= 0 &&
      Number(at(...schema, 'maximum')) < 2 ** 31
    expect(spelled(narrow.filter((schema) => !isBounded(schema)))).toEqual([])
  })
})
