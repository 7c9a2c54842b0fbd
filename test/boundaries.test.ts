// Who may import whom, and that no imports form a circle. Type-only imports count.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../shared/endpoints/all.ts'
import { fileNameOf } from '../shared/http/routes.ts'

interface Row {
  /** A folder or a file. The first row that covers a file decides. */
  readonly of: string
  /** Folders, files and packages. Everything else is forbidden, tests to all. */
  readonly may: readonly string[]
  /** Exceptions from `may`. */
  readonly never?: readonly string[]
}

const types = 'shared/endpoints/endpoint.ts'
const belowEndpoints = ['contract', 'http', 'mapping', 'upstream'].map((folder) => `shared/${folder}`)
const door = 'shared/chain'

const table: readonly Row[] = [
  { of: 'shared/admission/routes.ts', may: ['shared'] },
  { of: 'shared/admission', may: ['shared/admission', 'shared/contract'] },
  { of: 'shared/http', may: ['shared/http'] },
  { of: 'shared/deployment', may: ['shared/deployment'] },
  { of: 'shared/contract', may: ['shared/contract', 'typebox'] },
  { of: 'shared/upstream', may: ['shared/contract', 'shared/upstream'] },
  { of: 'shared/mapping/base58check.ts', may: ['shared/contract/base58.ts', '@noble/hashes'] },
  { of: 'shared/mapping', may: ['shared/contract', 'shared/mapping', 'shared/upstream'] },
  { of: 'shared/indexer', may: ['shared/indexer', door, types, ...belowEndpoints] },
  { of: door, may: [door, 'shared/broadcast/signed-command.ts', ...belowEndpoints] },
  { of: 'shared/broadcast', may: ['shared/broadcast', door, types, ...belowEndpoints] },
  { of: 'shared/endpoints/all.ts', may: ['shared'] },
  { of: 'shared/endpoints', may: ['shared/broadcast', 'shared/indexer', door, types, ...belowEndpoints] },
  { of: 'functions/runtime/xml-body.ts', may: ['shared/upstream/errors.ts', 'fast-xml-parser'] },
  {
    of: 'functions/runtime',
    may: [
      ...['functions/runtime', 'shared/deployment', 'shared/http', 'shared/upstream'],
      ...['shared/contract/base58.ts', 'shared/mapping/json.ts', types],
      door,
      ...['node:', '@middy', 'graphql-request', 'aws-lambda', 'ajv'],
    ],
  },
  // Made at build time: the function serves the page's files from disk.
  {
    of: 'functions/docs/page',
    may: ['functions/docs', 'shared/http', 'node:', '@scalar/fastify-api-reference'],
  },
  // The page's function knows no endpoint.
  {
    of: 'functions/docs',
    may: ['functions/docs', 'functions/runtime', 'shared/http', 'node:', 'aws-lambda'],
    never: ['functions/docs/page'],
  },
  {
    of: 'functions/docs.ts',
    may: ['functions/docs', 'functions/runtime', 'node:'],
    never: ['functions/docs/page'],
  },
  { of: 'functions', may: ['functions/runtime', 'shared/endpoints'] },
  {
    of: 'infra/api/docs-function.ts',
    may: ['infra', 'functions/docs', 'node:', 'constructs'],
  },
  {
    of: 'infra',
    may: ['infra', 'shared', 'node:', 'aws-cdk-lib', 'constructs', 'esbuild', 'zod', 'fastest-levenshtein'],
  },
  { of: 'client/examples', may: ['client', 'mina-signer'] },
  { of: 'client', may: ['client'] },
  { of: 'config', may: ['infra/settings/schema.ts'] },
  {
    of: 'local',
    may: [
      ...['local', 'client', 'shared', 'functions/runtime', 'functions/docs'],
      ...['node:', '@noble/hashes', 'aws-lambda', 'graphql', 'graphql-yoga', 'mina-signer'],
    ],
  },
  { of: 'tools/doctor', may: ['tools/doctor', 'client', 'shared', 'functions/runtime', 'node:', 'ajv', 'graphql'] },
  { of: 'tools/map-stack.ts', may: ['tools', 'shared', 'infra', 'node:'] },
  { of: 'tools/map-stack', may: ['tools', 'shared', 'infra', 'node:', 'esbuild'] },
  {
    of: 'tools/generate/notices.ts',
    may: ['tools/generate', 'infra/api/bundling.ts', 'infra/project-root.ts', 'shared', 'node:', 'esbuild'],
  },
  {
    of: 'tools/generate.ts',
    may: ['tools/generate', 'local/examples', 'infra/settings/table.ts', 'shared', 'node:'],
  },
  { of: 'tools/lint-openapi.ts', may: ['node:', '@redocly/openapi-core'] },
  { of: 'tools/client-types', may: ['node:', 'openapi-typescript'] },
  { of: 'tools', may: ['tools', 'client', 'shared', 'functions/runtime', 'node:', 'ajv', 'esbuild', 'graphql'] },
  {
    of: 'verification/bench/cold/bundles.ts',
    may: ['infra/api/bundling.ts', 'shared', 'node:', 'esbuild'],
  },
  // Who judges does not know what is judged.
  {
    of: 'verification/upstream-faults/judge',
    may: ['verification/upstream-faults', 'shared/contract', 'shared/mapping/json.ts', 'node:', 'graphql'],
  },
  {
    of: 'verification',
    may: [
      ...['verification', 'local', 'client', 'shared', 'functions/runtime'],
      ...['node:', 'aws-lambda', 'graphql', 'mina-signer'],
    ],
  },
  { of: 'docs', may: ['docs', 'mina-signer'] },
]

