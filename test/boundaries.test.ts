// Who may import whom, and that no imports form a circle. Type-only imports count.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../shared/endpoints/all.ts'
import { fileNameOf } from '../shared/http/routes.ts'

/** The first row with a folder or file that covers a file decides. */
type Row = readonly [
  of: string,
  /** Folders, files and packages. Everything else is forbidden, tests to all. */
  may: string,
  /** Exceptions from `may`. */
  never?: string,
]

const belowChain = 'shared/contract shared/mapping shared/upstream'
const belowEndpoints = `shared/chain shared/http ${belowChain}`

const rows: readonly Row[] = [
  ['shared/admission/routes.ts shared/endpoints/all.ts', 'shared'],
  ['shared/admission', 'shared/admission shared/contract'],
  ['shared/http/answer.ts', 'shared/http shared/contract shared/mapping/exact-json.ts shared/upstream/query.ts'],
  ['shared/http', 'shared/http'],
  ['shared/deployment', 'shared/deployment shared/contract/genesis-blocks.ts shared/contract/limits.ts'],
  ['shared/contract', 'shared/contract typebox'],
  ['shared/upstream', 'shared/contract shared/upstream'],
  ['shared/mapping/base58check.ts', 'shared/contract/forms.ts @noble/hashes'],
  ['shared/mapping', 'shared/contract shared/mapping shared/upstream'],
  ['shared/indexer', `shared/indexer ${belowEndpoints}`],
  ['shared/transactions', `shared/transactions shared/indexer ${belowEndpoints}`],
  ['shared/chain', `shared/chain shared/deployment/networks.ts ${belowChain}`],
  [
    'shared/broadcast',
    `shared/broadcast shared/chain shared/deployment/stage-settings.ts shared/http/answer.ts ${belowChain}`,
  ],
  [
    'shared/endpoints',
    `shared/endpoints/endpoint.ts shared/endpoints/block-answer.ts shared/endpoints/broadcast-endpoint.ts shared/endpoints/no-account.ts shared/broadcast shared/deployment/broadcast-heartbeat.ts shared/deployment/stage-settings.ts shared/indexer shared/transactions ${belowEndpoints}`,
  ],
  // Written beside the function that loads it, so it shares nothing with that.
  ['functions/runtime/xml-body.ts', 'fast-xml-parser'],
  [
    'functions/runtime',
    `functions/runtime shared/chain shared/deployment shared/http shared/upstream shared/contract/forms.ts shared/contract/query/read-options.ts shared/endpoints/endpoint.ts ` +
      'shared/mapping/exact-json.ts node: @middy @noble/hashes graphql-request aws-lambda ajv',
  ],
  ['functions/docs/page/markdown.ts', 'functions/docs/page/html.ts marked'],
  // Made at build time: the function serves the page's files from disk.
  ['functions/docs/page', 'functions/docs shared/http node:'],
  // The page's function knows no endpoint.
  [
    'functions/docs functions/docs.ts',
    'functions/docs functions/runtime shared/http node: aws-lambda',
    'functions/docs/page',
  ],
  ['functions/broadcast-heartbeat.ts', 'shared/deployment functions/runtime/settings/settings.ts node:'],
  ['functions', 'functions/runtime shared/endpoints'],
  ['infra/api/docs-function.ts', 'infra functions/docs node: constructs'],
  ['infra', 'infra shared node: aws-cdk-lib constructs esbuild zod fastest-levenshtein'],
  ['packages/client/examples', 'packages/client node: mina-signer'],
  ['packages/client', 'packages/client'],
  ['packages/testnet', 'packages/testnet shared/contract shared/mapping node: @noble/hashes graphql mina-signer'],
  ['config', 'infra/settings/schema.ts infra/settings/concurrency.ts'],
  // The demo shows the recipe as it is.
  [
    'local',
    'local packages/client packages/testnet shared functions/runtime functions/docs node: @noble/hashes aws-lambda mina-signer',
  ],
  ['tools/doctor', 'tools/doctor local/troubles packages/client shared functions/runtime node: ajv graphql'],
  ['tools/map-stack.ts tools/map-stack', 'tools shared infra node: esbuild'],
  [
    'tools/generate/notices.ts tools/generate/shipped-packages.ts tools/generate/bill-of-materials.ts tools/generate/dependencies-page.ts',
    'tools/generate shared infra/api/bundling.ts infra/project-root.ts node: esbuild',
  ],
  ['tools/accept-bundles.ts tools/bundles', 'tools/bundles shared infra/api/bundling.ts node: esbuild'],
  ['tools/generate/clients-page.ts', 'docs/clients'],
  ['tools/generate.ts', 'tools/generate tools/synthesise.ts local/examples infra/settings/table.ts shared node:'],
  // They run beside a generated client, with what its generator's page installs.
  [
    'packages/proofs/programs/check-clients/drivers',
    'packages/proofs/programs/check-clients/drivers node: openapi-fetch axios @kubb/core @kubb/plugin-client @kubb/plugin-oas @kubb/plugin-ts @kubb/plugin-zod orval @modelcontextprotocol/sdk',
  ],
  [
    'packages/proofs/programs/check-clients.ts packages/proofs/programs/check-clients',
    'packages/proofs/programs/check-clients local/start local/examples/signed-forms.ts shared node: mina-signer',
  ],
  ['packages/proofs/programs/check-o1js.ts', 'packages/testnet local/start node:'],
  ['packages/proofs/programs/check-o1js', 'node: o1js'],
  [
    'packages/proofs/programs/check-servers.ts',
    'tools/doctor packages/testnet local/start local/examples/signed-forms.ts functions/runtime/settings/settings.ts shared/contract node:',
  ],
  [
    'packages/proofs/programs/check-servers',
    'node: graphql graphql-yoga @apollo/server @escape.tech/graphql-armor @graphql-hive/gateway fastify mercurius',
  ],
  ['tools/lint-openapi.ts', 'node: @redocly/openapi-core'],
  ['tools/client-types', 'node: openapi-typescript'],
  ['tools', 'tools shared node: ajv esbuild graphql'],
  ['packages/proofs/bench/cold/bundles.ts', 'infra/api/bundling.ts infra/project-root.ts shared node: esbuild'],
  // Who judges does not know what is judged.
  [
    'packages/proofs/upstream-faults/judge',
    'packages/proofs/upstream-faults shared/contract shared/mapping/exact-json.ts',
  ],
  [
    'packages/proofs/upstream-faults/baseline',
    'packages/proofs packages/testnet shared/contract shared/endpoints/all.ts shared/mapping/base58check.ts shared/mapping/exact-json.ts node: ajv graphql',
  ],
  [
    'packages/proofs/world/clients packages/proofs/world/variants/clients.ts',
    'packages/proofs packages/testnet local shared packages/client/src/client.ts packages/client/examples docs/recipes node:',
  ],
  [
    'packages/proofs/stopped-daemon',
    'packages/proofs packages/testnet local shared functions/runtime packages/client/src/client.ts docs/recipes node:',
  ],
  [
    'packages/proofs',
    'packages/proofs packages/testnet local shared functions/runtime tools/synthesise.ts node: aws-lambda graphql mina-signer',
  ],
  ['docs/clients', 'docs/clients'],
  ['docs/recipes/sign.mjs', 'node: mina-signer'],
  ['docs', 'docs mina-signer'],
]
const table = rows.map(([of, may, never]) => ({
  of: of.split(' '),
  may: may.split(' '),
  never: never?.split(' ') ?? [],
}))

