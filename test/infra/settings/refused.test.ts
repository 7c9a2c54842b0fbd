import { describe, expect, test } from '@jest/globals'
import { leastFile, messageOf, whole } from './read-settings.ts'

const badUrl = (got: string, origin = 'config/dev.ts'): string =>
  `${origin}: nodeGraphqlUrl
  got      ${got}
  wants    the address of a node's GraphQL: https, or http in a vpc, without user name and password
  example  nodeGraphqlUrl: 'https://node.example/graphql'
  or       EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql`

const noUrl = `config/dev.ts: nodeGraphqlUrl
  got      nothing, but there are no nodes either
  wants    the address of a node, or nodes for several
  example  nodeGraphqlUrl: 'https://node.example/graphql'
  or       EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql`

const badRate = (got: string, origin = 'config/dev.ts'): string =>
  `${origin}: throttles.reads.rate
  got      ${got}
  wants    requests a second in the long run, for each GET route: a whole number from 1 to 10000
  example  throttles: { reads: { rate: 100 } }
  or       EXPLORER_THROTTLES_READS_RATE=100`

describe('an unknown key', () => {
  test('in the stage file is reported with the nearest setting', () => {
    expect(messageOf({ ...leastFile, throttles: { reads: { rat: 5 } } })).toBe(
      whole(`config/dev.ts: throttles.reads.rat
  got      an unknown key
  wants    a setting; the nearest is throttles.reads.rate
  example  throttles: { reads: { rate: 100 } }
  or       EXPLORER_THROTTLES_READS_RATE=100`),
    )
  })

  test('in the environment or the context is reported in the same way', () => {
    expect(messageOf(leastFile, { EXPLORER_NODE_URL: 'x' }, { nodegraphqlurl: 'x' })).toBe(
      whole(
        `the environment: EXPLORER_NODE_URL
  got      an unknown key
  wants    a setting; the nearest is EXPLORER_NODE_GRAPHQL_URL
  example  nodeGraphqlUrl: 'https://node.example/graphql'
  or       EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql`,
        `the CDK context: nodegraphqlurl
  got      an unknown key
  wants    a setting; the nearest is nodeGraphqlUrl
  example  nodeGraphqlUrl: 'https://node.example/graphql'
  or       EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql`,
      ),
    )
  })

  test('near the key of a group is reported with the settings of that group', () => {
    const throttles =
      'throttles.reads.rate, throttles.reads.burst, throttles.broadcasts.rate, throttles.broadcasts.burst'
    expect(messageOf({ ...leastFile, throttels: {} }, { EXPLORER_FIREWALL: 'true' })).toBe(
      whole(
        `config/dev.ts: throttels
  got      an unknown key
  wants    a setting; the nearest are ${throttles}
  example  throttles: { reads: { rate: 100 } }
  or       EXPLORER_THROTTLES_READS_RATE=100`,
        `the environment: EXPLORER_FIREWALL
  got      "true"
  wants    the settings of this group: EXPLORER_FIREWALL_ENABLED, EXPLORER_FIREWALL_REQUESTS_PER_MINUTE, EXPLORER_FIREWALL_BROADCASTS_PER_MINUTE
  example  firewall: { enabled: true }
  or       EXPLORER_FIREWALL_ENABLED=true`,
      ),
    )
  })

  test('is reported if a group has a value of its own', () => {
    expect(messageOf({ ...leastFile, vpc: 'vpc-0a1b2c3d' })).toBe(
      whole(`config/dev.ts: vpc
  got      "vpc-0a1b2c3d"
  wants    the settings of this group: vpc.vpcId, vpc.subnetIds, vpc.availabilityZones, vpc.securityGroupIds
  example  vpc: { vpcId: 'vpc-0a1b2c3d4e5f67890' }
  or       EXPLORER_VPC_VPC_ID=vpc-0a1b2c3d4e5f67890`),
    )
  })
})

describe('an upstream URL', () => {
  test('is required', () => {
    expect(messageOf({ network: 'devnet' })).toBe(whole(noUrl))
  })

  test.each([
    ['ftp://node.example/graphql', '"ftp://node.example/graphql"'],
    ['node.example/graphql', '"node.example/graphql"'],
    [`https://${'x'.repeat(200)} /`, `"https://${'x'.repeat(72)}…"`],
    ['https://user:pass@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user:pa?ss@node.example/graphql', '"https://…@node.example/graphql"'],
    ['https://user:p@ss@node.example/graphql?key=secret', '"https://…@node.example/graphql?…"'],
    ['ftp://node.example/graphql?key=secret', '"ftp://node.example/graphql?…"'],
    ['user:pass@node.example', '"…@node.example"'],
    ['https:/user:pass@node.example', '"…@node.example"'],
  ])('that is %s is refused, and its credentials are not shown', (given, shown) => {
    expect(messageOf(leastFile, { EXPLORER_NODE_GRAPHQL_URL: given })).toBe(
      whole(badUrl(shown, 'EXPLORER_NODE_GRAPHQL_URL')),
    )
    expect(messageOf({ ...leastFile, indexerGraphqlUrl: given })).toBe(
      whole(`config/dev.ts: indexerGraphqlUrl
  got      ${shown}
  wants    the address of an indexer's GraphQL: https, or http in a vpc, without user name and password
  example  indexerGraphqlUrl: 'https://indexer.example/graphql'
  or       EXPLORER_INDEXER_GRAPHQL_URL=https://indexer.example/graphql`),
    )
  })

  test('without encryption needs a VPC', () => {
    expect(messageOf({ ...leastFile, nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql' })).toBe(
      whole(`config/dev.ts: nodeGraphqlUrl
  got      "http://10.0.0.7:3085/graphql", but it is not encrypted and there is no vpc
  wants    an https address, or a vpc that reaches the private one
  example  nodeGraphqlUrl: 'https://node.example/graphql'
  or       EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql`),
    )
  })
})

describe('numbers', () => {
  test.each([
    [-1, '-1'],
    [0, '0'],
    [1.5, '1.5'],
    [10_001, '10001'],
    ['1e3', '"1e3"'],
    ['-1', '"-1"'],
    [Number.NaN, 'null'],
    [true, 'true'],
  ])('a throttle of %s is refused', (rate, shown) => {
    expect(messageOf({ ...leastFile, throttles: { reads: { rate } } })).toBe(whole(badRate(shown)))
  })

  test.each([0, 20_001, -1, 1.5, '8000ms'])('a time-out of %s is refused', (given) => {
    expect(messageOf(leastFile, {}, { upstreamTimeoutMs: given })).toBe(
      whole(`the CDK context: upstreamTimeoutMs
  got      ${JSON.stringify(given)}
  wants    time-out of a call to the node, in milliseconds: a whole number from 1 to 20000
  example  upstreamTimeoutMs: 8000
  or       EXPLORER_UPSTREAM_TIMEOUT_MS=8000`),
    )
  })

  test('a log retention that CloudWatch does not offer is refused', () => {
    expect(messageOf({ ...leastFile, logRetentionDays: 10 })).toBe(
      whole(`config/dev.ts: logRetentionDays
  got      10
  wants    days that logs are kept: one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653
  example  logRetentionDays: 30
  or       EXPLORER_LOG_RETENTION_DAYS=30`),
    )
  })
})

test('all mistakes are reported at once', () => {
  expect(messageOf({ network: 'devnet' }, { EXPLORER_THROTTLES_READS_RATE: '-1' })).toBe(
    whole(badRate('"-1"', 'EXPLORER_THROTTLES_READS_RATE'), noUrl),
  )
})
