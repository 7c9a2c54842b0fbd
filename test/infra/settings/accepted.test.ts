import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import devnet from '../../../config/devnet.ts'
import mainnet from '../../../config/mainnet.ts'
import { readStageSettings } from '../../../infra/settings/read.ts'
import { leastFile, read } from './read-settings.ts'

const table = 'slot,locked\n0,214997828.206981533\n691201,0\n'
const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-settings-'))
const tablePath = join(folder, 'locked-supply.csv')
writeFileSync(tablePath, table)
afterAll(() => rmSync(folder, { recursive: true }))

/** The settings of a file with only the required ones. */
const defaults = {
  stage: 'dev',
  region: 'us-east-1',
  network: 'devnet',
  chainId: null,
  nodeGraphqlUrl: 'https://node.example/graphql',
  nodes: null,
  upstreamTimeoutMs: 8000,
  upstreamHeaders: {},
  nodeCredential: null,
  indexerGraphqlUrl: null,
  indexerHeaders: {},
  indexerCredential: null,
  indexerTimeoutMs: 1500,
  indexerStakesTimeoutMs: 8000,
  lockedSupplyTable: '',
  vpc: null,
  customDomain: null,
  ipv6: false,
  longestCacheSeconds: 86_400,
  throttles: { reads: { rate: 1000, burst: 2000 }, broadcasts: { rate: 50, burst: 100 } },
  broadcastReservedConcurrency: null,
  accountConcurrency: 1000,
  firewall: { enabled: true, requestsPerMinute: 1000, broadcastsPerMinute: 30 },
  originSecretGeneration: 1,
  alarmEmail: null,
  alarmTopicArn: null,
  logRetentionDays: 30,
  retainLogs: false,
}

