// The bundles that the stack uploads: built by the CDK app, and again by esbuild to see their inputs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { noticesFile } from '../../../infra/api/bundling.ts'
import { projectRoot } from '../../../infra/project-root.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { fileNameOf, routeOf } from '../../../shared/http/routes.ts'
import { stakeOfKey } from '../../../shared/indexer/staking-questions.ts'
import {
  type BundleParts,
  budgetedFunctions,
  builtFunction,
  builtTable,
  bytesOf,
  filesAtStart,
  growthText,
  partsOf,
} from '../../../tools/bundles/bundle-parts.ts'
import { packagesInUse } from '../../../tools/generate/shipped-packages.ts'
import { httpEvent, lambdaContext } from '../../functions/event.ts'
import { bundleFolders, synthesise } from '../synthesis.ts'

const accepted: Readonly<Record<string, BundleParts>> = JSON.parse(
  readFileSync(join(projectRoot, 'tools/bundles/accepted.json'), 'utf8'),
)

/** The texts of the files that esbuild writes, by name. */
const filesOf = ({ outputFiles }: Awaited<ReturnType<typeof builtFunction>>): Readonly<Record<string, string>> =>
  Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]))

const stack = 'chain-explorer-devnet'
const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-bundles-'))
let outcome: Awaited<ReturnType<typeof synthesise>>
let packages: Awaited<ReturnType<typeof packagesInUse>>
beforeAll(async () => {
  packages = await packagesInUse()
  const lockedSupplyTable = join(folder, 'supply.csv')
  writeFileSync(lockedSupplyTable, builtTable)
  outcome = await synthesise(folder, { stage: 'devnet', lockedSupplyTable })
})
afterAll(() => rmSync(folder, { recursive: true }))

const notices = readFileSync(join(projectRoot, noticesFile), 'utf8')

test('the app synthesises without output on stdout', () => {
  expect(outcome).toEqual({ exitCode: 0, stdout: '', stderr: expect.any(String) })
})

