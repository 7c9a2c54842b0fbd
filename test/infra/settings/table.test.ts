import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { projectRoot } from '../../../infra/project-root.ts'
import { settings } from '../../../infra/settings/settings.ts'
import { withSettingsTable } from '../../../infra/settings/table.ts'

const document = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8')

test('the table in docs/operations.md is current; if not, run npm run generate', () => {
  expect(withSettingsTable(document)).toBe(document)
})

test.each([...settings.values()].filter(({ key }) => key !== 'lockedSupplyTable'))(
  'the setting $key accepts its own example',
  ({ schema, example }) => {
    expect(schema.safeParse(example)).toMatchObject({ success: true })
  },
)
