// What the stack would upload: built by the CDK app itself, and once more by esbuild to see what went in.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type BuildResult, build } from 'esbuild'
import { buildConstants, esbuildOptions } from '../../infra/bundling.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { deployedFunctions, type Outcome, synthesise } from './synthesis.ts'

/** Largest bundles in bytes. */
const budget = { GET: 45_000, POST: 60_000 }

/** The same for an endpoint that accepts XML. */
const budgetWithXml = 120_000

/** Every package of which a function may hold code. */
const shippedPackages = [
  '@middy/core',
  '@middy/http-json-body-parser',
  '@middy/util',
  '@middy/validator',
  '@noble/hashes',
  'graphql-request',
]

/** The XML parser and what it imports, for an endpoint that accepts XML. */
const xmlPackages = [
  '@nodable/entities',
  'anynum',
  'fast-xml-builder',
  'fast-xml-parser',
  'path-expression-matcher',
  'strnum',
  'xml-naming',
]

/** With line ends of another system, which must survive the command line that the CDK starts esbuild by. */
const table = 'slot,locked\r\n0,1.5\r\n100,7.000000001\r\n'

const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-bundles-'))
let outcome: Outcome
beforeAll(async () => {
  const lockedSupplyTable = join(folder, 'supply.csv')
  writeFileSync(lockedSupplyTable, table)
  outcome = await synthesise(folder, { stage: 'devnet', lockedSupplyTable })
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('the app synthesises without a word to stdout', () => {
  expect(outcome).toEqual({ exitCode: 0, stdout: '', stderr: expect.any(String) })
})

describe.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('the bundle of %s', (name, endpoint) => {
  const fileName = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
  const largest = endpoint.acceptsXml ? budgetWithXml : budget[endpoint.method]
  const expectedPackages = endpoint.acceptsXml ? [...shippedPackages, ...xmlPackages] : shippedPackages
  let files: string[]
  let sourceMap: object
  let deployed: Buffer
  let built: BuildResult<{ metafile: true; write: false }>

  beforeAll(async () => {
    const deployment = deployedFunctions(folder, 'chain-explorer-devnet')[`${endpoint.method} ${endpoint.path}`]
    const code = deployment?.codeFolder ?? ''
    files = readdirSync(code)
    deployed = readFileSync(join(code, 'index.mjs'))
    sourceMap = JSON.parse(readFileSync(join(code, 'index.mjs.map'), 'utf8'))
    const entryPoints = [`functions/${fileName}.ts`]
    const define = buildConstants(table)
    built = await build({ ...esbuildOptions, define, entryPoints, outfile: 'index.mjs', metafile: true, write: false })
  })

  test('is one file with its source map, which names the sources without holding them', () => {
    expect(files).toEqual(['index.mjs', 'index.mjs.map'])
    expect(sourceMap).toEqual({
      version: 3,
      sources: expect.arrayContaining([expect.stringContaining(`functions/${fileName}.ts`)]),
      mappings: expect.any(String),
      names: expect.any(Array),
    })
  })

  test(`has at most ${largest} bytes`, () => {
    expect(deployed.byteLength).toBeLessThanOrEqual(largest)
  })

  test('is what the settings for esbuild give', () => {
    const code = built.outputFiles.find(({ path }) => path.endsWith('index.mjs'))
    expect(deployed.equals(code?.contents ?? new Uint8Array())).toBe(true)
  })

  test('needs nothing but Node', () => {
    const outputs = Object.values(built.metafile.outputs)
    const imports = outputs.flatMap((output) => output.imports.map(({ path }) => path))
    expect(imports.filter((path) => !path.startsWith('node:'))).toEqual([])
  })

  test('holds shipped packages only, and a stub for the GraphQL parser', () => {
    const inputs = Object.keys(built.metafile.inputs)
    const packages = inputs.flatMap((path) => path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? [])
    expect([...new Set(packages)].filter((name) => !expectedPackages.includes(name))).toEqual([])
    expect(inputs).toContain('functions/runtime/graphql-stub.mjs')
  })

  test('holds no file of another endpoint, and none of what never ships', () => {
    const own = Object.keys(built.metafile.inputs).filter((path) => !path.includes('node_modules/'))
    expect(own.filter((path) => !/^(functions|shared)\//.test(path))).toEqual([])
    expect(own.filter((path) => /^functions\/[^/]+$|\/endpoints\/|\/validators\//.test(path)).sort()).toEqual([
      `functions/${fileName}.ts`,
      `functions/runtime/validators/${fileName}.js`,
      `shared/endpoints/${fileName}.ts`,
    ])
  })
})
