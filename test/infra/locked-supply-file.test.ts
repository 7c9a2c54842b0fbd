import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { messageOf, read, whole } from './read-settings.ts'

const nodeGraphqlUrl = 'https://node.example/graphql'

const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-table-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Files have short paths from the working folder in messages, so that they are shown whole. */
function fileOf(content: string | Uint8Array): string {
  const path = relative(process.cwd(), join(folder, 'supply.csv'))
  writeFileSync(path, content)
  return path
}

const badTable = (got: string): string =>
  whole(`lockedSupplyTable
  got    ${got}
  wants  the path of a CSV file of at most 15000 bytes: slot,locked and then slots, ascending, with MINA
  pass   npm run synth -- -c lockedSupplyTable=locked-supply.csv
  or     EXPLORER_LOCKED_SUPPLY_TABLE=locked-supply.csv npm run synth`)

describe('a table of the locked supply', () => {
  const csv = 'slot,locked\n0,214997828.206981533\n691201,0\n'

  test('is read from its path, which starts from the working folder', () => {
    expect(read({ nodeGraphqlUrl, lockedSupplyTable: fileOf(csv) }).lockedSupplyTable).toBe(csv)
  })

  test('may start with the byte order mark of a spreadsheet', () => {
    expect(read({ nodeGraphqlUrl, lockedSupplyTable: fileOf(`\uFEFF${csv}`) }).lockedSupplyTable).toBe(csv)
  })

  test('may be an empty file', () => {
    expect(read({ nodeGraphqlUrl, lockedSupplyTable: fileOf('') }).lockedSupplyTable).toBe('')
  })

  test.each([
    ['has another header', 'slot,total\n1,2\n', 'line 1: got "slot,total", wants "slot,locked"'],
    ['is not sorted', 'slot,locked\n10,2\n9,3\n', 'line 3: got slot 9, wants one above 10, the slot before it'],
    [
      'holds a number that is none',
      'slot,locked\n10,1e9\n',
      'line 2: got "10,1e9", wants a slot and MINA such as "36480,194970949.707368199"',
    ],
    ['is too large', `slot,locked\n${'1,'.padEnd(14_989, '0')}`, 'it has 15001 bytes'],
  ])('is refused when it %s', (_case, content, reason) => {
    const path = fileOf(content)
    expect(messageOf({ nodeGraphqlUrl }, { EXPLORER_LOCKED_SUPPLY_TABLE: path })).toBe(
      badTable(`"${path}" from EXPLORER_LOCKED_SUPPLY_TABLE: ${reason}`),
    )
  })

  test('is refused when there is no such file, and the message says where it was looked for', () => {
    const whereItWasLookedFor = join(process.cwd(), 'no-such.csv')
    expect(messageOf({ nodeGraphqlUrl, lockedSupplyTable: 'no-such.csv' })).toBe(
      badTable(`"no-such.csv" from the CDK context: ENOENT: no such file or directory, open '${whereItWasLookedFor}'`),
    )
  })

  test('is refused when it is a folder', () => {
    expect(messageOf({ nodeGraphqlUrl, lockedSupplyTable: folder })).toBe(
      badTable(`"${folder}" from the CDK context: EISDIR: illegal operation on a directory, read`),
    )
  })
})
