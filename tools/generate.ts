// npm run generate: writes every generated file of the repository, from the sources alone. What takes part in the examples
// or in the bundles is written before, so that nothing rests on what was committed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { settingsTable } from '../infra/settings/table.ts'
import { endpoints } from '../shared/endpoints/all.ts'
import { clientSchemaFiles } from './generate/client-schema.ts'
import { clientsTables } from './generate/clients-page.ts'
import { codePages } from './generate/code-pages.ts'
import { costParts } from './generate/cost/cost-page.ts'
import { dependenciesTable } from './generate/dependencies-page.ts'
import { withPart } from './generate/generated-part.ts'
import { noticesOf } from './generate/notices.ts'
import { openApiFiles } from './generate/openapi-document.ts'
import { packagesInUse } from './generate/shipped-packages.ts'
import { needsTable } from './generate/upstream-pages.ts'
import { validatorFiles } from './generate/validators.ts'
import { synthesise } from './synthesise.ts'

const root = join(import.meta.dirname, '..')

let changed = 0

function write(files: Iterable<readonly [path: string, text: string]>): void {
  for (const [path, text] of files) {
    const file = join(root, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(path)
    changed += 1
  }
}

write(await validatorFiles(endpoints))
const { examplesText } = await import('../local/examples/examples-text.ts')
write([['tools/generate/examples.json', await examplesText()]])
write(openApiFiles(endpoints))
write(clientSchemaFiles())
write(codePages())
const withParts = (path: string, parts: Readonly<Record<string, string>>) =>
  [
    path,
    Object.entries(parts).reduce(
      (document, [name, text]) => withPart(document, name, text),
      readFileSync(join(root, path), 'utf8'),
    ),
  ] as const
const costs = await costParts(({ stage, changed }) => synthesise(stage, changed))
write([
  withParts('docs/operations.md', { settings: settingsTable(), ...costs }),
  withParts('docs/clients.md', { clients: clientsTables() }),
  withParts('docs/upstreams.md', { needs: needsTable() }),
])
const packages = await packagesInUse()
write([noticesOf(packages), withParts('docs/dependencies.md', { ships: dependenciesTable(packages) })])
console.log(changed === 0 ? 'Every generated file was current.' : `${changed} files written anew.`)