/** True if `place`, a folder, a file or a package, is or contains `imported`. */
const covers = (place: string, imported: string) =>
  imported === place || imported.startsWith(place.endsWith(':') ? place : `${place}/`)

const root = join(import.meta.dirname, '..')
const folders = [...new Set(table.flatMap(({ of }) => of.map((place) => place.split('/')[0] ?? '')))]
const isCode = (file: string) => /\.m?ts$/.test(file) && !/\.d\.ts$|\/node_modules\//.test(file)
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter(isCode)
const files = folders.flatMap(filesIn)

/** Imports of a file: project files by path from the root, packages and node modules by name. */
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

const coversAny = (places: readonly string[], imported: string) => places.some((place) => covers(place, imported))

describe('imports', () => {
  test.each(files)('%s imports only what its row of the table allows', (file) => {
    const { may = [], never = [] } = table.find(({ of }) => coversAny(of, file)) ?? {}
    const isAllowed = (imported: string) => coversAny(may, imported) && !coversAny(never, imported)
    const forbidden = graph.get(file)?.filter((imported) => !isAllowed(imported)) ?? []
    const but = never.length > 0 ? `, but nothing of ${never.join(', ')}` : ''
    const allowed = `${file} may import what is in ${may.join(', ')}${but}: see the table in test/boundaries.test.ts`
    expect(forbidden.length > 0 ? { forbidden, allowed } : {}).toEqual({})
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
    const generated = ['functions/runtime/validators', 'packages/client/src/schema.ts', 'tools/generate/examples.json']
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

test('shared/ is pure: it has no clock, no chance, no timer, no module of Node, and loads nothing later', () => {
  const impure =
    /\bDate\.now\b|\bDate\(\)|\bMath\.random\b|\bperformance\.\w+|\bcrypto\.\w+|\bgetBuiltinModule\b|\bset(?:Timeout|Interval|Immediate)\b|\bimport\(/g
  const found = files
    .filter((file) => file.startsWith('shared/'))
    .flatMap((file) => (readFileSync(join(root, file), 'utf8').match(impure) ?? []).map((text) => `${file}: ${text}`))
  expect(found).toEqual([])
})

test('one file of the functions reads the environment: the settings', () => {
  const readers = files.filter(
    (file) => /^(?:shared|functions)\//.test(file) && readFileSync(join(root, file), 'utf8').includes('process.env'),
  )
  expect(readers).toEqual(['functions/runtime/settings/settings.ts'])
})

test('tests load the CDK in the process of the synthesiser only, where it is loaded once for all of them', () => {
  const loading = filesIn('test').filter((file) =>
    /^import (?!type )[^']*from '(?:aws-cdk-lib|cdk-nag)\b/m.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(loading.filter((file) => !file.startsWith('test/infra/stacks/'))).toEqual([])
  expect(loading.length).toBeGreaterThan(0)
})
