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

  const six = Array.from({ length: 6 }, (_, index) => ({ graphqlUrl: `https://n${index}.example/graphql` }))
  const secret = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:key-a1B2c3'
  test.each([
    ['an empty list', withNodes([]), /got {6}0 nodes: the list is empty\n/],
    ['six nodes', withNodes(six), /got {6}6 nodes at n0\.example, .*: more than 5 nodes\n/],
    ['an address twice', withNodes([{ graphqlUrl: a }, complete(a)]), /: the same address twice\n/],
    ['no address', withNodes([{ headers: { 'x-api-key': 's3cret' } }]), /got {6}1 node at no address\n/],
    ['an unknown key', withNodes([{ graphqlUrl: a, key: 's3cret' }]), /got {6}1 node at a\.example\n/],
    ['a password', withNodes([{ graphqlUrl: 'https://me:s3cret@a.example/' }]), /got {6}1 node at a\.example\n/],
    ['text', withNodes('s3cret'), /got {6}something not shown, since it may hold a key\n/],
    [
      'neither a secret nor a parameter',
      withNodes([{ graphqlUrl: a, credential: { header: 'x-api-key' } }]),
      /: a credential names either a secret or a parameter\n/,
    ],
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