/** Every setting with another value than its default. */
const everything = {
  region: 'eu-west-1',
  network: 'mainnet',
  chainId: 'ab'.repeat(32),
  nodeGraphqlUrl: 'http://10.0.0.7:3085/graphql',
  upstreamTimeoutMs: 12_000,
  upstreamHeaders: { 'x-client': 'explorer' },
  nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/node', parameter: null },
  indexerGraphqlUrl: 'http://10.0.0.8:8080/graphql',
  indexerHeaders: { 'x-client': 'explorer too' },
  indexerCredential: { header: 'authorization', secret: null, parameter: '/chain-explorer/indexer' },
  indexerTimeoutMs: 900,
  indexerStakesTimeoutMs: 20_000,
  vpc: {
    vpcId: 'vpc-0a1b2c3d',
    subnetIds: ['subnet-0a1b2c3d', 'subnet-1a2b3c4d'],
    availabilityZones: ['eu-west-1a', 'eu-west-1b'],
    securityGroupIds: ['sg-0a1b2c3d'],
  },
  customDomain: {
    domainName: 'explorer.example.org',
    hostedZoneId: 'Z0123456789ABC',
    zoneName: 'example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  },
  ipv6: true,
  longestCacheSeconds: 60,
  throttles: { reads: { rate: 1, burst: 2 }, broadcasts: { rate: 3, burst: 4 } },
  broadcastReservedConcurrency: 20,
  accountConcurrency: 10,
  firewall: { enabled: false, requestsPerMinute: 10, broadcastsPerMinute: 11 },
  originSecretGeneration: 2,
  alarmEmail: 'ops@example.org',
  logRetentionDays: 365,
  retainLogs: true,
}
const everythingRead = { stage: 'dev', ...everything, nodes: null, lockedSupplyTable: table, alarmTopicArn: null }

describe('accepted settings', () => {
  test('only the network and the node URL are required', () => {
    expect(read(leastFile)).toEqual(defaults)
  })

  test('every setting comes from the stage file', () => {
    expect(read({ ...everything, lockedSupplyTable: tablePath })).toEqual(everythingRead)
  })

  test('every setting comes from the environment, lists separated by commas', () => {
    expect(
      read(
        {},
        {
          EXPLORER_STAGE: 'dev',
          EXPLORER_REGION: 'eu-west-1',
          EXPLORER_NETWORK: 'mainnet',
          EXPLORER_CHAIN_ID: 'ab'.repeat(32),
          EXPLORER_NODE_GRAPHQL_URL: 'http://10.0.0.7:3085/graphql',
          EXPLORER_UPSTREAM_TIMEOUT_MS: '12000',
          EXPLORER_UPSTREAM_HEADERS: '{"X-Client":"explorer"}',
          EXPLORER_NODE_CREDENTIAL_HEADER: 'x-api-key',
          EXPLORER_NODE_CREDENTIAL_SECRET: 'chain-explorer/node',
          EXPLORER_INDEXER_GRAPHQL_URL: 'http://10.0.0.8:8080/graphql',
          EXPLORER_INDEXER_HEADERS: '{"x-client":"explorer too"}',
          EXPLORER_INDEXER_CREDENTIAL_HEADER: 'authorization',
          EXPLORER_INDEXER_CREDENTIAL_PARAMETER: '/chain-explorer/indexer',
          EXPLORER_INDEXER_TIMEOUT_MS: '900',
          EXPLORER_INDEXER_STAKES_TIMEOUT_MS: '20000',
          EXPLORER_LOCKED_SUPPLY_TABLE: tablePath,
          EXPLORER_VPC_VPC_ID: 'vpc-0a1b2c3d',
          EXPLORER_VPC_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-1a2b3c4d',
          EXPLORER_VPC_AVAILABILITY_ZONES: 'eu-west-1a, eu-west-1b',
          EXPLORER_VPC_SECURITY_GROUP_IDS: 'sg-0a1b2c3d',
          EXPLORER_CUSTOM_DOMAIN_DOMAIN_NAME: 'explorer.example.org',
          EXPLORER_CUSTOM_DOMAIN_HOSTED_ZONE_ID: 'Z0123456789ABC',
          EXPLORER_CUSTOM_DOMAIN_ZONE_NAME: 'example.org',
          EXPLORER_CUSTOM_DOMAIN_CERTIFICATE_ARN: everything.customDomain.certificateArn,
          EXPLORER_IPV6: 'true',
          EXPLORER_LONGEST_CACHE_SECONDS: '60',
          EXPLORER_THROTTLES_READS_RATE: '1',
          EXPLORER_THROTTLES_READS_BURST: '2',
          EXPLORER_THROTTLES_BROADCASTS_RATE: '3',
          EXPLORER_THROTTLES_BROADCASTS_BURST: '4',
          EXPLORER_BROADCAST_RESERVED_CONCURRENCY: '20',
          EXPLORER_ACCOUNT_CONCURRENCY: '10',
          EXPLORER_FIREWALL_ENABLED: 'false',
          EXPLORER_FIREWALL_REQUESTS_PER_MINUTE: '10',
          EXPLORER_FIREWALL_BROADCASTS_PER_MINUTE: '11',
          EXPLORER_ORIGIN_SECRET_GENERATION: '2',
          EXPLORER_ALARM_EMAIL: 'ops@example.org',
          EXPLORER_LOG_RETENTION_DAYS: '365',
          EXPLORER_RETAIN_LOGS: 'true',
        },
      ),
    ).toEqual(everythingRead)
  })

  test('the context overrides the environment, the environment overrides the file, and empty text counts as not given', () => {
    const file = {
      ...leastFile,
      logRetentionDays: 7,
      upstreamTimeoutMs: 1,
      indexerTimeoutMs: 1,
      chainId: '',
      vpc: null,
    }
    const env = { EXPLORER_LOG_RETENTION_DAYS: '', EXPLORER_UPSTREAM_TIMEOUT_MS: '2', EXPLORER_INDEXER_TIMEOUT_MS: '2' }
    const context = {
      indexerTimeoutMs: '3',
      'throttles.reads.rate': '5',
      '@aws-cdk/core:flag': true,
      'cli-telemetry': false,
    }
    expect(read(file, env, context)).toEqual({
      ...defaults,
      logRetentionDays: 7,
      upstreamTimeoutMs: 2,
      indexerTimeoutMs: 3,
      throttles: { ...defaults.throttles, reads: { rate: 5, burst: 2000 } },
    })
  })

  test.each([
    ['devnet', devnet, { firewall: false, retainLogs: false }],
    ['mainnet', mainnet, { firewall: true, retainLogs: true }],
  ])('the file of %s is complete', (stage, file, { firewall, retainLogs }) => {
    const { settings } = readStageSettings(stage, file, {}, {})
    expect(settings).toMatchObject({ stage, network: stage, firewall: { enabled: firewall }, retainLogs })
  })
})
