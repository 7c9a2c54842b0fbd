import { describe, expect, test } from '@jest/globals'
import { messageOf, whole } from './read-settings.ts'

const nodeGraphqlUrl = 'https://node.example/graphql'

const badUrl = (got: string): string =>
  `nodeGraphqlUrl
  got    ${got}
  wants  the http or https address of a node's GraphQL, without user name and password
  pass   npm run synth -- -c nodeGraphqlUrl=https://node.example/graphql
  or     EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql npm run synth`

const badIndexerUrl = (got: string): string =>
  `indexerGraphqlUrl
  got    ${got}
  wants  the http or https address of an indexer's GraphQL, without user name and password
  pass   npm run synth -- -c indexerGraphqlUrl=https://indexer.example/graphql
  or     EXPLORER_INDEXER_GRAPHQL_URL=https://indexer.example/graphql npm run synth`

const badHeaders = (got: string, upstream = 'upstream'): string =>
  `${upstream}Headers
  got    ${got}
  wants  a JSON object of header names and their texts
  pass   npm run synth -- -c '${upstream}Headers={"x-api-key":"secret"}'
  or     EXPLORER_${upstream.toUpperCase()}_HEADERS='{"x-api-key":"secret"}' npm run synth`

describe('refused settings', () => {
  test('a missing node URL is answered with the commands that pass one', () => {
    expect(messageOf({})).toBe(whole(badUrl('nothing')))
  })

  test.each([
    ['ftp://node.example/graphql', '"ftp://node.example/graphql"'],
    ['node.example/graphql', '"node.example/graphql"'],
    [`https://${'x'.repeat(200)} /`, `"https://${'x'.repeat(72)}…"`],
  ])('an upstream URL %s is refused', (given, shown) => {
    expect(messageOf({ nodeGraphqlUrl: given })).toBe(whole(badUrl(`${shown} from the CDK context`)))
    expect(messageOf({ nodeGraphqlUrl, indexerGraphqlUrl: given })).toBe(
      whole(badIndexerUrl(`${shown} from the CDK context`)),
    )
  })

  test.each([
    ['https://user:pass@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user:pa?ss@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user:p@ss@node.example/graphql?key=secret', '"https://…@node.example/graphql?…"'],
    ['ftp://node.example/graphql?key=secret', '"ftp://node.example/graphql?…"'],
    ['user:pass@node.example', '"…@node.example"'],
    ['https:/user:pass@node.example', '"…@node.example"'],
  ])('credentials in the upstream URL %s are refused and not shown', (given, shown) => {
    expect(messageOf({}, { EXPLORER_NODE_GRAPHQL_URL: given })).toBe(
      whole(badUrl(`${shown} from EXPLORER_NODE_GRAPHQL_URL`)),
    )
    expect(messageOf({ nodeGraphqlUrl }, { EXPLORER_INDEXER_GRAPHQL_URL: given })).toBe(
      whole(badIndexerUrl(`${shown} from EXPLORER_INDEXER_GRAPHQL_URL`)),
    )
  })

  test.each([
    ['not JSON', '{"x-api-key":s3cret}'],
    ['a list', '["s3cret"]'],
    ['text', '"s3cret"'],
    ['null', 'null'],
    ['a value that is no text', '{"x-api-key":{"s3cret":1}}'],
    ['a name that HTTP cannot carry', '{"x api key":"s3cret"}'],
    ['a value that HTTP cannot carry', '{"x-api-key":"s3cret\\ns3cret"}'],
  ])('headers that are %s are refused, and no value is shown', (_case, given) => {
    const got = `${given.length} characters, not shown since they may hold a key, from the CDK context`
    expect(messageOf({ nodeGraphqlUrl, upstreamHeaders: given })).toBe(whole(badHeaders(got)))
    expect(messageOf({ nodeGraphqlUrl, indexerHeaders: given })).toBe(whole(badHeaders(got, 'indexer')))
  })

  describe.each([
    ['upstreamTimeoutMs', 'EXPLORER_UPSTREAM_TIMEOUT_MS', 8000],
    ['indexerTimeoutMs', 'EXPLORER_INDEXER_TIMEOUT_MS', 1500],
    ['indexerStakesTimeoutMs', 'EXPLORER_INDEXER_STAKES_TIMEOUT_MS', 8000],
  ])('as %s', (key, variable, example) => {
    test.each(['0', '20001', '-1', '1.5', '1e3', '8000ms', '100000000'])('a time-out of %s', (given) => {
      expect(messageOf({ nodeGraphqlUrl, [key]: given })).toBe(
        whole(`${key}
  got    "${given}" from the CDK context
  wants  whole milliseconds from 1 to 20000
  pass   npm run synth -- -c ${key}=${example}
  or     ${variable}=${example} npm run synth`),
      )
    })
  })

  test.each(['Dev', '1st', 'a_b', 'a b', 'x'.repeat(31)])('a stage called %s is refused', (given) => {
    expect(messageOf({ nodeGraphqlUrl, stage: given })).toBe(
      whole(`stage
  got    "${given}" from the CDK context
  wants  a lower-case letter, then at most 29 lower-case letters, digits and hyphens
  pass   npm run synth -- -c stage=dev
  or     EXPLORER_STAGE=dev npm run synth`),
    )
  })

  test('all mistakes are named at once', () => {
    expect(messageOf({ upstreamHeaders: '[]' })).toBe(
      whole(badUrl('nothing'), badHeaders('2 characters, not shown since they may hold a key, from the CDK context')),
    )
  })
})
