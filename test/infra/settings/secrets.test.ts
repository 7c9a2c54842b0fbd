// No message about refused settings holds a secret, and it says where one belongs.
import { describe, expect, test } from '@jest/globals'
import { messageOf, minimalFile, mistakesIn } from './read-settings.ts'

const secret = 's3cret!'

describe('a message shows no secret that is', () => {
  const shapes = [secret, [secret], { value: secret }, { header: secret }, [{ secret }]]
  const places = [
    (value: unknown) => ({ nodeCredential: value }),
    (value: unknown) => ({ nodeCredential: { header: 'x-api-key', secret: value } }),
    (value: unknown) => ({ nodeCredential: { header: 'x-api-key', secret: 'explorer/node', parameter: value } }),
    (value: unknown) => ({ indexerCredential: { header: 'authorization', parameter: value } }),
    (value: unknown) => ({ upstreamHeaders: value }),
    (value: unknown) => ({ indexerHeaders: { 'x-client': value } }),
    (value: unknown) => ({ nodeGraphqlUrl: typeof value === 'string' ? `https://user:${value}@node.example` : value }),
    (value: unknown) => ({ indexerGraphqlUrl: typeof value === 'string' ? `ftp://a.example/?key=${value}` : value }),
  ]

  test.each(places.flatMap((place) => shapes.map((shape) => place(shape))))('given as %j', (given) => {
    // Some of these headers are valid, so a second mistake makes sure that there is a message.
    expect(messageOf({ ...minimalFile, retainLogs: 'maybe', ...given })).not.toContain(secret)
  })
})

test.each([
  [`https://${'x'.repeat(200)} /`, `"https://${'x'.repeat(72)}…"`],
  ['https://user:pass@node.example/graphql', '"https://…@node.example/graphql"'],
  ['https://user:p@ss@node.example/graphql?key=secret', '"https://…@node.example/graphql?…"'],
  ['user:pass@node.example', '"…@node.example"'],
])('the address %s of a node or an indexer is refused, and shown as %s', (given, shown) => {
  const refused = (upstream: string) =>
    expect.stringContaining(`GraphqlUrl | ${shown} | the address of ${upstream}'s GraphQL: https, or http in a vpc`)
  expect(mistakesIn(minimalFile, { EXPLORER_NODE_GRAPHQL_URL: given })).toEqual([refused('a node')])
  expect(mistakesIn({ ...minimalFile, indexerGraphqlUrl: given })).toEqual([refused('an indexer')])
})

test.each([
  ['arn:aws:secretsmanager:us-east-1:1234:secret:node-a1B2c3', true],
  ['arn:aws:secretsmanager:us-east-1:123456789012:secret:node-a1B2c', true],
  ['arn:aws:ssm:us-east-1:123456789012:parameter/node', true],
  ['Bearer s3cret!', false],
])('%s is refused as the name of a secret (shown: %s)', (name, isShown) => {
  const nodeCredential = { header: 'x-api-key', secret: name }
  const shown = isShown ? `"${name}"` : 'something not shown, since it may be the secret itself'
  expect(mistakesIn({ ...minimalFile, nodeCredential })).toEqual([
    `nodeCredential.secret | ${shown} | the name of a Secrets Manager secret that holds the text of the header, or its whole ARN: arn:aws:secretsmanager:<region>:<account>:secret:<name>-<6 characters> | nodeCredential: { secret: 'chain-explorer/node-key' }`,
  ])
})

test.each([
  ['are not JSON', '{"x-api-key":s3cret}'],
  ['have a name that HTTP cannot carry', '{"x api key":"s3cret"}'],
  ['have a value that HTTP cannot carry', '{"x-api-key":"s3cret\\ns3cret"}'],
])('headers that %s are refused, and no value is shown', (_case, given) => {
  expect(mistakesIn(minimalFile, { EXPLORER_UPSTREAM_HEADERS: given })).toEqual([
    "EXPLORER_UPSTREAM_HEADERS: upstreamHeaders | something not shown, since it may hold a key | HTTP headers of each request to the node, as JSON in a variable; a key belongs in a secret | upstreamHeaders: { 'x-client': 'explorer' }",
  ])
})
