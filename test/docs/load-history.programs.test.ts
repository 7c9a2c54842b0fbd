// The recipe that loads histories into a database, in SQLite and DuckDB, through kills and reorganisations.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { truthOf, wholeChain } from '../../packages/proofs/account-history/chain-truth.ts'
import { judged, LoadingProgram, noDifferences } from '../../packages/proofs/database-loads/program.ts'
import { loadingStage } from '../../packages/proofs/database-loads/stage.ts'
import { pythonHere } from '../../packages/proofs/exchange-day/program.ts'
import type { ChainBlock } from '../../packages/testnet/block.ts'
import { temporaryFolder, untilTestEnds } from '../serving.ts'
import { duckdbServer } from './duckdb-server.ts'
import { textbookLoad } from './textbook-load.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/into-a-database.md'), 'utf8')
const commandsOf = ({ userCommands, zkappCommands }: ChainBlock): readonly (readonly string[])[] => [
  ...userCommands.map(({ command: { from, to } }) => [from, to]),
  ...zkappCommands.map(({ from, updates }) => [from, ...updates.map(({ publicKey }) => publicKey)]),
]

const python = pythonHere()
// Programs are started again and again, perhaps on a busy machine.
jest.setTimeout(300_000)

const testOfProgram = python === undefined ? test.skip : test

const utc = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`
const loadedKeys = ({ printed }: LoadingProgram) => new RegExp(`^${utc} (\\d+ of \\d+) keys`).exec(printed)?.[1]

/** Fits once, at this number from 1. */
const nth = (wanted: number) => {
  let asked = 0
  return () => ++asked === wanted
}

/** A program before a chain of its own. DuckDB is in memory; when a program is killed, it takes back what is not committed. */
async function prepared(kind: 'SQLite' | 'DuckDB') {
  const stage = untilTestEnds(await loadingStage('loads', 24, 60))
  const { chain, url } = stage
  const blocks = (count: number) => {
    for (let made = 0; made < count; made++) chain.nextBlock()
  }
  blocks(12)
  const [{ publicKey: producer } = { publicKey: '' }] = chain.day.node.producers
  const truth = truthOf(chain.day.node)
  const busy = chain.unrewarded().filter((key) => truth.has(key))
  const keys = [...busy.slice(0, 3), ...busy.slice(-6), producer]
  const folder = temporaryFolder()
  const duckdb = kind === 'DuckDB' ? await duckdbServer() : undefined
  const programAt = (service: string, listed = keys) =>
    new LoadingProgram({
      ...{ python: python ?? '', url: service, folder },
      keys: listed.map((key) => `${key}  Till of  ${key.slice(-4)} # 2`),
      database: duckdb ? 'history.duckdb' : join(folder, 'history.db'),
      ...(duckdb && { environment: duckdb.environment }),
    })
  const program = programAt(url)
  /** Does something once, before the answer to the first question for a page that fits. */
  const atPage = (fits: (path: string) => boolean, action: () => void) => {
    let isDone = false
    stage.onRequest = (path) => {
      if (!isDone && path.includes('/transactions') && fits(path)) {
        isDone = true
        action()
      }
      return true
    }
  }
  const differences = async () => {
    const { rows, balances, ...found } = await judged(program, chain, keys)
    expect([rows > 60, balances > 4]).toEqual([true, true])
    return found
  }
  return { atPage, blocks, chain, differences, duckdb, keys, program, programAt, stage, url }
}

