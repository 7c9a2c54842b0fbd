// The part of `npm run generate` that renews the table of settings in docs/operations.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../project-root.ts'
import { withSettingsTable } from './table.ts'

const document = join(projectRoot, 'docs/operations.md')
writeFileSync(document, withSettingsTable(readFileSync(document, 'utf8')))
