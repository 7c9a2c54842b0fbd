import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { indexerSchemaText } from '../../local/chain/indexer/schema.ts'
import { endpoints } from '../../shared/endpoints/all.ts'

const namesOf = (upstream: string) => [
  ...new Set(
    endpoints.flatMap(({ operations }) =>
      operations.filter((one) => one.upstream === upstream).map(({ name }) => name),
    ),
  ),
]

const root = join(import.meta.dirname, '../..')
const usage = 'Usage: npm run check:operations -- --schema FILE [--upstream node|indexer]'

function check(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/check-operations.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, out: stdout.trimEnd().split('\n'), err: stderr.trimEnd().split('\n') }
}

describe('check:operations', () => {
  let folder: string
  const schemaFile = (sdl: string) => {
    const file = join(folder, 'schema.graphql')
    writeFileSync(file, sdl)
    return file
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'check-operations-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('fails on a schema without the fields of the operations, and names them', () => {
    const { status, out, err } = check('--schema', schemaFile('type Query { bestChain: [String] }'))
    const names = namesOf('node')
    expect([status, out]).toEqual([
      1,
      [...names.map((name) => `INVALID ${name}`), `${names.length} operations of the node, ${names.length} invalid`],
    ])
    expect(err).toContain('  Cannot query field "daemonStatus" on type "Query".')
  })

  test('passes a complete schema, and recognises an indexer by its stakes', () => {
    const names = namesOf('indexer')
    expect(check('--schema', schemaFile(indexerSchemaText))).toEqual({
      status: 0,
      out: [...names.map((name) => `valid ${name}`), `${names.length} operations of the indexer, 0 invalid`],
      err: [''],
    })
  })

  test.each([
    { what: 'no file', args: [], reason: 'No schema given.' },
    { what: 'an unknown option', args: ['--file', 'x'], reason: "Unknown option '--file'" },
    {
      what: 'a missing file',
      args: ['--schema', 'no/such/file'],
      reason: /^Cannot read the schema no\/such\/file: ENOENT/,
    },
    {
      what: 'a file of another language',
      args: ['--schema', 'package.json'],
      reason: /^package\.json is not a GraphQL schema: Syntax Error/,
    },
  ])('shows its usage when given $what', ({ args, reason }) => {
    const { status, err } = check(...args)
    expect([status, err]).toEqual([2, [expect.stringMatching(reason), usage]])
  })
})
