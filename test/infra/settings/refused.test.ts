import { describe, expect, test } from '@jest/globals'
import { withOneNode } from './every-setting.ts'
import { messageOf, minimalFile, mistakesIn, read } from './read-settings.ts'

const [a, b] = ['https://a.example/graphql', 'https://b.example/graphql']

const wrong = 'The settings of stage dev are wrong. Nothing was synthesised.'

test('one message names every mistake, its place, the given and the wanted value, and an example', () => {
  const file = {
    ...minimalFile,
    throttles: { reads: { rate: 'many' } },
    nodeCredential: { header: 'x-api-key', sekret: 's3cret' },
  }
  expect(
    messageOf(file, { EXPLORER_LOG_RETENTION_DAYS: '10' }, { healthcheck: true }),
  ).toBe(`The settings of stage dev are wrong. Nothing was synthesised.

config/dev.ts: nodeCredential.sekret
  got      an unknown key
  wants    a setting; the nearest is nodeCredential.secret
  example  nodeCredential: { secret: 'chain-explorer/node-key' }
  or       EXPLORER_NODE_CREDENTIAL_SECRET=chain-explorer/node-key

the CDK context: healthcheck
  got      an unknown key
  wants    a setting; the nearest is healthCheck
  example  healthCheck: false
  or       EXPLORER_HEALTH_CHECK=false

config/dev.ts: throttles.reads.rate
  got      "many"
  wants    requests a second, for each GET route: a whole number from 1 to 10000
  example  throttles: { reads: { rate: 100 } }
  or       EXPLORER_THROTTLES_READS_RATE=100

EXPLORER_LOG_RETENTION_DAYS: logRetentionDays
  got      "10"
  wants    days that logs are kept: one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653
  example  logRetentionDays: 30
  or       EXPLORER_LOG_RETENTION_DAYS=30

config/dev.ts: nodeCredential.secret
  got      nothing, but neither a secret nor a parameter is named
  wants    either a secret or a parameter that holds the text of the header
  example  nodeCredential: { secret: 'chain-explorer/node-key' }
  or       EXPLORER_NODE_CREDENTIAL_SECRET=chain-explorer/node-key`)
})

describe('several indexers', () => {
  test('come from a list in the stage file, or from a variable', () => {
    expect(read({ ...minimalFile, indexerGraphqlUrl: [a, b] }).indexerGraphqlUrl).toEqual([a, b])
    expect(read(minimalFile, { EXPLORER_INDEXER_GRAPHQL_URL: `${a}, ${b}` }).indexerGraphqlUrl).toEqual([a, b])
    expect(read({ ...minimalFile, indexerGraphqlUrl: a }).indexerGraphqlUrl).toEqual([a])
  })

  test.each<[string | readonly string[], shown: string]>([
    [[a, a], `"${a}", "${a}": the same address twice`],
    [[a, `${a}/`], `"${a}", "${a}/": the same address twice`],
    [[`${a}?key=k`, `${a}/?key=k`], `"${a}?…", "${a}/?…": the same address twice`],
    [['a', 'b', 'c', 'd'].map((host) => `https://${host}.example/`), ': more than 3 indexers'],
    [[], 'an empty list'],
    [[`${a}?of=a,b`], `"${a}?…"`],
    [[a, 'https://user:s3cret@b.example/graphql'], `"${a}", "https://…@b.example/graphql"`],
    [[a, 'b', a], `"${a}", something not shown, since it may hold a password, "${a}": the same address twice`],
  ])('given as %j are refused', (indexerGraphqlUrl, shown) => {
    const [mistake = '', ...others] = mistakesIn({ ...minimalFile, indexerGraphqlUrl })
    expect([mistake.split(' | ')[1], others]).toEqual([expect.stringContaining(shown), []])
  })
})