describe.each(['SQLite', 'DuckDB'] as const)('in %s', (kind) => {
  testOfProgram(
    'after kills and reorganisations each sum is that of the chain, where the usual load is wrong',
    async () => {
      const { atPage, blocks, chain, differences, duckdb, keys, program, stage, url } = await prepared(kind)
      const usual = keys.map((key) => ({ key, load: textbookLoad(url) }))
      const runBoth = async () => {
        for (const { key, load } of usual) await load.run(key)
        return program.run()
      }
      for (const page of [1, 30, 12]) {
        atPage(nth(page), () => program.kill())
        expect(await program.run()).toBe(null)
      }
      if (duckdb) {
        const isFifth = nth(5)
        duckdb.onStatement = (statement) => {
          if (statement.startsWith('INSERT INTO account_loads') && isFifth()) program.kill()
        }
        expect(await program.run()).toBe(null)
        duckdb.onStatement = () => undefined
      }
      stage.onRequest = () => true
      expect(await runBoth()).toBe(0)
      expect(await differences()).toEqual(noDifferences)

      blocks(4)
      const isYoung = (path: string) => Number(/before=(\d+)/.exec(path)?.[1]) > chain.day.node.tip().height - 15
      atPage(isYoung, () => chain.day.node.reorganise(15))
      expect(await program.run()).toBe(0)
      stage.onRequest = () => true
      chain.day.node.reorganise(20)
      blocks(2)
      expect(await runBoth()).toBe(0)
      expect(await differences()).toEqual(noDifferences)
      expect(stage.counts.replaced).toBeGreaterThan(0)
      const unrewarded = new Set(chain.unrewarded())
      const isWrong = ({ key, load }: (typeof usual)[number]) => load.sum() !== chain.changeOf(key)
      expect(usual.filter(({ key }) => unrewarded.has(key)).filter(isWrong).length).toBeGreaterThan(0)

      // The page's own queries, for a key that was paid in both years.
      const [{ key: ours = '' } = {}] = usual
      const asked = Array.from(page.matchAll(/^```sql\n(SELECT.*?)^```/gms), ([, query = '']) => query)
      const change = (begin: string, returned: string) => {
        const [statement = ''] = new RegExp(`${begin}[^\`]*`).exec(page) ?? []
        return program.select(`${statement.replace('B62…', ours)} RETURNING ${returned}`)
      }
      await change('INSERT INTO periods', 'first_day')
      const [movements, ends, statements] = await Promise.all(
        asked.map((query) => program.select(query.replaceAll('B62…', ours))),
      )
      const newest = await program.select('SELECT public_key, tip_height, balance FROM account_loads')
      const newYear = Date.UTC(2026, 0, 1)
      const commands = wholeChain(chain.day.node)
        .filter(({ date }) => date >= newYear)
        .flatMap(commandsOf)
      expect(movements?.map((row) => row.at(-1)).length).toBe(
        commands.filter((parties) => parties.includes(ours)).length,
      )
      expect(ends?.map(([day]) => day)).toEqual(['2025-12-31', '2026-01-01'])
      const balanceOf = (key: string) => String(chain.day.node.account(key)?.balance ?? 0n)
      // What genesis gave and what blocks paid is in no command: such a balance is known once a person says which of them it was.
      const isKnown = (key: string) => chain.changeOf(key) >= BigInt(balanceOf(key))
      const { height, date } = chain.day.node.tip()
      const inJanuary = (rows: typeof statements) => rows?.filter(([, , firstDay]) => firstDay === '2026-01-01')
      expect(
        inJanuary(statements)
          ?.map((row) => [row[0], row[1], row[4] !== null, ...row.slice(9)])
          .sort(),
      ).toEqual(
        keys
          .map((key) => [key, `Till of ${key.slice(-4)}`, isKnown(key), null])
          .map((row) => [...row, expect.any(String), String(height), new Date(date).toISOString()])
          .sort(),
      )
      // The month ends.
      await program.select("UPDATE account_loads SET tip_day = '2026-02-01' RETURNING name")
      const ended = await program.select('SELECT * FROM statements')
      expect(
        inJanuary(ended)
          ?.map((row) => [row[0], row[9]])
          .sort(),
      ).toEqual(keys.map((key) => [key, isKnown(key) ? balanceOf(key) : null]).sort())
      await change('UPDATE account_loads', 'public_key')
      const ofOurs = `SELECT opening_balance, closing_balance FROM statements
        WHERE public_key = '${ours}' AND first_day = '2026-01-01'`
      const genesis = BigInt(balanceOf(ours)) - chain.changeOf(ours)
      expect(await program.select(ofOurs)).toEqual([[String(genesis + BigInt(ends?.[0]?.[1] ?? 0)), balanceOf(ours)]])
      expect(program.said).toMatch(/^(?:B62\w+: \d+ rows so far, down to height \d+\n)+$/)
      expect(newest?.slice().sort()).toEqual(keys.map((key) => [key, String(height), balanceOf(key)]).sort())
      expect(program.printed).toMatch(
        new RegExp(
          `^${utc} 10 of 10 keys up to height ${height}: [1-9]\\d* new rows, [1-9]\\d* deleted, 0 unknown balances\n$`,
        ),
      )

      // An answer that lacks a change, which then no view may leave out of a sum.
      const days = () => program.select(`SELECT day, change, total FROM day_ends WHERE public_key = '${ours}'`)
      const daysBefore = await days()
      await program.select(`UPDATE account_commands SET change = NULL WHERE public_key = '${ours}'`)
      expect(await days()).toEqual(daysBefore.map(([day]) => [day, null, null]))
      // Where the service does not answer, a key stays as it is.
      stage.onRequest = (path) => !path.includes('/transactions')
      const rows = () => program.select('SELECT * FROM account_commands ORDER BY public_key, hash')
      const kept = await rows()
      expect(await program.run('--tries', '1')).toBe(1)
      expect(await rows()).toEqual(kept)

      stage.onRequest = () => true
      const [drop = ''] = /DELETE FROM account_commands[^`]*/.exec(page) ?? []
      for (const statement of drop.replaceAll('B62…', ours).split('; '))
        await program.select(`${statement} RETURNING public_key`)
      expect((await rows()).filter((row) => row[0] === ours)).toEqual([])
      expect(await program.select('SELECT COUNT(*) FROM account_loads')).toEqual([['9']])
      expect(await program.run()).toBe(0)
      expect(await differences()).toEqual(noDifferences)
    },
  )

  testOfProgram(
    'another chain, a tip below what is final, and a service that cannot show it change nothing',
    async () => {
      const { blocks, chain, keys, program, programAt, stage } = await prepared(kind)
      blocks(40)
      expect(await program.run()).toBe(0)
      const all = async () => [
        await program.select('SELECT * FROM account_commands ORDER BY public_key, hash'),
        await program.select('SELECT * FROM account_loads ORDER BY public_key'),
      ]
      const [[[height, stateHash, time] = []], kept] = [
        await program.select(
          'SELECT height, state_hash, time FROM account_commands WHERE final ORDER BY height DESC LIMIT 1',
        ),
        await all(),
      ]
      // The same genesis and the same keys, as after a start without KEEP.
      const restarted = untilTestEnds(await loadingStage('loads', 25, 60))
      for (let made = 0; made < 60; made++) restarted.chain.nextBlock()
      const another = programAt(restarted.url)
      expect([await another.run(), another.printed, another.said]).toEqual([
        1,
        '',
        expect.stringMatching(
          new RegExp(
            `^the service is on another chain: its block ${height} is 3N\\w+ of \\S+, the final one of the database ${stateHash} of ${time}\n$`,
          ),
        ),
      ])
      // The same commands in the same blocks, whose hashes do not tell the time.
      const later = untilTestEnds(await loadingStage('loads', 24, 60, 11))
      for (let made = 0; made < 52; made++) later.chain.nextBlock()
      const again = programAt(later.url)
      expect([await again.run(), again.said]).toEqual([
        1,
        expect.stringMatching(new RegExp(`block ${height} is ${stateHash} of (?!${time}).*${stateHash} of ${time}\n$`)),
      ])
      const short = programAt(untilTestEnds(await loadingStage('loads', 24, 20)).url)
      expect([await short.run(), short.said]).toEqual([
        1,
        `the service does not show block ${height}, which is final in the database: its tip lies below, it lacks an indexer, or it is another chain\n`,
      ])
      program.said = ''
      stage.onRequest = (path) => !path.startsWith('/blocks')
      expect([await program.run('--tries', '1'), program.said]).toEqual([1, `/blocks/height/${height}: 503, 1 times\n`])
      expect(await all()).toEqual(kept)

      // A node that lags answers for one of the histories.
      stage.onRequest = () => true
      const [ours] = keys
      const ofOurs = `SELECT * FROM account_commands WHERE public_key = '${ours}' ORDER BY hash`
      const [before, { height: tip }] = [await program.select(ofOurs), chain.day.node.tip()]
      await program.select(`UPDATE account_loads SET settled_height = 999 WHERE public_key = '${ours}' RETURNING name`)
      program.said = ''
      expect([await program.run(), program.said, await program.select(ofOurs)]).toEqual([
        1,
        `${ours}: the tip of the service, ${tip}, lies below block 999, up to which the database is final\n`,
        before,
      ])

      // Whoever wants the other chain says so.
      await program.select('UPDATE account_loads SET settled_height = 0 RETURNING name')
      expect(await another.run()).toBe(0)
      const ofNode = new Set(wholeChain(restarted.chain.day.node).map((block) => block.stateHash))
      const rows = await program.select('SELECT state_hash FROM account_commands')
      expect([rows.length > 60, rows.filter(([hash]) => !ofNode.has(hash ?? ''))]).toEqual([true, []])
    },
  )

  testOfProgram('a key that no longer reconciles is named, and fails the run', async () => {
    const { blocks, program } = await prepared(kind)
    blocks(40)
    expect(await program.run()).toBe(0)
    const [[key, hash, change] = []] = await program.select(
      `SELECT public_key, hash, change FROM movements JOIN account_loads USING (public_key)
       WHERE opening < 0 AND movements.final AND height <= settled_height AND change > 0 ORDER BY height LIMIT 1`,
    )
    const runAfter = async (statement: string) => {
      program.said = ''
      await program.select(`${statement} RETURNING public_key`)
      return [await program.run(), program.said.replace(/.* rows so far.*\n/g, '')]
    }
    const alarm = (more: string | undefined | null) => [
      1,
      `${key}: its balance is +${more} nanomina off opening and changes: load it anew, or after income from blocks set opening = NULL\n`,
    ]
    const row = `WHERE public_key = '${key}' AND hash = '${hash}'`
    // What stands outside is 0 then, as for a key that has paid nobody for its account.
    expect(await runAfter(`UPDATE account_commands SET change = change - 1000000000 ${row}`)).toEqual(
      alarm('1000000000'),
    )
    expect(await runAfter(`DELETE FROM account_commands ${row}`)).toEqual(alarm(change))
    const ofKey = `WHERE public_key = '${key}'`
    expect(await runAfter(`UPDATE account_loads SET opening = NULL ${ofKey}`)).toEqual([0, ''])
    expect(await runAfter(`UPDATE account_loads SET opening = -1000000000, settled_height = 0 ${ofKey}`)).toEqual([
      0,
      '',
    ])
  })

  testOfProgram('days are those of one time zone', async () => {
    const { chain, program } = await prepared(kind)
    const timeZone = 'America/New_York'
    expect(await program.run('--zone', timeZone)).toBe(0)
    // Of Canada, which writes the year first.
    const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
    const rows = await program.select('SELECT time, day FROM movements')
    expect(rows.length).toBeGreaterThan(60)
    expect(rows.map(([, day]) => day)).toEqual(rows.map(([time]) => days.format(Date.parse(time ?? ''))))
    expect(await program.select('SELECT DISTINCT tip_day FROM account_loads')).toEqual([
      [days.format(chain.day.node.tip().date)],
    ])
    program.said = ''
    expect([await program.run(), program.said]).toEqual([
      1,
      `the database is that of --network testnet --zone ${timeZone}: give these, or begin a new database\n`,
    ])
  })

  testOfProgram(
    'in an outage each key is tried once after the first, and one without an answer stops no other',
    async () => {
      const { keys, program, stage } = await prepared(kind)
      const asked = new Map<string, number>()
      /** The numbers of the questions that each key's page has, in the order of the run; some of them have no answer. */
      const outage = async (isRefused: (key: string, time: number) => boolean) => {
        asked.clear()
        stage.onRequest = (path) => {
          const key = keys.find((each) => path.includes(`${each}/transactions`))
          if (key === undefined) return true
          const time = (asked.get(key) ?? 0) + 1
          asked.set(key, time)
          return !isRefused(key, time)
        }
        return [await program.run('--tries', '2'), loadedKeys(program)]
      }
      expect([await outage(() => true), [...asked.entries()]]).toEqual([
        [1, '0 of 10'],
        keys.map((key, at) => [key, at === 0 ? 2 : 1]),
      ])
      const [first, second, third] = keys
      // After a key that was loaded the next one has all its tries again.
      expect(await outage((key, time) => key === first || (key === third && time === 1))).toEqual([1, '9 of 10'])
      expect([asked.get(first ?? ''), (asked.get(second ?? '') ?? 0) > 0]).toEqual([2, true])
    },
  )

  testOfProgram('a key whose line is gone is loaded like the others, until it is deleted', async () => {
    const { blocks, differences, keys, program, programAt, url } = await prepared(kind)
    expect(await program.run()).toBe(0)
    const [gone = '', ...others] = keys
    const shorter = programAt(url, others)
    blocks(4)
    expect([await shorter.run(), loadedKeys(shorter), shorter.said]).toEqual([
      0,
      '10 of 10',
      expect.stringMatching(new RegExp(`^loaded too, without a line in \\S+keys\\.txt: ${gone}\n`)),
    ])
    expect(await differences()).toEqual(noDifferences)
    expect(await shorter.select(`SELECT name FROM account_loads WHERE public_key = '${gone}'`)).toEqual([
      [`Till of ${gone.slice(-4)}`],
    ])
    const [drop = ''] = /DELETE FROM account_commands[^`]*/.exec(page) ?? []
    for (const statement of drop.replaceAll('B62…', gone).split('; '))
      await shorter.select(`${statement} RETURNING public_key`)
    shorter.said = ''
    expect([await shorter.run(), loadedKeys(shorter), shorter.said]).toEqual([0, '9 of 9', ''])
    expect(await shorter.select('SELECT COUNT(*) FROM account_loads')).toEqual([['9']])
  })

  testOfProgram('a balance rests on the block of its sum, and is unknown where blocks come too fast', async () => {
    const { blocks, keys, program, stage } = await prepared(kind)
    const balances = () =>
      program.select(
        'SELECT public_key FROM day_ends WHERE balance IS NOT NULL GROUP BY public_key ORDER BY public_key',
      )
    expect(await program.run()).toBe(0)
    const known = await balances()
    const asked = new Set<string>()
    stage.onRequest = (path) => {
      const isFirst = !path.includes('/transactions') && keys.some((key) => path.includes(key)) && !asked.has(path)
      if (isFirst) blocks(1)
      asked.add(path)
      return true
    }
    expect(await program.run()).toBe(0)
    expect([program.printed.trim().split(', ').at(-1), await balances()]).toEqual(['0 unknown balances', known])
    stage.onRequest = (path) => {
      if (!path.includes('/transactions')) blocks(1)
      return true
    }
    expect(await program.run('--tries', '2')).toBe(0)
    expect([program.printed.trim().split(', ').at(-1), await balances()]).toEqual(['10 unknown balances', []])
  })
})
