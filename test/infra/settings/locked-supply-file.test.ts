import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { leastFile, messageOf, read, whole } from './read-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-table-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The path is relative, so that it is short enough for messages to show it whole. */
function fileOf(content: string | Uint8Array): string {
  const path = relative(process.cwd(), join(folder, 'supply.csv'))
  writeFileSync(path, content)
  return path
}

const badTable = (got: string, origin = 'config/dev.ts'): string =>
  whole(`${origin}: lockedSupplyTable
  got      ${got}
  wants    the path of a CSV file of locked supply, at most 12000 bytes: slot,locked and then ascending slots with MINA
  example  lockedSupplyTable: 'config/locked-supply.csv'
  or       EXPLORER_LOCKED_SUPPLY_TABLE=config/locked-supply.csv`)

describe('a table of the locked supply', () => {
  const csv = 'slot,locked\n0,214997828.206981533\n691201,0\n'

  test('is read from its path, which starts from the folder of the project', () => {
    expect(read({ ...leastFile, lockedSupplyTable: fileOf(csv) }).lockedSupplyTable).toBe(csv)
  })

  test('may start with the byte order mark of a spreadsheet', () => {
    expect(read({ ...leastFile, lockedSupplyTable: fileOf(`\uFEFF${csv}`) }).lockedSupplyTable).toBe(csv)
  })

  test('may be an empty file', () => {
    expect(read({ ...leastFile, lockedSupplyTable: fileOf('') }).lockedSupplyTable).toBe('')
  })

  test.each([
    ['has another header', 'slot,total\n1,2\n', 'line 1: got "slot,total", wants "slot,locked"'],
    ['is not sorted', 'slot,locked\n10,2\n9,3\n', 'line 3: got slot 9, wants one above 10, the slot before it'],
    [
      'holds a number that is none',
      'slot,locked\n10,1e9\n',
      'line 2: got "10,1e9", wants a slot and MINA such as "36480,194970949.707368199"',
    ],
    ['is too large', `slot,locked\n${'1,'.padEnd(11_989, '0')}`, 'it has 12001 bytes'],
  ])('is refused if it %s', (_case, content, reason) => {
    const path = fileOf(content)
    expect(messageOf(leastFile, { EXPLORER_LOCKED_SUPPLY_TABLE: path })).toBe(
      badTable(`"${path}": ${reason}`, 'EXPLORER_LOCKED_SUPPLY_TABLE'),
    )
  })

  test('is refused if there is no such file, and the message has its path', () => {
    const whereItWasLookedFor = join(process.cwd(), 'no-such.csv')
    expect(messageOf({ ...leastFile, lockedSupplyTable: 'no-such.csv' })).toBe(
      badTable(`"no-such.csv": ENOENT: no such file or directory, open '${whereItWasLookedFor}'`),
    )
  })

  test('is refused if it is a folder', () => {
    expect(messageOf({ ...leastFile, lockedSupplyTable: folder })).toBe(
      badTable(`"${folder}": EISDIR: illegal operation on a directory, read`),
    )
  })
})
