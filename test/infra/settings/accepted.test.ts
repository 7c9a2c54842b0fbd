import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from '@jest/globals'
import devnet from '../../../config/devnet.ts'
import mainnet from '../../../config/mainnet.ts'
import { readStageSettings } from '../../../infra/settings/read.ts'
import { temporaryFolder } from '../../serving.ts'
import { withOneNode } from './every-setting.ts'
import { minimalFile, mistakesIn, read } from './read-settings.ts'

const table = 'slot,locked\n0,214997828.206981533\n691201,0\n'
const folder = temporaryFolder()

/** The path is relative, so that it is short enough for messages to show it whole. */
function fileOf(content: string): string {
  const path = relative(process.cwd(), join(folder, 'supply.csv'))
  writeFileSync(path, content)
  return path
}

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
      return name.endsWith('Headers') || name === 'tags'
        ? [[variable, JSON.stringify(value)]]
        : Object.entries(variablesOf(value, variable))
    }),
  )

test('every setting comes from the stage file, or from the environment', () => {
  const file = { ...withOneNode, lockedSupplyTable: fileOf(table) }
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

const refused = (got: string) =>
  `lockedSupplyTable | ${got} | the path of a CSV file of locked supply, at most 12000 bytes: slot,locked and then ascending slots with MINA | lockedSupplyTable: 'config/locked-supply.csv'`

test.each([
  ['a table behind the byte order mark of a spreadsheet', `\uFEFF${table}`, table],
  ['nothing', '', ''],
])('a table of the locked supply is read from a file with %s', (_case, content, expected) => {
  expect(read({ ...minimalFile, lockedSupplyTable: fileOf(content) }).lockedSupplyTable).toBe(expected)
})

test.each([
  [
    'is not sorted',
    () => fileOf('slot,locked\n10,2\n9,3\n'),
    'line 3: got slot 9, wants one above 10, the slot before it',
  ],
  ['is too large', () => fileOf(`slot,locked\n${'1,'.padEnd(11_989, '0')}`), 'it has 12001 bytes'],
  ['is missing', () => 'no.csv', `ENOENT: no such file or directory, open '${join(process.cwd(), 'no.csv')}'`],
  ['is a folder', () => folder, 'EISDIR: illegal operation on a directory, read'],
])('a file of locked supply that %s is refused with the reason', (_case, made, reason) => {
  const path = made()
  expect(mistakesIn({ ...minimalFile, lockedSupplyTable: path })).toEqual([refused(`"${path}": ${reason}`)])
})
