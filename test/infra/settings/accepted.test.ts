import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import devnet from '../../../config/devnet.ts'
import mainnet from '../../../config/mainnet.ts'
import { readStageSettings } from '../../../infra/settings/read.ts'
import { withOneNode } from './every-setting.ts'
import { minimalFile, read } from './read-settings.ts'

const table = 'slot,locked\n0,214997828.206981533\n691201,0\n'
const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-settings-'))
const tablePath = join(folder, 'locked-supply.csv')
writeFileSync(tablePath, table)
afterAll(() => rmSync(folder, { recursive: true }))

const everythingRead = {
  stage: 'dev',
  ...withOneNode,
  nodes: null,
  lockedSupplyTable: table,
  alarmTopicArn: null,
  ticketTopicArn: null,
}

/** The variables that give the settings of a file: lists with commas, headers as JSON. */
const variablesOf = (group: object, prefix = 'EXPLORER'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(group).flatMap(([name, value]): [string, string][] => {
      const variable = `${prefix}_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
      if (value === null) return []
      if (typeof value !== 'object' || Array.isArray(value)) return [[variable, String(value)]]
      return name.endsWith('Headers')
        ? [[variable, JSON.stringify(value)]]
        : Object.entries(variablesOf(value, variable))
    }),
  )

test('every setting comes from the stage file, or from the environment', () => {
  const file = { ...withOneNode, lockedSupplyTable: tablePath }
  const variables = variablesOf(file)
  expect(variables).toMatchObject({
    EXPLORER_IPV6: 'true',
    EXPLORER_NODE_GRAPHQL_URL: 'http://10.0.0.7:3085/graphql',
    EXPLORER_UPSTREAM_HEADERS: '{"x-client":"explorer"}',
    EXPLORER_VPC_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-1a2b3c4d',
    EXPLORER_CUSTOM_DOMAIN_ATTACHED: 'false',
  })
  expect(read(file)).toEqual(everythingRead)
  expect(read({}, { EXPLORER_STAGE: 'dev', ...variables })).toEqual(everythingRead)
})

test('the context overrides the environment, the environment overrides the file, and empty text counts as not given', () => {
  const firewall = { enabled: false }
  const file = {
    ...minimalFile,
    firewall,
    logRetentionDays: 7,
    upstreamTimeoutMs: 1,
    indexerTimeoutMs: 1,
    chainId: '',
    vpc: null,
  }
  const env = {
    EXPLORER_REGION: 'us-west-2',
    EXPLORER_LOG_RETENTION_DAYS: '',
    EXPLORER_UPSTREAM_TIMEOUT_MS: '2',
    EXPLORER_INDEXER_TIMEOUT_MS: '2',
  }
  const context = { indexerTimeoutMs: '3', 'throttles.reads.rate': '5', '@aws-cdk/core:flag': true }
  expect(read(file, env, context)).toEqual({
    ...read({ ...minimalFile, firewall }),
    region: 'us-west-2',
    logRetentionDays: 7,
    upstreamTimeoutMs: 2,
    indexerTimeoutMs: 3,
    throttles: expect.objectContaining({ reads: { rate: 5, burst: 200 } }),
  })
})

test.each([
  ['devnet', devnet, { firewall: false, retainLogs: false }],
  ['mainnet', mainnet, { firewall: true, retainLogs: true }],
])('the file of %s is complete', (stage, file, { firewall, retainLogs }) => {
  const { settings } = readStageSettings(stage, file, {}, {})
  expect(settings).toMatchObject({ stage, network: stage, firewall: { enabled: firewall }, retainLogs })
})
