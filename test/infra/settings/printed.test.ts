import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { projectRoot } from '../../../infra/project-root.ts'
import { readStageSettings } from '../../../infra/settings/read.ts'
import { settings } from '../../../infra/settings/settings.ts'
import { settingsTable } from '../../../infra/settings/table.ts'
import { withPart } from '../../../tools/generate/generated-part.ts'
import { minimalFile } from './read-settings.ts'

describe('the printed settings', () => {
  const file = {
    ...minimalFile,
    nodeGraphqlUrl: 'https://node.example/graphql?key=s3cret',
    upstreamHeaders: { 'x-client': 's3cret' },
    nodeCredential: { header: 'x-api-key', secret: 'chain-explorer/node' },
  }
  const env = { EXPLORER_ALARM_EMAIL: 'ops@explorer.net' }
  const [title, ...lines] = readStageSettings('dev', file, { retainLogs: 'true' }, env).printed.split('\n')
  const withoutPadding = (line: string) => line.replaceAll(/ {2,}/g, '  ')
  const isDefault = (line: string) => line.endsWith('  (default)')

  test('have their origins, and secrets by name only', () => {
    expect([title, ...lines.filter((line) => !isDefault(line)).map(withoutPadding)]).toEqual([
      'Stage dev',
      '  network  "devnet"  (config/dev.ts)',
      '  nodeGraphqlUrl  "https://node.example/graphql?…"  (config/dev.ts)',
      '  upstreamHeaders  x-client with values not shown  (config/dev.ts)',
      '  nodeCredential.header  "x-api-key"  (config/dev.ts)',
      '  nodeCredential.secret  "chain-explorer/node"  (config/dev.ts)',
      '  alarmEmail  "ops@explorer.net"  (EXPLORER_ALARM_EMAIL)',
      '  retainLogs  "true"  (the CDK context)',
    ])
  })

  test('are complete: every setting, or its group where the stage leaves it out', () => {
    const printed = lines.map((line) => line.trim().split(' ')[0])
    const given = (group: string | undefined) => group === undefined || group === 'nodeCredential'
    const expected = [...settings.values()].map(({ key, optionalGroup }) =>
      given(optionalGroup) ? key : optionalGroup,
    )
    expect(new Set(printed)).toEqual(new Set(expected))
    expect(printed).toHaveLength(new Set(expected).size)
  })
})

const document = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8')

test('the table in docs/operations.md is current; if not, run npm run generate', () => {
  expect(withPart(document, 'settings', settingsTable())).toBe(document)
})

test.each([...settings.values()].filter(({ key }) => key !== 'lockedSupplyTable'))(
  'the setting $key accepts its own example',
  ({ schema, example }) => {
    expect(schema.safeParse(example)).toMatchObject({ success: true })
  },
)