describe('an unknown key', () => {
  test.each<[string, ...Parameters<typeof mistakesIn>]>([
    ['the nearest is throttles.reads.rate', { throttles: { reads: { rat: 5 } } }],
    ['the nearest is EXPLORER_NODE_GRAPHQL_URL', {}, { EXPLORER_NODE_URL: 'x' }],
    ['the nearest is nodeGraphqlUrl', {}, {}, { nodegraphqlurl: 'x' }],
    [
      'the nearest are throttles.reads.rate, throttles.reads.burst, throttles.fates.rate, throttles.fates.burst, throttles.broadcasts.rate, throttles.broadcasts.burst',
      { throttels: {} },
    ],
  ])('is refused: %s', (nearest, file, env = {}, context = {}) => {
    expect(mistakesIn({ ...minimalFile, ...file }, env, context)).toEqual([
      expect.stringContaining(` | an unknown key | a setting; ${nearest} | `),
    ])
  })

  test.each([
    ['zebra', 'datadog'],
    ['sentryDsn', 'logLevel'],
  ])('far from any setting gets no neighbour: %s, %s', (...keys) => {
    const file = Object.fromEntries(keys.map((key) => [key, 'x']))
    const lines = 'got      an unknown key\n  wants    a setting; docs/operations.md lists them all'
    expect(messageOf({ ...minimalFile, ...file })).toBe(
      [wrong, ...keys.map((key) => `config/dev.ts: ${key}\n  ${lines}`)].join('\n\n'),
    )
  })

  test('that is a group names the settings of the group', () => {
    expect(mistakesIn({ ...minimalFile, vpc: 'vpc-0a1b2c3d' }, { EXPLORER_FIREWALL: 'true' })).toEqual([
      'vpc | "vpc-0a1b2c3d" | the settings of this group: vpc.vpcId, vpc.subnetIds, vpc.availabilityZones, vpc.securityGroupIds | vpc: { vpcId: \'vpc-0a1b2c3d4e5f67890\' }',
      'the environment: EXPLORER_FIREWALL | "true" | the settings of this group: EXPLORER_FIREWALL_ENABLED, EXPLORER_FIREWALL_REQUESTS_PER_MINUTE, EXPLORER_FIREWALL_BROADCASTS_PER_MINUTE, EXPLORER_FIREWALL_COSTLY_REQUESTS_PER_MINUTE, EXPLORER_FIREWALL_BLOCKED_IP_SET_ARN, EXPLORER_FIREWALL_FREE_IP_SET_ARN | firewall: { enabled: true }',
    ])
  })
})

test.each<[key: string, right: readonly unknown[], wrong: readonly unknown[]]>([
  ['throttles.reads.rate', [1, 10_000, '1'], [-1, 0, 1.5, 10_001, '1e3', '-1', Number.NaN, true]],
  ['firewall.requestsPerMinute', [10], [9]],
  ['firewall.costlyRequestsPerMinute', [10, null, '10'], [9]],
  ['reservedConcurrency.reads', [2], [1]],
  ['originShieldRegion', ['eu-west-1'], ['eu-west-3', 'us-east']],
  ['chainId', ['ab'.repeat(32)], ['ab'.repeat(31)]],
  [
    'vpc.subnetIds',
    ['subnet-0a1b2c3d,subnet-1a2b3c4d', 'subnet-0a1b2c3d, subnet-1a2b3c4d'],
    ['subnet-0a1b2c3d,subnet-0a1b2c3d', '10.0.0.0'],
  ],
])('the bounds of %s are kept', (key, right, wrong) => {
  const file = { ...minimalFile, vpc: withOneNode.vpc }
  expect(() => right.map((value) => read(file, {}, { [key]: value }))).not.toThrow()
  expect(wrong.map((value) => mistakesIn(file, {}, { [key]: value }))).toEqual(
    wrong.map((value) => [expect.stringContaining(`the CDK context: ${key} | ${JSON.stringify(value)} | `)]),
  )
})

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
    [
      'two wrong nodes before an address twice and another region',
      withNodes([
        'x',
        { graphqlUrl: 'b' },
        complete(a),
        { ...complete(`${a}/`), credential: { header: 'key', secret } },
      ]),
      /node 1: an object; node 2, graphqlUrl: the address [^;]*; the same address twice\n(?:.*\n)*.*but the stack is in us-east-1\n/,
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

// No message about refused settings holds a secret, and it says where one belongs.

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
  ['{"CostCenter":42}'],
  ['CostCenter=42'],
  ['{"":"42"}'],
  ['{"aws:x":"42"}'],
  ['{"AWS:x":"42"}'],
  ['{"a=b":"42"}'],
  ['{"a":"<b>"}'],
  [JSON.stringify({ a: 'b'.repeat(257) })],
  ['{"stage":"mine"}'],
  ['{"deployment":"mine"}'],
  [JSON.stringify(Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`tag${index}`, 'x'])))],
  // AWS refuses these in the middle of a deployment: IAM takes names that differ in case for one, CloudFormation no empty value.
  ['{"Service":"x"}'],
  ['{"DEPLOYMENT":"x"}'],
  ['{"Team":"a","team":"b"}'],
  ['{"Team":""}'],
  ['{"Team":" "}'],
  ['{" ":"x"}'],
  ['{" Team":"x"}'],
])('%s is refused as the tags of a stage', (given) => {
  expect(mistakesIn(minimalFile, { EXPLORER_TAGS: given })).toEqual([
    expect.stringMatching(/^EXPLORER_TAGS: tags.* tags of the stack and of its resources beside its own /),
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
