import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
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

describe('a table of the locked supply', () => {
  const csv = 'slot,locked\n0,214997828.206981533\n691201,0\n'

  const lines = Array.from({ length: 1497 }, (_, index) => `${10_000 + index},0\n`).join('')
  const longest = `slot,locked\n${lines}99999,0.000\n`

  test.each([
    ['a table behind the byte order mark of a spreadsheet', `\uFEFF${csv}`, csv],
    ['nothing', '', ''],
    ['as many bytes as are allowed', longest, longest],
  ])('is read from a file with %s', (_case, content, table) => {
    expect(read({ ...minimalFile, lockedSupplyTable: fileOf(content) }).lockedSupplyTable).toBe(table)
  })

  test.each([
    ['is not sorted', 'slot,locked\n10,2\n9,3\n', 'line 3: got slot 9, wants one above 10, the slot before it'],
    ['is too large', `slot,locked\n${'1,'.padEnd(11_989, '0')}`, 'it has 12001 bytes'],
  ])('is refused if it %s', (_case, content, reason) => {
    const path = fileOf(content)
    expect(mistakesIn({ ...minimalFile, lockedSupplyTable: path })).toEqual([refused(`"${path}": ${reason}`)])
  })

  test('is refused if its path is missing or a folder; the message has the path that was tried', () => {
    const tried = join(process.cwd(), 'no-such.csv')
    const mistakesWith = (lockedSupplyTable: string) => mistakesIn({ ...minimalFile, lockedSupplyTable })
    expect(mistakesWith('no-such.csv')).toEqual([
      refused(`"no-such.csv": ENOENT: no such file or directory, open '${tried}'`),
    ])
    expect(mistakesWith(folder)).toEqual([refused(`"${folder}": EISDIR: illegal operation on a directory, read`)])
  })
})
