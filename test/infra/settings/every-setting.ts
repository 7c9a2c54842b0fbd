// Stage files that give every setting. Some settings exclude each other, so there are three.
import { functionCounts } from '../../../infra/settings/concurrency.ts'
import type { StageFile } from '../../../infra/settings/schema.ts'
import { minUnreserved } from '../../../shared/deployment/settings.ts'
import { endpointSettingsIn, stageRows, stageSettings } from '../../../shared/deployment/stage-settings.ts'

/** The settings that endpoints read themselves, each other than its default. */
const ofEndpoints = endpointSettingsIn({
  ...stageSettings,
  ...Object.fromEntries(
    stageRows.map(([name, row]) => {
      if (row.kind === 'wholeNumber') return [name, row.default === row.range.min ? row.range.max : row.range.min]
      return [name, row.kind === 'switch' ? !row.default : row.default]
    }),
  ),
})

/** For each function; together they leave the account nothing but what AWS keeps. */
const reserved = 20

/** Without the table of locked supply, whose file a test makes. Everything but the region differs from its default. */
export const withOneNode = {
  region: 'us-east-1',
  network: 'mainnet',
  chainId: ['ab'.repeat(32), 'cd'.repeat(32)],
  genesisStateHash: [
    '3NKMm4LzpDEAp8ZqDdYxH5Hgd4Fb2fMR1cSz6mfJdwKeKjghCzWS',
    '3NKsU2tSaeru4Eypyt7McBmeLDcFgo1cYwPLK1g93jUrLi13K29c',
  ],
  nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql',
  upstreamTimeoutMs: 12_000,
  upstreamHeaders: { 'x-client': 'explorer' },
  nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/node', parameter: null },
  indexerGraphqlUrl: ['http://10.0.0.8:8080/graphql'],
  indexerHeaders: { 'x-client': 'explorer too' },
  indexerCredential: { header: 'authorization', secret: null, parameter: '/chain-explorer/indexer' },
  indexerTimeoutMs: 900,
  indexerStakesTimeoutMs: 20_000,
  indexerStakes: false,
  ...ofEndpoints,
  vpc: {
    vpcId: 'vpc-0a1b2c3d',
    subnetIds: ['subnet-0a1b2c3d', 'subnet-1a2b3c4d'],
    availabilityZones: ['us-east-1a', 'us-east-1b'],
    securityGroupIds: ['sg-0a1b2c3d'],
  },
  customDomain: {
    domainName: 'explorer.example.org',
    hostedZoneId: 'Z0123456789ABC',
    zoneName: 'example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
    attached: false,
  },
  ipv6: true,
  longestCacheSeconds: 60,
  originShieldRegion: 'eu-west-1',
  throttles: { reads: { rate: 1, burst: 2 }, fates: { rate: 5, burst: 6 }, broadcasts: { rate: 3, burst: 4 } },
  reservedConcurrency: { reads: reserved, broadcasts: reserved },
  accountConcurrency: minUnreserved + reserved * (functionCounts.reads + functionCounts.broadcasts),
  firewall: {
    enabled: false,
    requestsPerMinute: 10,
    broadcastsPerMinute: 11,
    costlyRequestsPerMinute: 12,
    blockedIpSetArn: null,
    freeIpSetArn: null,
  },
  apiGeneration: 2,
  originSecretGeneration: 2,
  healthCheck: true,
  broadcastHeartbeat: true,
  routeMetrics: false,
  cdnAccessLog: true,
  alarmEmail: 'ops@explorer.net',
  ticketEmail: 'team@explorer.net',
  monthlyBudgetDollars: 50,
  tracing: true,
  logRetentionDays: 365,
  retainLogs: true,
  terminationProtection: false,
  tags: { CostCenter: '42', 'cost:team': 'a b=c' },
} as const satisfies StageFile

/** With the places of keys that exclude those of the first file. */
export const withOtherKeys = {
  network: 'devnet',
  nodeGraphqlUrl: 'https://node.example.org/graphql',
  nodeCredential: { header: 'x-api-key', parameter: '/chain-explorer/node' },
  indexerGraphqlUrl: 'https://indexer.example.org/graphql',
  indexerCredential: { header: 'x-api-key', secret: 'chain-explorer/indexer' },
} as const satisfies StageFile

/** With what excludes a single node and an address for alarms. */
export const withSeveralNodes = {
  network: 'mainnet',
  nodes: [
    {
      graphqlUrl: 'https://a.example.org/graphql',
      credential: { header: 'x-api-key', secret: 'chain-explorer/a', parameter: null },
    },
    { graphqlUrl: 'https://b.example.org/graphql', headers: { 'x-client': 'explorer' }, sharedAddress: true },
  ],
  alarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:ops',
  ticketTopicArn: 'arn:aws:sns:us-east-1:123456789012:team',
} as const satisfies StageFile
