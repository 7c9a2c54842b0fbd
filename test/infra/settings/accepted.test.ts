import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import devnet from '../../../config/devnet.ts'
import mainnet from '../../../config/mainnet.ts'
import { readStageSettings } from '../../../infra/settings/read.ts'
import { settings } from '../../../infra/settings/settings.ts'
import { withOneNode, withOtherKeys, withSeveralNodes } from './every-setting.ts'
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
  genesisStateHash: null,
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
  indexerStakes: true,
  lockedSupplyTable: '',
  vpc: null,
  customDomain: null,
  ipv6: false,
  longestCacheSeconds: 86_400,
  originShieldRegion: null,
  throttles: { reads: { rate: 100, burst: 200 }, broadcasts: { rate: 20, burst: 40 } },
  reservedConcurrency: { reads: null, broadcasts: null },
  accountConcurrency: 1000,
  firewall: { enabled: true, requestsPerMinute: 1000, broadcastsPerMinute: 30 },
  originSecretGeneration: 1,
  healthCheck: false,
  alarmEmail: null,
  alarmTopicArn: null,
  tracing: false,
  logRetentionDays: 30,
  retainLogs: false,
}

const everythingRead = { stage: 'dev', ...withOneNode, nodes: null, lockedSupplyTable: table, alarmTopicArn: null }

const valueAt = (file: object, key: string): unknown =>
  key.split('.').reduce<unknown>((part, name) => Object(part)[name], file)
const isGiven = (file: object, key: string): boolean => (valueAt(file, key) ?? null) !== null

describe('accepted settings', () => {
  test('only the network and the node URL are required', () => {
    expect(read(leastFile)).toEqual(defaults)
  })

  test('there are stage files with every setting, and all but the region of the one differs from its default', () => {
    const keysIn = (file: object) => [...settings.keys()].filter((key) => isGiven(file, key))
    const { region, ...others } = { ...withOneNode, lockedSupplyTable: tablePath }
    const given = [{ region }, others, withOtherKeys, withSeveralNodes].flatMap(keysIn)
    expect(new Set(given)).toEqual(new Set(settings.keys()))
    const equal = keysIn(others).filter((key) => {
      const { fallback } = settings.get(key) ?? {}
      return JSON.stringify(valueAt(others, key)) === JSON.stringify(fallback)
    })
    expect(equal).toEqual([])
  })

  test('the region comes from the environment', () => {
    const firewall = { enabled: false }
    expect(read({ ...leastFile, firewall }, { EXPLORER_REGION: 'eu-west-1' }).region).toBe('eu-west-1')
  })

  test('every setting comes from the stage file', () => {
    expect(read({ ...withOneNode, lockedSupplyTable: tablePath })).toEqual(everythingRead)
  })

  test('every setting comes from the environment, lists separated by commas', () => {
    expect(
      read(
        {},
        {
          EXPLORER_STAGE: 'dev',
          EXPLORER_REGION: 'us-east-1',
          EXPLORER_NETWORK: 'mainnet',
          EXPLORER_CHAIN_ID: 'ab'.repeat(32),
          EXPLORER_GENESIS_STATE_HASH: '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ',
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
          EXPLORER_INDEXER_STAKES: 'false',
          EXPLORER_LOCKED_SUPPLY_TABLE: tablePath,
          EXPLORER_VPC_VPC_ID: 'vpc-0a1b2c3d',
          EXPLORER_VPC_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-1a2b3c4d',
          EXPLORER_VPC_AVAILABILITY_ZONES: 'us-east-1a, us-east-1b',
          EXPLORER_VPC_SECURITY_GROUP_IDS: 'sg-0a1b2c3d',
          EXPLORER_CUSTOM_DOMAIN_DOMAIN_NAME: 'explorer.example.org',
          EXPLORER_CUSTOM_DOMAIN_HOSTED_ZONE_ID: 'Z0123456789ABC',
          EXPLORER_CUSTOM_DOMAIN_ZONE_NAME: 'example.org',
          EXPLORER_CUSTOM_DOMAIN_CERTIFICATE_ARN: withOneNode.customDomain.certificateArn,
          EXPLORER_IPV6: 'true',
          EXPLORER_CUSTOM_DOMAIN_ATTACHED: 'false',
          EXPLORER_LONGEST_CACHE_SECONDS: '60',
          EXPLORER_ORIGIN_SHIELD_REGION: 'eu-west-1',
          EXPLORER_THROTTLES_READS_RATE: '1',
          EXPLORER_THROTTLES_READS_BURST: '2',
          EXPLORER_THROTTLES_BROADCASTS_RATE: '3',
          EXPLORER_THROTTLES_BROADCASTS_BURST: '4',
          EXPLORER_RESERVED_CONCURRENCY_READS: '50',
          EXPLORER_RESERVED_CONCURRENCY_BROADCASTS: '20',
          EXPLORER_ACCOUNT_CONCURRENCY: '990',
          EXPLORER_FIREWALL_ENABLED: 'false',
          EXPLORER_FIREWALL_REQUESTS_PER_MINUTE: '10',
          EXPLORER_FIREWALL_BROADCASTS_PER_MINUTE: '11',
          EXPLORER_ORIGIN_SECRET_GENERATION: '2',
          EXPLORER_HEALTH_CHECK: 'true',
          EXPLORER_ALARM_EMAIL: 'ops@example.org',
          EXPLORER_TRACING: 'true',
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
      throttles: { ...defaults.throttles, reads: { rate: 5, burst: 200 } },
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
