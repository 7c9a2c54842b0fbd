import { expect, test } from '@jest/globals'
import { readStageSettings } from '../../../infra/settings/read.ts'
import { leastFile } from './read-settings.ts'

test('the settings are printed with their origins, and secrets by name only', () => {
  const file = {
    ...leastFile,
    nodeGraphqlUrl: 'https://node.example/graphql?key=s3cret',
    upstreamHeaders: { 'x-api-key': 's3cret' },
    nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/node' },
  }
  const { printed } = readStageSettings(
    'dev',
    file,
    { retainLogs: 'true' },
    { EXPLORER_ALARM_EMAIL: 'ops@example.org' },
  )
  expect(printed).toBe(`Stage dev
  region                        "us-east-1"  (default)
  network                       "devnet"  (config/dev.ts)
  chainId                       nothing  (default)
  nodeGraphqlUrl                "https://node.example/graphql?…"  (config/dev.ts)
  upstreamTimeoutMs             8000  (default)
  upstreamHeaders               x-api-key with values not shown  (config/dev.ts)
  nodeCredential.header         "x-api-key"  (config/dev.ts)
  nodeCredential.secret         "chain-explorer/node"  (config/dev.ts)
  nodeCredential.parameter      nothing  (default)
  indexerGraphqlUrl             nothing  (default)
  indexerHeaders                {}  (default)
  indexerTimeoutMs              1500  (default)
  indexerStakesTimeoutMs        8000  (default)
  lockedSupplyTable             nothing  (default)
  longestCacheSeconds           86400  (default)
  throttles.reads.rate          1000  (default)
  throttles.reads.burst         2000  (default)
  throttles.broadcasts.rate     50  (default)
  throttles.broadcasts.burst    100  (default)
  broadcastReservedConcurrency  nothing  (default)
  accountConcurrency            1000  (default)
  firewall.enabled              true  (default)
  firewall.requestsPerMinute    1000  (default)
  firewall.broadcastsPerMinute  30  (default)
  originSecretGeneration        1  (default)
  alarmEmail                    "ops@example.org"  (EXPLORER_ALARM_EMAIL)
  alarmTopicArn                 nothing  (default)
  logRetentionDays              30  (default)
  retainLogs                    "true"  (the CDK context)
  indexerCredential             nothing  (default)
  vpc                           nothing  (default)
  customDomain                  nothing  (default)`)
})
