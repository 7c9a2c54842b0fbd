import { describe, expect, test } from '@jest/globals'
import { readOriginLock, readSettings } from '../../../../functions/runtime/settings/settings.ts'
import { defaultSettings } from '../../../../shared/deployment/stage-settings.ts'

const url = 'https://node.example/graphql'

describe('settings', () => {
  test.each<[Record<string, string>, object]>([
    [{}, {}],
    [{ UPSTREAM_TIMEOUT_MS: '1' }, { node: { url, headers: {}, timeoutMs: 1 } }],
    [{ UPSTREAM_TIMEOUT_MS: '', UPSTREAM_HEADERS: '', NODES: '', GENESIS_STATE_HASH: '', CHAIN_ID: '' }, {}],
    [
      { UPSTREAM_HEADERS: '{"X-Api-Key":"secret"}' },
      { node: { url, headers: { 'x-api-key': 'secret' }, timeoutMs: 8000 } },
    ],
    [
      { NODE_CREDENTIAL: '{"header":"x-api-key","secret":"stage/node"}', AWS_SESSION_TOKEN: 'token' },
      {
        node: { url, headers: {}, credential: { header: 'x-api-key', secret: 'stage/node' }, timeoutMs: 8000 },
        extension: { url: 'http://localhost:2773', token: 'token' },
      },
    ],
  ])('need only the address of the node, and may have %j', (env, settings) => {
    const defaults = { node: { url, headers: {}, timeoutMs: 8000 }, indexers: [], ofEndpoints: defaultSettings }
    expect(readSettings({ NODE_GRAPHQL_URL: url, ...env })).toEqual({ ...defaults, ...settings })
  })

  test('may name an indexer, with its own headers and time-outs', () => {
    const env = {
      NODE_GRAPHQL_URL: url,
      INDEXER_GRAPHQL_URL: 'http://indexer.example/graphql',
      INDEXER_HEADERS: '{"x-key":"k"}',
      INDEXER_TIMEOUT_MS: '700',
    }
    expect(readSettings(env).indexers).toEqual([
      {
        url: 'http://indexer.example/graphql',
        headers: { 'x-key': 'k' },
        timeoutMs: 700,
        slowTimeoutMs: 8000,
      },
    ])
    expect(readSettings({ NODE_GRAPHQL_URL: url, INDEXER_GRAPHQL_URL: '' }).indexers).toEqual([])
    expect(() => readSettings({ ...env, INDEXER_STAKES_TIMEOUT_MS: '0', INDEXER_GRAPHQL_URL: 'x' })).toThrow(
      /INDEXER_GRAPHQL_URL.*\nINDEXER_STAKES_TIMEOUT_MS/,
    )
  })

  test('may name several indexers, in their order, none of which needs a key', () => {
    const indexer = (url: string) => ({ url, headers: {}, timeoutMs: 1500, slowTimeoutMs: 8000 })
    const [first = '', ...others] = ['a', 'b', 'c'].map((host) => `https://${host}.example/graphql`)
    const env = { NODE_GRAPHQL_URL: url, INDEXER_GRAPHQL_URL: [first, ...others].join(', ') }
    expect(readSettings(env).indexers).toEqual([first, ...others].map(indexer))
    const wanted = 'wanted an http or https address .*, or up to 3, separated by commas, got'
    for (const [given, line] of [
      [{ INDEXER_GRAPHQL_URL: `${first},${first}/` }, `INDEXER_GRAPHQL_URL: ${wanted} the same address twice`],
      [{ INDEXER_GRAPHQL_URL: `${first},${others.join()},https://d.example` }, `${wanted} more than 3 indexers`],
      [{ INDEXER_GRAPHQL_URL: `${first},` }, 'INDEXER_GRAPHQL_URL: wanted .*, got nothing'],
      [{ INDEXER_HEADERS: '{"x-key":"secret"}' }, 'INDEXER_HEADERS: wanted a single indexer, .*, got headers for all'],
      [{ INDEXER_CREDENTIAL: '{"header":"h","secret":"secret"}' }, 'INDEXER_CREDENTIAL: .*, got a key for all'],
    ] as const) {
      expect(() => readSettings({ ...env, ...given })).toThrow(new RegExp(line))
      expect(() => readSettings({ ...env, ...given })).not.toThrow(/secret/)
    }
  })

  test('may pin the network, only by the state hash of its genesis block', () => {
    const genesisStateHash = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'
    const env = { NODE_GRAPHQL_URL: url, GENESIS_STATE_HASH: genesisStateHash }
    expect(readSettings(env)).toMatchObject({ genesisStateHashes: [genesisStateHash] })
    const next = '3NKsU2tSaeru4Eypyt7McBmeLDcFgo1cYwPLK1g93jUrLi13K29c'
    const both = readSettings({ ...env, GENESIS_STATE_HASH: `${genesisStateHash}, ${next}` })
    expect(both).toMatchObject({ genesisStateHashes: [genesisStateHash, next] })
    const six = Array.from({ length: 6 }, (_, index) => `${next.slice(0, -1)}${index + 1}`).join()
    for (const wrong of [`${genesisStateHash}a`, `${next},`, `${next},${next}`, six]) {
      expect(() => readSettings({ ...env, GENESIS_STATE_HASH: wrong })).toThrow(
        /^Settings are wrong\.\nGENESIS_STATE_HASH: wanted the state hash of a genesis block/,
      )
    }
  })

  test('may pin the chain ids of the pinned networks, in the same order', () => {
    const [berkeley, mesa] = [
      '3NK4BpDSekaqsG6tx8Nse2zJchRft2JpnbvMiog55WCr5xJZaKeP',
      '3NLntCRR9RvjtzP24Q1dRvdhmpjiPvfKGaJmAZuJgYoqGpevqDR7',
    ]
    const [ofBerkeley, ofMesa] = [
      'a7351abc7ddf2ea92d1b38cc8e636c271c1dfd2c081c637f62ebc2af34eb7cc1',
      '0718f61ab88f9d0fa643ff4dc3a3d5998dd6d51a6008b2b0339b0dbb26133886',
    ]
    const read = (GENESIS_STATE_HASH: string, CHAIN_ID: string) =>
      readSettings({ NODE_GRAPHQL_URL: url, GENESIS_STATE_HASH, CHAIN_ID }).chainIds
    expect(read(`${berkeley},${mesa}`, `${ofBerkeley.toUpperCase()}, ${ofMesa}`)).toEqual([
      ofBerkeley.toUpperCase(),
      ofMesa,
    ])
    const unknown = '3NKsU2tSaeru4Eypyt7McBmeLDcFgo1cYwPLK1g93jUrLi13K29c'
    expect([read(unknown, 'ab'.repeat(32)), read(unknown, '')]).toEqual([['ab'.repeat(32)], undefined])
    for (const [pins, chainIds, wanted] of [
      ['', ofMesa, 'GENESIS_STATE_HASH beside it'],
      [
        mesa,
        'ab',
        'the chain ids of the networks in GENESIS_STATE_HASH, in the same order: 64 hexadecimal digits each, separated by commas',
      ],
      [`${berkeley},${mesa}`, ofMesa, 'as many chain ids as genesis blocks, in the same order: 2, not 1'],
      [`${berkeley},${mesa}`, `${ofMesa},${ofBerkeley}`, `${ofBerkeley} for mainnet until 2026-09-03`],
      [unknown, ofMesa, `the chain id of ${unknown}, not that of mainnet since 2026-09-03`],
    ] as const) {
      expect(() => read(pins, chainIds)).toThrow(
        `Settings are wrong.\nCHAIN_ID: wanted ${wanted}, got ${JSON.stringify(chainIds)}`,
      )
    }
  })

  test('are refused all at once, and chain ids only beside genesis blocks that are right', () => {
    const mistakesIn = (env: object) => {
      try {
        return Object.keys(readSettings(env))
      } catch (error) {
        return String(error).match(/^[A-Z_]+(?=:)/gm)
      }
    }
    expect(mistakesIn({ CHAIN_ID: 'a' })).toEqual(['NODE_GRAPHQL_URL', 'CHAIN_ID'])
    expect(mistakesIn({ GENESIS_STATE_HASH: 'a', CHAIN_ID: 'a' })).toEqual(['GENESIS_STATE_HASH', 'NODE_GRAPHQL_URL'])
  })

  test('may have payloads read leniently', () => {
    const read = (text: string) => readSettings({ NODE_GRAPHQL_URL: url, LENIENT_PAYLOAD: text }).ofEndpoints
    expect(['true', 'false', ''].map(read)).toMatchObject([
      { lenientPayload: true },
      { lenientPayload: false },
      { lenientPayload: false },
    ])
    expect(() => read('yes')).toThrow('Settings are wrong.\nLENIENT_PAYLOAD: wanted true or false, got "yes"')
  })

  test('hold the secrets of the origin lock, which are required on Lambda', () => {
    const env = { NODE_GRAPHQL_URL: url, AWS_LAMBDA_FUNCTION_NAME: 'summary' }
    expect(readSettings({ ...env, ORIGIN_SECRETS: 'new,old' }).originSecrets).toEqual(['new', 'old'])
    for (const secrets of [{}, { ORIGIN_SECRETS: '' }, { ORIGIN_SECRETS: ',' }]) {
      expect(() => readSettings({ ...env, ...secrets })).toThrow(
        'Settings are wrong.\nORIGIN_SECRETS: wanted the texts that CloudFront sends, separated by commas, got nothing',
      )
      expect(readSettings({ NODE_GRAPHQL_URL: url, ...secrets })).not.toHaveProperty('originSecrets')
    }
  })

  test('of a function without upstreams are the secrets of the origin lock alone', () => {
    expect(readOriginLock({ ORIGIN_SECRETS: 'new,old' })).toEqual(['new', 'old'])
    expect(readOriginLock({})).toBeUndefined()
    expect(() => readOriginLock({ AWS_LAMBDA_FUNCTION_NAME: 'docs' })).toThrow(
      'ORIGIN_SECRETS: wanted the texts that CloudFront sends, separated by commas, got nothing',
    )
  })

  const address = 'an http or https address such as http://127.0.0.1:3085/graphql, without user name and password'
  const milliseconds = 'milliseconds: a whole number from 1 to 20000'
  const headers = 'a JSON object of header names and texts such as {"x-api-key":"…"}'
  test.each([
    [{}, `NODE_GRAPHQL_URL: wanted ${address}, got nothing`],
    [{ NODE_GRAPHQL_URL: 'node:3085' }, `NODE_GRAPHQL_URL: wanted ${address}, got "node:3085"`],
    [{ NODE_GRAPHQL_URL: 'ftp://node/' }, `NODE_GRAPHQL_URL: wanted ${address}, got "ftp://node/"`],
    [{ NODE_GRAPHQL_URL: 'https://me:secret@node/' }, `NODE_GRAPHQL_URL: wanted ${address}, got "https://…@node/"`],
    [{ NODE_GRAPHQL_URL: 'me:secret@node/' }, `NODE_GRAPHQL_URL: wanted ${address}, got "…@node/"`],
    [{ NODE_GRAPHQL_URL: 'ftp://node/?key=secret' }, `NODE_GRAPHQL_URL: wanted ${address}, got "ftp://node/?…"`],
    [{ NODE_GRAPHQL_URL: url, UPSTREAM_TIMEOUT_MS: '8s' }, `UPSTREAM_TIMEOUT_MS: wanted ${milliseconds}, got "8s"`],
    [
      { NODE_GRAPHQL_URL: url, UPSTREAM_TIMEOUT_MS: '20001' },
      `UPSTREAM_TIMEOUT_MS: wanted ${milliseconds}, got "20001"`,
    ],
    [
      { NODE_GRAPHQL_URL: url, UPSTREAM_HEADERS: 'key=secret' },
      `UPSTREAM_HEADERS: wanted ${headers}, got something else`,
    ],
  ])('%j is refused, saying what is wrong and no secret', (env, line) => {
    expect(() => readSettings(env)).toThrow(new Error(`Settings are wrong.\n${line}`))
  })

  test.each(['x', '{"header":"x-api-key"}', '{"secret":"s"}', '{"header":"h","secret":"s","parameter":"p"}'])(
    'refuse the key %s',
    (credential) => {
      expect(() => readSettings({ NODE_GRAPHQL_URL: url, NODE_CREDENTIAL: credential })).toThrow(
        /^Settings are wrong\.\nNODE_CREDENTIAL: wanted JSON/,
      )
    },
  )

  test('name every mistake at once', () => {
    expect(() => readSettings({ UPSTREAM_TIMEOUT_MS: 'x', UPSTREAM_HEADERS: 'x' })).toThrow(
      /UPSTREAM_TIMEOUT_MS.*\nUPSTREAM_HEADERS.*\nNODE_GRAPHQL_URL/,
    )
  })
})

