// Generated files are committed with what they are generated from.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { examplesText } from '../local/examples/examples-text.ts'
import { endpoints } from '../shared/endpoints/all.ts'
import { blocksBelowQuery } from '../shared/indexer/older-blocks.ts'
import { broadcastCodesTable } from '../tools/generate/broadcasting-page.ts'
import { clientSchemaFiles } from '../tools/generate/client-schema.ts'
import { clientsTables } from '../tools/generate/clients-page.ts'
import { codePages } from '../tools/generate/code-pages.ts'
import { withPart } from '../tools/generate/generated-part.ts'
import { openApiFiles } from '../tools/generate/openapi-document.ts'
import { needsOf, needsTable, sizeOfDocument } from '../tools/generate/upstream-pages.ts'
import { validatorFiles } from '../tools/generate/validators.ts'

const root = join(import.meta.dirname, '..')
const validators = 'functions/runtime/validators'

test('openapi.json, the client’s types and the validators are current; if not, run npm run generate', async () => {
  const generated = new Map([...openApiFiles(endpoints), ...clientSchemaFiles(), ...(await validatorFiles(endpoints))])
  const committed = [
    'openapi.json',
    'packages/client/src/schema.ts',
    ...readdirSync(join(root, validators)).map((file) => `${validators}/${file}`),
  ]
  expect(committed.sort()).toEqual([...generated.keys()].sort())
  const stale = committed.filter((path) => readFileSync(join(root, path), 'utf8') !== generated.get(path))
  expect(stale).toEqual([])
})

test.each([
  [['docs/recipes.md', 'docs/broadcasting.md'], 'docs/recipes'],
  [['packages/client/README.md'], 'packages/client/examples'],
])('%j show every file of %s as it is, the explorer aside; if not, run npm run generate', (paths, folder) => {
  const texts = paths.map((path) => codePages().get(path) ?? '')
  expect(paths.map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(texts)
  const isShown = (name: string) => texts.some((text) => text.includes(`// ${basename(folder)}/${name}\n`))
  const sources = readdirSync(join(root, folder)).filter((name) => /\.(?:ts|mjs)$/.test(name))
  expect(sources.filter((name) => !isShown(name))).toEqual([])
})

test.each([
  ['docs/upstreams.md', 'needs', needsTable],
  ['docs/broadcasting.md', 'codes', broadcastCodesTable],
  ['docs/clients.md', 'clients', clientsTables],
])('%s has its table of %s; if not, run npm run generate', (path, name, table) => {
  const page = readFileSync(join(root, path), 'utf8')
  expect(page).toBe(withPart(page, name, table()))
})

test('the size of a document is counted as gateways count it', () => {
  const size = { levels: 2, fields: 3, aliases: 1, tokens: 14, bytes: 15 }
  expect(sizeOfDocument('{a b:c(x:1){d}}')).toEqual(size)
})

test('the greeting asks an indexer as deeply and for as many fields as the service does at most', () => {
  const { levels, fields } = needsOf('indexer')
  expect(sizeOfDocument(blocksBelowQuery.document)).toMatchObject({ levels, fields })
})

test('the examples of the document are what the service answers; if not, run npm run generate', async () => {
  const committed = readFileSync(join(root, 'tools/generate/examples.json'), 'utf8')
  expect(await examplesText()).toBe(committed)
})
