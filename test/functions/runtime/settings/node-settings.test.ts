import { describe, expect, test } from '@jest/globals'
import { readSettings } from '../../../../functions/runtime/settings/settings.ts'

const urls = ['https://a.example/graphql', 'https://b.example/graphql']
const node = (url: string, name: string) => ({ url, headers: {}, timeoutMs: 8000, sharedAddress: false, name })
const listed = (nodes: unknown) => ({ NODES: typeof nodes === 'string' ? nodes : JSON.stringify(nodes) })

describe('several nodes', () => {
  test('may be addresses separated by commas, without keys', () => {
    expect(readSettings({ NODE_GRAPHQL_URL: urls.join(', ') })).toEqual({
      node: { url: urls[0], headers: {}, timeoutMs: 8000 },
      nodes: [node(urls[0] ?? '', 'a.example'), node(urls[1] ?? '', 'b.example')],
    })
  })

  test('may be a list in which each has its own headers, key and kind of address', () => {
    const nodes = [
      { graphqlUrl: urls[0], credential: { header: 'x-api-key', secret: 'key-of-a' } },
      { graphqlUrl: `${urls[1]}?key=k`, headers: { 'X-Client': 'me' }, sharedAddress: true },
    ]
    expect(readSettings({ ...listed(nodes), UPSTREAM_TIMEOUT_MS: '700' }).nodes).toEqual([
      {
        ...node(urls[0] ?? '', 'a.example'),
        timeoutMs: 700,
        credential: { header: 'x-api-key', secret: 'key-of-a' },
      },
      {
        ...node(`${urls[1]}?key=k`, 'b.example'),
        timeoutMs: 700,
        headers: { 'x-client': 'me' },
        sharedAddress: true,
      },
    ])
  })

  test('of one host are numbered, and ports tell hosts apart', () => {
    const graphqlUrls = ['http://h:1/a', 'http://h:1/b', 'http://h:2/a']
    const { nodes } = readSettings(listed(graphqlUrls.map((graphqlUrl) => ({ graphqlUrl }))))
    expect(nodes?.map(({ name }) => name)).toEqual(['h:1#1', 'h:1#2', 'h:2'])
  })

  test('may be a single node at its own address, unlike the node of NODE_GRAPHQL_URL', () => {
    const [url = ''] = urls
    expect(readSettings(listed([{ graphqlUrl: url }])).nodes).toEqual([node(url, 'a.example')])
    expect(readSettings({ NODE_GRAPHQL_URL: url })).not.toHaveProperty('nodes')
  })

  const six = Array.from({ length: 6 }, (_, index) => ({ graphqlUrl: `https://n${index}.example/graphql` }))
  test.each([
    [listed([]), /^NODES: wanted JSON: a list of 1 to 5 nodes .*, got an empty list$/m],
    [listed('{"secret":1}'), /^NODES: wanted JSON: .*, got something else$/m],
    [listed('secret'), /^NODES: wanted JSON: .*, got something else$/m],
    [listed(six), /^NODES: wanted at most 5, got 6 nodes$/m],
    [listed([six[0], six[0]]), /^NODES: wanted each node once, got an address twice$/m],
    [listed([{}]), /^NODES\[0\]\.graphqlUrl: wanted an http or https address .*, got nothing$/m],
    [listed([{ ...six[0], headers: 'secret' }]), /^NODES\[0\]\.headers: wanted .*, got something else$/m],
    [
      listed([{ ...six[0], credential: { key: 'secret' } }]),
      /^NODES\[0\]\.credential: wanted .*, got something else$/m,
    ],
    [listed([{ ...six[0], sharedAddress: 'yes' }]), /^NODES\[0\]\.sharedAddress: wanted true or false, got "yes"$/m],
    [{ NODE_GRAPHQL_URL: `${urls[0]},${urls[0]}` }, /^NODE_GRAPHQL_URL: wanted each node once, got an address twice$/m],
    [{ NODE_GRAPHQL_URL: `${urls[0]},` }, /^NODE_GRAPHQL_URL: wanted an http or https address .*, got nothing$/m],
    [
      { NODE_GRAPHQL_URL: urls.join(), UPSTREAM_HEADERS: '{"x-api-key":"secret"}' },
      /^UPSTREAM_HEADERS: wanted NODES, .*, got headers for all$/m,
    ],
    [
      { NODE_GRAPHQL_URL: urls.join(), NODE_CREDENTIAL: '{"header":"x-api-key","secret":"secret"}' },
      /^NODE_CREDENTIAL: wanted NODES, .*, got a key for all$/m,
    ],
  ])('%j are refused without quoting a secret', (env, line) => {
    expect(() => readSettings(env)).toThrow(line)
    expect(() => readSettings(env)).not.toThrow(/secret(?!")/)
  })
})
