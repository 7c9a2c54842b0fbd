// The software of others that is deployed: the bill of materials and the notices, from one list, which
// test/infra/api/bundles.test.ts compares with the bundles.
import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { endpoints } from '../../shared/endpoints/all.ts'
import { fileNameOf } from '../../shared/http/routes.ts'
import { billOfMaterials } from '../../tools/generate/bill-of-materials.ts'
import { dependenciesTable } from '../../tools/generate/dependencies-page.ts'
import { withPart } from '../../tools/generate/generated-part.ts'
import { noticesOf } from '../../tools/generate/notices.ts'
import { packagesInUse } from '../../tools/generate/shipped-packages.ts'

const root = join(import.meta.dirname, '../..')
const packages = await packagesInUse()

const functionsOf = (some: typeof endpoints) => some.map(({ name }) => `functions/${fileNameOf(name)}.ts`).sort()
const inXml = functionsOf(endpoints.filter(({ acceptsXml }) => acceptsXml))

test('the notices name each of them; if not, run npm run generate', () => {
  const [path, text] = noticesOf(packages)
  expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  const named = Array.from(text.matchAll(/^((?:@[\w-]+\/)?[\w-]+) \d+\.\d+\.\d+, MIT$/gm), ([, name]) => name)
  expect(named.sort()).toEqual(packages.map(({ folder }) => folder.replace('node_modules/', '')).sort())
})

test('docs/dependencies.md lists each of them; if not, run npm run generate', () => {
  const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  const table = dependenciesTable(packages)
  expect(page).toBe(withPart(page, 'ships', table))
  const listed = Array.from(table.matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name)
  expect(listed).toEqual(packages.map(({ folder }) => folder.replace('node_modules/', '')))
})

test('a package that ships without a known reason is refused by name', () => {
  const stray = { folder: 'node_modules/zod', usedIn: ['functions/docs.ts'] }
  expect(() => dependenciesTable([...packages, stray])).toThrow('zod ships')
})

test('npm run sbom prints them as CycloneDX, each with its hash, its licence and the programs that hold it', () => {
  const printed = JSON.parse(execSync('npm run --silent sbom', { cwd: root, encoding: 'utf8' }))
  expect(printed).toEqual(billOfMaterials(packages))
  const { components, dependencies, ...head } = printed
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const own = `pkg:npm/chain-explorer-rest-service@${version}`
  expect(head).toEqual({
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'chain-explorer-rest-service',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
  })
  const refs: readonly string[] = components.map((component: { 'bom-ref': string }) => component['bom-ref'])
  const parser = refs.find((ref) => ref.startsWith('pkg:npm/fast-xml-parser@')) ?? ''
  expect(components.find(({ purl }: { purl: string }) => purl === parser)).toEqual({
    type: 'library',
    'bom-ref': parser,
    name: 'fast-xml-parser',
    version: parser.split('@')[1],
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    licenses: [{ license: { id: 'MIT' } }],
    purl: parser,
    evidence: { occurrences: inXml.map((location) => ({ location })) },
  })
  const needs = new Map(
    dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, dependsOn]),
  )
  expect([...needs.keys()].sort()).toEqual([own, ...refs].sort())
  expect(needs.get(own)).toEqual([...refs].sort())
  expect(needs.get(parser)).toEqual(
    ['%40nodable/entities', 'path-expression-matcher', 'strnum', 'xml-naming'].map((name) =>
      expect.stringContaining(`/${name}@`),
    ),
  )
})
