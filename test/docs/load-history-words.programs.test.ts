// What docs/recipes/python/load_history.py says of wrong input, and how it reads memos and the list of keys.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { memoOnChain, memoText } from '../../packages/client/src/memo.ts'
import { LoadingProgram } from '../../packages/proofs/database-loads/program.ts'
import { pythonHere } from '../../packages/proofs/exchange-day/program.ts'
import { temporaryFolder, unservedUrl, untilTestEnds } from '../serving.ts'

const python = pythonHere()
const testOfProgram = python === undefined ? test.skip : test
// Each run starts a program, perhaps on a busy machine.
jest.setTimeout(120_000)

const recipes = join(import.meta.dirname, '../../docs/recipes/python')
const environment = { ...process.env, PYTHONPATH: recipes, PYTHONDONTWRITEBYTECODE: '1' }

function programIn(
  folder: string,
  database: string,
  environment: Readonly<Record<string, string>> = {},
  url = unservedUrl,
) {
  return new LoadingProgram({ python: python ?? '', url, folder, keys: ['B62a'], database, environment })
}

testOfProgram('a memo is the text that the client finds in it, and stays as it is without one', () => {
  const empty = memoOnChain('')
  const memos = [
    empty,
    ...['rent', 'ä€', '\0', 'x'.repeat(32)].map(memoOnChain),
    `${empty.slice(0, -1)}b`,
    'E4',
    '',
    '0',
  ]
  const print =
    'import json, sys, load_history\nprint(json.dumps([load_history.memo_text(m) for m in json.loads(sys.argv[1])]))'
  const printed = execFileSync(python ?? '', ['-c', print, JSON.stringify(memos)], { env: environment })
  expect(JSON.parse(String(printed))).toEqual(memos.map((memo) => memoText(memo) ?? memo))
})

/** Opens a database in two threads, both of which look for its tables before either makes them. */
const openTwice = `
import sys, threading, load_history
both = threading.Barrier(2)
class Database(load_history.Database):
    def run(self, statement, *others, **options):
        answer = super().run(statement, *others, **options)
        if statement.startswith("SELECT 1 "):
            both.wait()
        return answer
def open_one():
    try:
        Database(sys.argv[1]).run("SELECT * FROM statements_of_all")
    except SystemExit as error:
        print(error)
threads = [threading.Thread(target=open_one) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
`

testOfProgram('first runs at once make one database', () => {
  const database = join(temporaryFolder(), 'history.db')
  expect(String(execFileSync(python ?? '', ['-c', openTwice, database], { env: environment }))).toBe('')
})

describe('one line says what is wrong', () => {
  testOfProgram.each([
    ['', 'there is no public key in it'],
    ['# only\n\n', 'there is no public key in it'],
    ['B62a\nEKsecret\n', 'line 2: one public key begins a line, and it begins with B62'],
    ['B62a B62b\n', 'line 1: one public key begins a line, and it begins with B62'],
    ['B62a Alice\nB62b;Bob\n', 'line 2: a space follows a public key'],
    ['B62a, Alice\n', 'line 1: a space follows a public key'],
    ['B62a Alice\n\nB62b\nB62a\n', 'line 4: another line has the same public key'],
  ])('of the list of keys %j', async (text, why) => {
    const folder = temporaryFolder()
    const [program, path] = [programIn(folder, join(folder, 'history.db')), join(folder, 'mine.txt')]
    writeFileSync(path, text)
    expect([await program.run('--keys', path), program.said]).toEqual([
      1,
      why.startsWith('line') ? `${path}, ${why}\n` : `${path}: ${why}\n`,
    ])
  })

  testOfProgram('of no list, zone, URL, database or package, and a database that another program holds', async () => {
    const folder = temporaryFolder()
    const lacking = join(folder, 'none', 'history.db')
    const says = async (program: LoadingProgram, ...options: string[]) => [await program.run(...options), program.said]
    expect(await says(programIn(folder, lacking), '--keys', `${lacking}.txt`)).toEqual([
      1,
      `${lacking}.txt: No such file or directory\n`,
    ])
    expect(await says(programIn(folder, lacking))).toEqual([
      1,
      'the database cannot be opened: unable to open database file\n',
    ])
    expect(await says(programIn(folder, lacking), '--zone', 'Mars/Base')).toEqual([
      2,
      expect.stringMatching(/: Mars\/Base is not known here; for all zones pip install tzdata\n$/),
    ])
    expect(await says(programIn(folder, lacking), '--tries', '0')).toEqual([
      2,
      expect.stringMatching(/: --tries must be 1 or more\n$/),
    ])
    for (const url of ['127.0.0.1:8080', 'ftp://127.0.0.1', 'https://']) {
      expect(await says(programIn(folder, lacking), '--url', url)).toEqual([
        2,
        expect.stringMatching(/: --url must begin with http:\/\/ or https:\/\/\n$/),
      ])
    }
    const withDuckdb = (name: string, code: string) => {
      const place = join(folder, name)
      mkdirSync(place)
      writeFileSync(join(place, 'duckdb.py'), code)
      return programIn(folder, 'history.duckdb', { PYTHONPATH: place })
    }
    expect(await says(withDuckdb('missing', 'raise ModuleNotFoundError("No module named \'duckdb\'")'))).toEqual([
      1,
      'No module named \'duckdb\': pip install duckdb, or for PostgreSQL "psycopg[binary]"\n',
    ])
    const locked = 'def connect(name):\n  raise OSError("Could not set lock:\\nheld by 7")'
    expect(await says(withDuckdb('locked', locked))).toEqual([
      1,
      'the database cannot be opened: Could not set lock: held by 7\n',
    ])
  })

  testOfProgram('of a database of an earlier version', async () => {
    const [folder, create] = [temporaryFolder(), 'CREATE TABLE account_loads (public_key TEXT)']
    const database = join(folder, 'history.db')
    execFileSync(python ?? '', [
      '-c',
      `import sqlite3; sqlite3.connect(${JSON.stringify(database)}).execute('${create}')`,
    ])
    const program = programIn(folder, database)
    expect([await program.run(), program.said]).toEqual([
      1,
      'the database is of an earlier version of this program: begin a new one\n',
    ])
  })

  testOfProgram('of a URL that is another one', async () => {
    const server = createServer((_request, response) => response.end('["another"]')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    untilTestEnds({ close: async () => server.close() })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const folder = temporaryFolder()
    const program = programIn(folder, join(folder, 'history.db'), {}, url)
    expect([await program.run(), program.said]).toEqual([1, `${url}/network names no network\n`])
  })

  testOfProgram('keys may have a mark in front, names and remarks', async () => {
    const folder = temporaryFolder()
    const [program, path] = [programIn(folder, join(folder, 'history.db')), join(folder, 'mine.txt')]
    writeFileSync(path, '\ufeffB62a Alice\r\n# others\r\nB62b#Bob\r\n\r\n')
    expect(await program.run('--keys', path, '--tries', '1')).toBe(1)
    expect(program.said).toMatch(/^\/network: [^\n]*, 1 times\n$/)
  })
})
