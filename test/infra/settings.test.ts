import { describe, expect, test } from '@jest/globals'
import { readStageSettings, SettingsError } from '../../infra/settings.ts'

const nodeGraphqlUrl = 'https://node.example/graphql'

const read = (context: Record<string, unknown>, env: Record<string, string> = {}) =>
  readStageSettings((key) => context[key], env)

/** The whole message of refused settings. */
function messageOf(context: Record<string, unknown>, env: Record<string, string> = {}): string {
  try {
    read(context, env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  throw new Error('The settings were accepted.')
}

const whole = (...mistakes: string[]): string =>
  ['The settings of the stage are wrong. Nothing was synthesised.', ...mistakes, 'npm run deploy takes the same.'].join(
    '\n\n',
  )

const badUrl = (got: string): string =>
  `nodeGraphqlUrl
  got    ${got}
  wants  the http or https address of a node's GraphQL, without user name and password
  pass   npm run synth -- -c nodeGraphqlUrl=https://node.example/graphql
  or     EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql npm run synth`

const badHeaders = (got: string): string =>
  `upstreamHeaders
  got    ${got}
  wants  a JSON object of header names and their texts
  pass   npm run synth -- -c 'upstreamHeaders={"x-api-key":"secret"}'
  or     EXPLORER_UPSTREAM_HEADERS='{"x-api-key":"secret"}' npm run synth`

describe('accepted settings', () => {
  test('a node URL alone is enough', () => {
    expect(read({ nodeGraphqlUrl })).toEqual({
      stage: 'dev',
      nodeGraphqlUrl,
      upstreamTimeoutMs: 8000,
      upstreamHeaders: {},
    })
  })

  test('every setting comes from the context', () => {
    expect(
      read({
        stage: 'prod',
        nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql',
        upstreamTimeoutMs: '12000',
        upstreamHeaders: '{"X-Api-Key":"s3cret"}',
      }),
    ).toEqual({
      stage: 'prod',
      nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql',
      upstreamTimeoutMs: 12_000,
      upstreamHeaders: { 'x-api-key': 's3cret' },
    })
  })

  test('every setting comes from the environment', () => {
    expect(
      read(
        {},
        {
          EXPLORER_STAGE: 'devnet-2',
          EXPLORER_NODE_GRAPHQL_URL: nodeGraphqlUrl,
          EXPLORER_UPSTREAM_TIMEOUT_MS: '1',
          EXPLORER_UPSTREAM_HEADERS: '{"x-api-key":"s3cret"}',
        },
      ),
    ).toEqual({
      stage: 'devnet-2',
      nodeGraphqlUrl,
      upstreamTimeoutMs: 1,
      upstreamHeaders: { 'x-api-key': 's3cret' },
    })
  })

  test('numbers and objects of cdk.json are taken as they are', () => {
    expect(read({ nodeGraphqlUrl, upstreamTimeoutMs: 20_000, upstreamHeaders: { 'x-api-key': 's3cret' } })).toEqual({
      stage: 'dev',
      nodeGraphqlUrl,
      upstreamTimeoutMs: 20_000,
      upstreamHeaders: { 'x-api-key': 's3cret' },
    })
  })

  test('the context goes before the environment, and empty text counts as nothing', () => {
    const env = { EXPLORER_STAGE: 'other', EXPLORER_NODE_GRAPHQL_URL: nodeGraphqlUrl, EXPLORER_UPSTREAM_TIMEOUT_MS: '' }
    expect(read({ stage: 'mine', nodeGraphqlUrl: '' }, env)).toEqual({
      stage: 'mine',
      nodeGraphqlUrl,
      upstreamTimeoutMs: 8000,
      upstreamHeaders: {},
    })
  })
})

describe('refused settings', () => {
  test('a missing node URL is answered with the commands that pass one', () => {
    expect(messageOf({})).toBe(whole(badUrl('nothing')))
  })

  test.each([
    ['ftp://node.example/graphql', '"ftp://node.example/graphql"'],
    ['node.example/graphql', '"node.example/graphql"'],
    [`https://${'x'.repeat(200)} /`, `"https://${'x'.repeat(72)}…"`],
  ])('a node URL %s is refused', (given, shown) => {
    expect(messageOf({ nodeGraphqlUrl: given })).toBe(whole(badUrl(`${shown} from the CDK context`)))
  })

  test.each([
    ['https://user:pass@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user:pa?ss@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user:p@ss@node.example/graphql?key=secret', '"https://…@node.example/graphql?…"'],
    ['ftp://node.example/graphql?key=secret', '"ftp://node.example/graphql?…"'],
    ['user:pass@node.example', '"…@node.example"'],
    ['https:/user:pass@node.example', '"…@node.example"'],
  ])('credentials in the node URL %s are refused and not shown', (given, shown) => {
    expect(messageOf({}, { EXPLORER_NODE_GRAPHQL_URL: given })).toBe(
      whole(badUrl(`${shown} from EXPLORER_NODE_GRAPHQL_URL`)),
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
  })

  test.each(['0', '20001', '-1', '1.5', '1e3', '8000ms', '100000000'])('a time-out of %s is refused', (given) => {
    expect(messageOf({ nodeGraphqlUrl, upstreamTimeoutMs: given })).toBe(
      whole(`upstreamTimeoutMs
  got    "${given}" from the CDK context
  wants  whole milliseconds from 1 to 20000
  pass   npm run synth -- -c upstreamTimeoutMs=8000
  or     EXPLORER_UPSTREAM_TIMEOUT_MS=8000 npm run synth`),
    )
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
