import { describe, expect, test } from '@jest/globals'
import { leastFile, messageOf, whole } from './read-settings.ts'

const badSecret = (got: string): string =>
  `config/dev.ts: nodeCredential.secret
  got      ${got}
  wants    the name of a Secrets Manager secret that holds the text of the header, or its whole ARN: arn:aws:secretsmanager:<region>:<account>:secret:<name>-<6 characters>
  example  nodeCredential: { secret: 'chain-explorer/node-key' }
  or       EXPLORER_NODE_CREDENTIAL_SECRET=chain-explorer/node-key`

describe('credentials', () => {
  const withSecret = (secret: unknown) => ({ ...leastFile, nodeCredential: { header: 'x-api-key', secret } })

  test.each([
    'arn:aws:secretsmanager:us-east-1:1234:secret:node-a1B2c3',
    'arn:aws:secretsmanager:us-east-1:123456789012:secret:node',
    'arn:aws:ssm:us-east-1:123456789012:parameter/node',
  ])('with the malformed ARN %s are refused', (arn) => {
    expect(messageOf(withSecret(arn))).toBe(whole(badSecret(`"${arn}"`)))
  })

  test('that are no names are refused and not shown', () => {
    expect(messageOf(withSecret('Bearer s3cret!'))).toBe(
      whole(badSecret('something not shown, since it may be the secret itself')),
    )
  })

  test.each([
    [{ header: 'x-api-key' }, 'undefined, but neither a secret nor a parameter is named'],
    [{ header: 'x-api-key', secret: 'a', parameter: '/b' }, '"a", but a parameter is named as well'],
  ])('%j must name either a secret or a parameter', (nodeCredential, got) => {
    const wants = 'either a secret or a parameter that holds the text of the header'
    expect(messageOf({ ...leastFile, nodeCredential })).toBe(
      whole(badSecret(got.replace('undefined', 'nothing')).replace(/wants .*/, `wants    ${wants}`)),
    )
  })

  test('of an indexer need an indexer', () => {
    const indexerCredential = { header: 'x-api-key', secret: 'chain-explorer/indexer' }
    expect(messageOf({ ...leastFile, indexerCredential })).toBe(
      whole(`config/dev.ts: indexerCredential.header
  got      "x-api-key", but there is no indexer
  wants    indexerGraphqlUrl too
  example  indexerGraphqlUrl: 'https://indexer.example/graphql'
  or       EXPLORER_INDEXER_GRAPHQL_URL=https://indexer.example/graphql`),
    )
  })

  test('are not shown if they are given in place of a name', () => {
    const shown = messageOf({ ...leastFile, nodeCredential: 's3cret', indexerGraphqlUrl: 'https://indexer.example' })
    expect(shown).toBe(
      whole(`config/dev.ts: nodeCredential
  got      something not shown, since it may be the secret itself
  wants    the settings of this group: nodeCredential.header, nodeCredential.secret, nodeCredential.parameter
  example  nodeCredential: { header: 'x-api-key' }
  or       EXPLORER_NODE_CREDENTIAL_HEADER=x-api-key`),
    )
    expect(messageOf({ ...leastFile, nodeCredential: { header: 'x-api-key', parameter: 's3cret' } })).not.toMatch(
      /s3cret/,
    )
  })

  test('must be in the region of the stack', () => {
    const arn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:node-a1B2c3'
    expect(messageOf(withSecret(arn))).toBe(
      whole(
        badSecret(`"${arn}", but the stack is in us-east-1`).replace(
          /wants .*/,
          'wants    a secret in the region of the stack',
        ),
      ),
    )
  })

  test.each([
    ['not JSON', '{"x-api-key":s3cret}'],
    ['a list', '["s3cret"]'],
    ['null', 'null'],
    ['a value that is no text', '{"x-api-key":{"s3cret":1}}'],
    ['a name that HTTP cannot carry', '{"x api key":"s3cret"}'],
    ['a value that HTTP cannot carry', '{"x-api-key":"s3cret\\ns3cret"}'],
  ])('in headers that are %s are refused, and no value is shown', (_case, given) => {
    expect(messageOf(leastFile, { EXPLORER_UPSTREAM_HEADERS: given })).toBe(
      whole(`EXPLORER_UPSTREAM_HEADERS: upstreamHeaders
  got      something not shown, since it may hold a key
  wants    HTTP headers of each request to the node, as JSON in a variable; a key belongs in a secret
  example  upstreamHeaders: { 'x-client': 'explorer' }
  or       EXPLORER_UPSTREAM_HEADERS='{"x-client":"explorer"}'`),
    )
  })
})
