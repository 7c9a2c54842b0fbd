// npm run generate: writes every generated file of the repository, from the sources alone, or after a mistake none. What takes
// part in the examples or in the bundles is written before, so that nothing rests on what was committed.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { settingsTable } from '../infra/settings/table.ts'
import { endpoints } from '../shared/endpoints/all.ts'
import { broadcastCodesTable, sendingsTable } from './generate/broadcasting-page.ts'
import { clientCodesTable } from './generate/client-codes.ts'
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

/** The earlier text of each file that was written anew; undefined where there was none. */
const earlier = new Map<string, string | undefined>()

function write(files: Iterable<readonly [path: string, text: string]>): void {
  for (const [path, text] of files) {
    const file = join(root, path)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    if (before === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    earlier.set(path, before)
  }
}

function restore(): void {
  for (const [path, text] of earlier) {
    if (text === undefined) rmSync(join(root, path))
    else writeFileSync(join(root, path), text)
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    restore()
    process.exit(code)
  })
}

const withParts = (path: string, parts: Readonly<Record<string, string>>) =>
  [
    path,
    Object.entries(parts).reduce(
      (document, [name, text]) => withPart(document, name, text),
      readFileSync(join(root, path), 'utf8'),
    ),
  ] as const

try {
  const costs = await costParts(({ stage, changed }) => synthesise(stage, changed))
  write(await validatorFiles(endpoints))
  const { examplesText } = await import('../local/examples/examples-text.ts')
  write([['tools/generate/examples.json', await examplesText()]])
  write(openApiFiles(endpoints))
  write(clientSchemaFiles())
  write(codePages())
  write([
    withParts('docs/broadcasting.md', { codes: broadcastCodesTable(), sendings: sendingsTable() }),
    withParts('packages/client/README.md', { codes: clientCodesTable() }),
    withParts('docs/operations.md', { settings: settingsTable(), ...costs }),
    withParts('docs/clients.md', { clients: clientsTables() }),
    withParts('docs/upstreams.md', { needs: needsTable() }),
  ])
  const packages = await packagesInUse()
  write([noticesOf(packages), withParts('docs/dependencies.md', { ships: dependenciesTable(packages) })])
  for (const path of earlier.keys()) console.log(path)
  const count = `${earlier.size} file${earlier.size === 1 ? '' : 's'}`
  console.log(earlier.size === 0 ? 'Every generated file was current.' : `${count} written anew.`)
} catch (error) {
  restore()
  // A mistake that this project found says all by itself.
  console.error(error instanceof Error && error.name === 'Error' ? error.message : error)
  console.error('No file was changed.')
  process.exitCode = 1
}
