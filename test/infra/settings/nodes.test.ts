import { describe, expect, test } from '@jest/globals'
import { messageOf, minimalFile, read } from './read-settings.ts'

const [a, b] = ['https://a.example/graphql', 'https://b.example/graphql']
const withNodes = (nodes: unknown) => ({ network: 'devnet', nodes })
const complete = (graphqlUrl: string) => ({ graphqlUrl, headers: {}, credential: null, sharedAddress: false })

describe('several nodes', () => {
  const nodes = [
    { graphqlUrl: a, credential: { header: 'x-api-key', secret: 'key-of-a' } },
    { graphqlUrl: b, headers: { 'X-Client': 'explorer' }, sharedAddress: true },
  ]
  const settings = [
    { ...complete(a), credential: { header: 'x-api-key', secret: 'key-of-a', parameter: null } },
    { ...complete(b), headers: { 'x-client': 'explorer' }, sharedAddress: true },
  ]

  test('come from the stage file, or as JSON from a variable', () => {
    expect(read(withNodes(nodes))).toMatchObject({ nodeGraphqlUrl: null, nodes: settings })
    expect(read({ network: 'devnet' }, { EXPLORER_NODES: JSON.stringify(nodes) }).nodes).toEqual(settings)
    expect(read(minimalFile).nodes).toBeNull()
  })

  test('replace a single node that a weaker place gives, and it replaces them', () => {
    const ofFile = { ...minimalFile, upstreamHeaders: { k: 'v' }, nodeCredential: { header: 'k', secret: 'name' } }
    const variable = { EXPLORER_NODES: JSON.stringify(nodes) }
    const many = { nodeGraphqlUrl: null, upstreamHeaders: {}, nodeCredential: null, nodes: settings }
    expect(read(ofFile, variable)).toMatchObject(many)
    expect(read(ofFile, variable, { nodeGraphqlUrl: a })).toMatchObject({ nodeGraphqlUrl: a, nodes: null })
    expect(read(withNodes(nodes), { EXPLORER_NODE_GRAPHQL_URL: b })).toMatchObject({ nodeGraphqlUrl: b, nodes: null })
  })

  const six = Array.from({ length: 6 }, (_, index) => ({ graphqlUrl: `https://n${index}.example/graphql` }))
  const long = six.slice(1).map((node) => ({ ...node, headers: { 'x-client': 's3cret'.repeat(100) } }))
  const secret = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:key-a1B2c3'
  test.each([
    ['an empty list', withNodes([]), /got {6}0 nodes: an empty list\n/],
    ['six nodes', withNodes(six), /got {6}6 nodes at n0\.example, .*: more than 5 nodes\n/],
    ['an address twice', withNodes([{ graphqlUrl: a }, complete(a)]), /: the same address twice\n/],
    ['an address with and without a slash', withNodes([complete(a), complete(`${a}/`)]), /: the same address twice\n/],
    [
      'no address',
      withNodes([{ headers: { 'x-api-key': 's3cret' } }]),
      /at no address: node 1, graphqlUrl: the address/,
    ],
    [
      'an unknown key and a password',
      withNodes([
        { graphqlUrl: a, key: 's3cret' },
        { graphqlUrl: 'https://me:s3cret@b.example/', credential: { header: 'x y', secret: 's3cret' } },
      ]),
      /2 nodes at a\.example, b\.example: node 1: unknown key key; node 2, graphqlUrl: the address .*; node 2, credential\.header: the name .*\n/,
    ],
    ['text', withNodes('s3cret'), /got {6}something not shown, since it may hold a key\n/],
    [
      'neither a secret nor a parameter',
      withNodes([{ graphqlUrl: a, credential: { header: 'x-api-key' } }]),
      /: a credential names either a secret or a parameter\n/,
    ],
    ['headers too long for Lambda', withNodes(long), /make 3\d{3} bytes\n {2}wants {4}at most 3196 bytes of them/],
    [
      'no encryption',
      withNodes([{ graphqlUrl: 'http://a.example/graphql' }]),
      /one is not encrypted and there is no vpc/,
    ],
    [
      'a secret of another region',
      withNodes([{ graphqlUrl: a, credential: { header: 'x-api-key', secret } }]),
      /but the stack is in us-east-1\n/,
    ],
  ])('with %s are refused, and no secret is shown', (_what, file, message) => {
    expect(messageOf(file)).toMatch(message)
    expect(messageOf(file)).not.toContain('s3cret')
  })
})
