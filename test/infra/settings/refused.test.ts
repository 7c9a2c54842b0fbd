import { describe, expect, test } from '@jest/globals'
import { withOneNode } from './every-setting.ts'
import { messageOf, minimalFile, mistakesIn, read } from './read-settings.ts'

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
  wants    requests a second in the long run, for each GET route: a whole number from 1 to 10000
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
  const [a, b] = ['https://a.example/graphql', 'https://b.example/graphql']
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

  test('that is a group names the settings of the group', () => {
    expect(mistakesIn({ ...minimalFile, vpc: 'vpc-0a1b2c3d' }, { EXPLORER_FIREWALL: 'true' })).toEqual([
      'vpc | "vpc-0a1b2c3d" | the settings of this group: vpc.vpcId, vpc.subnetIds, vpc.availabilityZones, vpc.securityGroupIds | vpc: { vpcId: \'vpc-0a1b2c3d4e5f67890\' }',
      'the environment: EXPLORER_FIREWALL | "true" | the settings of this group: EXPLORER_FIREWALL_ENABLED, EXPLORER_FIREWALL_REQUESTS_PER_MINUTE, EXPLORER_FIREWALL_BROADCASTS_PER_MINUTE, EXPLORER_FIREWALL_BLOCKED_IP_SET_ARN | firewall: { enabled: true }',
    ])
  })
})

test.each<[key: string, right: readonly unknown[], wrong: readonly unknown[]]>([
  ['throttles.reads.rate', [1, 10_000, '1'], [-1, 0, 1.5, 10_001, '1e3', '-1', Number.NaN, true]],
  ['firewall.requestsPerMinute', [10], [9]],
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
