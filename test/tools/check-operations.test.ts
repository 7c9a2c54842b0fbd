import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { indexerSchemaText } from '../../packages/testnet/indexer/schema.ts'
import { nodeSchemaText } from '../../packages/testnet/node/schema.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { checkOperations } from '../../tools/check-operations/check.ts'
import { temporaryFolder } from '../serving.ts'

const operations = new Set(endpoints.flatMap((endpoint) => endpoint.operations))
/** The embedded upstreams speak the older dialect. */
const namesOf = (upstream: string) =>
  [...operations].filter((one) => one.upstream === upstream && one.dialect === undefined).map(({ name }) => name)
const file = join(temporaryFolder(), 'schema.graphql')

describe('npm run check:operations', () => {
  test('fails on a schema without the fields of the operations, and names them', () => {
    writeFileSync(file, 'type Query { bestChain: [String] }')
    const cwd = join(import.meta.dirname, '../..')
    const args = ['tools/check-operations.ts', '--schema', file]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
    const names = namesOf('node')
    expect([status, stdout.trimEnd().split('\n')]).toEqual([
      1,
      [...names.map((name) => `INVALID ${name}`), `${names.length} operations of the node, ${names.length} invalid`],
    ])
    expect(stderr).toContain('  Cannot query field "daemonStatus" on type "Query".\n')
  })

  test.each([
    ['node', nodeSchemaText],
    ['indexer', indexerSchemaText],
  ])('recognises the schema of the embedded %s, in which all its operations are valid', (upstream, schema) => {
    writeFileSync(file, schema)
    const names = namesOf(upstream)
    expect(checkOperations(['--schema', file])).toEqual({
      exitCode: 0,
      out: [...names.map((name) => `valid ${name}`), `${names.length} operations of the ${upstream}, 0 invalid`],
      err: [],
    })
  })

  test('looks at a question of one dialect only in a schema that speaks it', () => {
    writeFileSync(
      file,
      indexerSchemaText.replace('type Transactions {', 'type Transactions {\n  zkappCommands: [Int!]!'),
    )
    const { out, err } = checkOperations(['--schema', file])
    expect(out.filter((line) => line.startsWith('INVALID'))).toEqual(['INVALID zkappsApart'])
    expect(err).toEqual([expect.stringContaining('Field "zkappCommands" must not have a selection')])
  })

  test.each([
    ['memo: String!', 'memo: Float!', 'wanted text of', 'Float!'],
    ['canonical: Boolean!', 'canonical: String!', 'wanted true or false, got string', 'String!'],
    ['receivedTime: String!', 'receivedTime: Int!', 'wanted a time in ISO-8601 UTC, got number', 'Int!'],
  ])('refuses a schema that has %s as %s, of which a value cannot be read', (right, wrong, wanted, type) => {
    expect(indexerSchemaText).toContain(right)
    writeFileSync(file, indexerSchemaText.replaceAll(right, wrong))
    const { exitCode, err } = checkOperations(['--schema', file])
    expect([exitCode, err.length > 0]).toEqual([1, true])
    expect(err.filter((line) => !(line.includes(wanted) && line.endsWith(`, where the schema has ${type}`)))).toEqual(
      [],
    )
  })

  test('takes amounts as digits in text or as numbers, since the dialects differ', () => {
    writeFileSync(file, indexerSchemaText.replaceAll(/(amount|fee): (?:U64|Int)!/g, '$1: String!'))
    expect(checkOperations(['--schema', file])).toMatchObject({ exitCode: 0, err: [] })
  })

  test.each([
    [[], 'No schema given.'],
    [['--file', 'x'], "Unknown option '--file'"],
    [['--schema', 'no/such/file'], 'Cannot read the schema no/such/file: ENOENT'],
    [['--schema', 'package.json'], 'package.json is not a GraphQL schema: Syntax Error'],
  ])('shows its usage after the arguments %j', (args, reason) => {
    const usage = 'Usage: npm run check:operations -- --schema FILE [--upstream node|indexer]'
    expect(checkOperations(args)).toEqual({ exitCode: 2, out: [], err: [expect.stringContaining(reason), usage] })
  })
})

test.each([...operations])('$name passes values as variables only, all of them declared and used', ({ document }) => {
  const declared = [...document.slice(0, document.indexOf('{')).matchAll(/\$(\w+):/g)].map(([, name]) => name)
  const used = [...document.slice(document.indexOf('{')).matchAll(/\$(\w+)/g)].map(([, name]) => name)
  expect(new Set(used)).toEqual(new Set(declared))
  expect(document.slice(document.indexOf('{'))).not.toContain('"')
})
