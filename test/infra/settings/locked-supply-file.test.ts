import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { minimalFile, mistakesIn, read } from './read-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-table-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The path is relative, so that it is short enough for messages to show it whole. */
function fileOf(content: string): string {
  const path = relative(process.cwd(), join(folder, 'supply.csv'))
  writeFileSync(path, content)
  return path
}

const refused = (got: string) =>
  `lockedSupplyTable | ${got} | the path of a CSV file of locked supply, at most 12000 bytes: slot,locked and then ascending slots with MINA | lockedSupplyTable: 'config/locked-supply.csv'`

const csv = 'slot,locked\n0,214997828.206981533\n691201,0\n'

test.each([
  ['a table behind the byte order mark of a spreadsheet', `\uFEFF${csv}`, csv],
  ['nothing', '', ''],
])('a table of the locked supply is read from a file with %s', (_case, content, table) => {
  expect(read({ ...minimalFile, lockedSupplyTable: fileOf(content) }).lockedSupplyTable).toBe(table)
})

test.each([
  [
    'is not sorted',
    () => fileOf('slot,locked\n10,2\n9,3\n'),
    'line 3: got slot 9, wants one above 10, the slot before it',
  ],
  ['is too large', () => fileOf(`slot,locked\n${'1,'.padEnd(11_989, '0')}`), 'it has 12001 bytes'],
  ['is missing', () => 'no.csv', `ENOENT: no such file or directory, open '${join(process.cwd(), 'no.csv')}'`],
  ['is a folder', () => folder, 'EISDIR: illegal operation on a directory, read'],
])('a file of locked supply that %s is refused with the reason', (_case, made, reason) => {
  const path = made()
  expect(mistakesIn({ ...minimalFile, lockedSupplyTable: path })).toEqual([refused(`"${path}": ${reason}`)])
})