const urls = ['https://a.example/graphql', 'https://b.example/graphql'] as const
const node = (url: string, name: string) => ({ url, headers: {}, timeoutMs: 8000, sharedAddress: false, name })
const listed = (nodes: unknown) => ({ NODES: typeof nodes === 'string' ? nodes : JSON.stringify(nodes) })

describe('several nodes', () => {
  test('may be addresses separated by commas, without keys', () => {
    const nodes = [node(urls[0], 'a.example'), node(urls[1], 'b.example')]
    const first = { url: urls[0], headers: {}, timeoutMs: 8000 }
    expect(readSettings({ NODE_GRAPHQL_URL: urls.join(', ') })).toEqual({
      node: first,
      nodes,
      indexers: [],
      ofEndpoints: defaultSettings,
    })
  })

  test('may be a list in which each has its own headers, key and kind of address', () => {
    const credential = { header: 'x-api-key', secret: 'key-of-a' }
    const other = { graphqlUrl: `${urls[1]}?key=k`, headers: { 'X-Client': 'me' }, sharedAddress: true }
    const env = { ...listed([{ graphqlUrl: urls[0], credential }, other]), UPSTREAM_TIMEOUT_MS: '700' }
    expect(readSettings(env).nodes).toEqual([
      { ...node(urls[0], 'a.example'), timeoutMs: 700, credential },
      { ...node(other.graphqlUrl, 'b.example'), timeoutMs: 700, headers: { 'x-client': 'me' }, sharedAddress: true },
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
    [listed(['http://127.0.0.1']), /^NODES: wanted JSON: .*, got something else$/m],
    [listed(six), /^NODES: wanted JSON: a list of 1 to 5 nodes .*, got more than 5 nodes$/m],
    [listed([six[0], six[0]]), /^NODES: wanted JSON: a list of 1 to 5 nodes .*, got the same address twice$/m],
    [listed([{}]), /^NODES\[0\]\.graphqlUrl: wanted an http or https address .*, got nothing$/m],
    [listed([{ ...six[0], header: {} }]), /^NODES\[0\]: wanted graphqlUrl, headers, .*, got header$/m],
    [listed([{ ...six[0], headers: 'secret' }]), /^NODES\[0\]\.headers: wanted .*, got something else$/m],
    [
      listed([{ ...six[0], credential: { key: 'secret' } }]),
      /^NODES\[0\]\.credential: wanted .*, got something else$/m,
    ],
    [listed([{ ...six[0], sharedAddress: 'yes' }]), /^NODES\[0\]\.sharedAddress: wanted true or false, got "yes"$/m],
    [
      { NODE_GRAPHQL_URL: `${urls[0]},${urls[0]}` },
      /^NODE_GRAPHQL_URL: wanted an http or https address .*, or several, separated by commas, got the same address twice$/m,
    ],
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