describe.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('the bundle of %s', (name, endpoint) => {
  let codeFolder: string
  let fromSettings: Awaited<ReturnType<typeof builtFunction>>
  beforeAll(async () => {
    codeFolder = bundleFolders(folder, stack)[routeOf(endpoint)] ?? ''
    fromSettings = await builtFunction(name)
  })

  test('is what esbuild writes, one file unless it reads a body, and the notices; it has grown by less than a tenth', () => {
    const deployed = readdirSync(codeFolder).map((file) => [file, readFileSync(join(codeFolder, file), 'utf8')])
    const written = filesOf(fromSettings)
    expect(Object.fromEntries(deployed)).toEqual({ ...written, [noticesFile]: notices })
    expect(Object.keys(written).sort()).toEqual([
      // What the files share: the stubs, which esbuild adds to each.
      ...(endpoint.method === 'POST' ? ['chunk.mjs'] : []),
      'index.mjs',
      ...(endpoint.method === 'POST' ? ['json-fault.mjs'] : []),
      ...(endpoint.acceptsXml ? ['xml-body.mjs'] : []),
    ])
    expect(growthText(name, accepted[name] ?? {}, partsOf(filesAtStart(fromSettings.metafile)))).toBeUndefined()
  })

  test('holds the packages that notices and bill of materials name for it', () => {
    const own = /^(?:functions|shared)\/|^\(/
    const held = Object.keys(partsOf(Object.values(fromSettings.metafile.outputs))).filter((part) => !own.test(part))
    const inUse = packages.filter(({ usedIn }) => usedIn.includes(`functions/${fileNameOf(name)}.ts`))
    // A validator holds a part of its compiler, which esbuild sees as ours.
    const compiler = endpoint.method === 'POST' ? ['ajv'] : []
    expect([...held, ...compiler].sort()).toEqual(inUse.map(({ folder }) => folder.replace('node_modules/', '')).sort())
  })

  test('imports no module of Node, holds a stub for the GraphQL parser, and starts without the XML parser, which is beside it only if it accepts XML', () => {
    const { inputs, outputs } = fromSettings.metafile
    const imports = Object.values(outputs).flatMap((output) =>
      output.imports.filter(({ external }) => external).map(({ path }) => path),
    )
    // An import reads all that a module exports: of node:util or node:crypto it loads dozens of others.
    expect(imports).toEqual([])
    expect(inputs).toHaveProperty(['functions/runtime/stubs.mjs'])
    const isXml = (path: string) => path.includes('node_modules/fast-xml-parser/')
    const atStart = filesAtStart(fromSettings.metafile).flatMap((file) => Object.keys(file.inputs))
    expect([atStart.some(isXml), Object.keys(inputs).some(isXml)]).toEqual([false, endpoint.acceptsXml === true])
    expect(Object.keys(inputs).filter((path) => !/node_modules\/|^(functions|shared)\//.test(path))).toEqual([])
  })

  test('keeps rows of staking ledgers if it asks for them, and holds nothing of that otherwise', () => {
    const asksForRows = endpoint.operations.some(({ name }) => name === stakeOfKey.name)
    expect(Object.keys(fromSettings.metafile.inputs).includes('shared/upstream/ledger-scans.ts')).toBe(asksForRows)
  })
})

describe('the bundle of the docs page', () => {
  const deployed = () => bundleFolders(folder, stack)['GET /docs'] ?? ''

  test('is one small file, with the compressed files of the page and the notices beside', async () => {
    expect(readdirSync(deployed()).sort()).toEqual([noticesFile, 'docs-files', 'index.mjs'])
    expect(
      growthText('docs', accepted.docs ?? {}, partsOf(filesAtStart((await builtFunction('docs')).metafile))),
    ).toBeUndefined()
    const files = readdirSync(join(deployed(), 'docs-files')).map((name) => join(deployed(), 'docs-files', name))
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    const document = statSync(join(projectRoot, 'openapi.json')).size
    expect(bytes).toBeLessThan(document)
  })

  test('serves them', async () => {
    process.env.ORIGIN_SECRETS = 'secret'
    const { handler } = await import(pathToFileURL(join(deployed(), 'index.mjs')).href)
    const through = { 'x-origin-secret': 'secret', 'accept-encoding': 'br,gzip' }
    const page = await handler(httpEvent({ path: '/docs', headers: through }), lambdaContext())
    expect(page).toMatchObject({ statusCode: 200, headers: { 'content-encoding': 'br' }, isBase64Encoded: true })
    const html = brotliDecompressSync(Buffer.from(page.body, 'base64')).toString()
    const [path = ''] = /\/docs\/page-[0-9a-f]+\.js/.exec(html) ?? []
    const script = await handler(httpEvent({ path, headers: through }), lambdaContext())
    expect(script).toMatchObject({
      statusCode: 200,
      headers: { 'cache-control': expect.stringContaining('immutable') },
    })
  })
})

describe('the budget of a bundle', () => {
  const before = { 'graphql-request': 8000, 'shared/chain': 2000 }

  test('has a tenth of room, and a bundle over it names what grew, the largest growth first', () => {
    expect(growthText('getBlock', before, { 'graphql-request': 8000, 'shared/chain': 3000 })).toBeUndefined()
    const parts = { zod: 700, 'graphql-request': 8020, 'shared/chain': 2300 }
    expect(
      growthText('getBlock', before, parts),
    ).toBe(`The bundle of getBlock has 11020 bytes, and its budget is 11000: 10000 and a tenth. It grew by
  +700 zod (new)
  +300 shared/chain (2000 to 2300)
Take out what it does not need, or accept today's sizes with npm run accept:bundles, and say why in the commit.`)
  })

  test('counts every byte, under the packages and folders that it comes from', async () => {
    const { metafile, outputFiles } = await builtFunction('getSummary')
    const parts = partsOf(filesAtStart(metafile))
    expect(bytesOf(parts)).toBe(outputFiles[0]?.contents.byteLength)
    expect(Object.keys(parts)).toEqual(expect.arrayContaining(['@middy/core', 'graphql-request', 'shared/endpoints']))
  })

  test('is there for each function', () => {
    expect(Object.keys(accepted)).toEqual(budgetedFunctions)
  })
})
