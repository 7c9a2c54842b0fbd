import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { indexerSchemaText } from '../../local/chain/indexer/schema.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { type CommandResult, checkOperations } from '../../tools/check-operations/check.ts'

const namesOf = (upstream: string) => [
  ...new Set(
    endpoints.flatMap(({ operations }) =>
      operations.filter((one) => one.upstream === upstream).map(({ name }) => name),
    ),
  ),
]

const root = join(import.meta.dirname, '../..')
const usage = 'Usage: npm run check:operations -- --schema FILE [--upstream node|indexer]'

const linesOf = (text: string) => text.split('\n').slice(0, -1)

/** Runs the command in a separate process. */
function run(...args: readonly string[]): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/check-operations.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { exitCode: status ?? -1, out: linesOf(stdout), err: linesOf(stderr) }
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
    const { exitCode, out, err } = run('--schema', schemaFile('type Query { bestChain: [String] }'))
    const names = namesOf('node')
    expect([exitCode, out]).toEqual([
      1,
      [...names.map((name) => `INVALID ${name}`), `${names.length} operations of the node, ${names.length} invalid`],
    ])
    expect(err).toContain('  Cannot query field "daemonStatus" on type "Query".')
  })

  test('passes a complete schema, and recognises an indexer by its stakes', () => {
    const names = namesOf('indexer')
    expect(checkOperations(['--schema', schemaFile(indexerSchemaText)])).toEqual({
      exitCode: 0,
      out: [...names.map((name) => `valid ${name}`), `${names.length} operations of the indexer, 0 invalid`],
      err: [],
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
    expect(checkOperations(args)).toEqual({ exitCode: 2, out: [], err: [expect.stringMatching(reason), usage] })
  })
})