/** Whether `place`, a folder, a file or a package, is or contains `imported`. */
const covers = (place: string, imported: string) =>
  imported === place || imported.startsWith(place.endsWith(':') ? place : `${place}/`)

const root = join(import.meta.dirname, '..')
const folders = [...new Set(table.map(({ of }) => of.split('/')[0] ?? ''))]
const isCode = (file: string) => /\.m?ts$/.test(file) && !/\.d\.ts$|\/node_modules\//.test(file)
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter(isCode)
const files = folders.flatMap(filesIn)

/** What a file imports: project files by path from the root, packages and node modules by name. */
function importsOf(file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const specifiers = [
    ...source.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gms),
  ]
  return specifiers.map(([, from, dynamic, bare]) => {
    const specifier = from ?? dynamic ?? bare ?? ''
    return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
  })
}

const graph = new Map(files.map((file) => [file, importsOf(file)]))

describe('imports', () => {
  test.each(files)('%s imports only what its row of the table allows', (file) => {
    const row = table.find(({ of }) => covers(of, file))
    const isAllowed = (imported: string) =>
      row?.may.some((place) => covers(place, imported)) && !row.never?.some((place) => covers(place, imported))
    expect(graph.get(file)?.filter((imported) => !isAllowed(imported))).toEqual([])
  })

  test('are ruled by the table in every folder with code, that of the tests aside', () => {
    const withCode = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$|cdk\.out$|coverage$|test$)/.test(entry.name))
      .map(({ name }) => name)
      .filter((folder) => filesIn(folder).length > 0)
    expect(withCode.sort()).toEqual(folders.toSorted())
  })

  test('of a function are its own endpoint and the runtime', () => {
    for (const { name } of endpoints) {
      const file = `${fileNameOf(name)}.ts`
      const shared = graph.get(`functions/${file}`)?.filter((imported) => covers('shared', imported))
      expect(shared).toEqual([`shared/endpoints/${file}`])
    }
  })

  test('of the generator, however indirect, are never what it generates', () => {
    const reached = new Set(['tools/generate.ts'])
    for (const file of reached) for (const imported of graph.get(file) ?? []) reached.add(imported)
    const generated = ['functions/runtime/validators', 'client/src/schema.ts', 'tools/generate/examples.json']
    expect([...reached].filter((file) => generated.some((place) => covers(place, file)))).toEqual([])
    expect(reached).toContain('local/start/routes.ts')
  })

  test('of the contract from npm are types only', () => {
    const values = files
      .filter((file) => file.startsWith('shared/contract/'))
      .filter((file) => /^import (?!type )[^\n]*from '[^.]/m.test(readFileSync(join(root, file), 'utf8')))
    expect(values).toEqual([])
  })

  test('make no circle', () => {
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      else if (!done.has(file)) {
        for (const imported of graph.get(file) ?? []) visit(imported, [...path, file])
        done.add(file)
      }
    }
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })
})

test('what ships opens no connection through the built-in fetch, which some answers end the process by', () => {
  const shipped = files.filter((file) => /^(?:shared|functions)\//.test(file))
  expect(shipped.filter((file) => /(?<![\w.])fetch\(/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('tests load the CDK in the process of the synthesiser only, where it is loaded once for all of them', () => {
  const loading = filesIn('test').filter((file) =>
    /^import (?!type )[^']*from '(?:aws-cdk-lib|cdk-nag)\b/m.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(loading.filter((file) => !file.startsWith('test/infra/stacks/'))).toEqual([])
  expect(loading.length).toBeGreaterThan(0)
})
