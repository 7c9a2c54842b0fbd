// What an accountant reads out of the database of docs/recipes/python/load_history.py.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { LoadingProgram } from '../../packages/proofs/database-loads/program.ts'
import { pythonHere } from '../../packages/proofs/exchange-day/program.ts'
import { temporaryFolder, unservedUrl } from '../serving.ts'
import { duckdbServer } from './duckdb-server.ts'

const python = pythonHere()
const testOfProgram = python === undefined ? test.skip : test
// Each statement starts a program, perhaps on a busy machine.
jest.setTimeout(120_000)

const page = readFileSync(join(import.meta.dirname, '../../docs/into-a-database.md'), 'utf8')
const mina = 1_000_000_000n
const asOf = '2026-03-01T00:00:00.000Z'

function programIn(folder: string, database: string, environment: Readonly<Record<string, string>> = {}) {
  return new LoadingProgram({ python: python ?? '', url: unservedUrl, folder, keys: ['B62a'], database, environment })
}

interface Movement {
  readonly key?: string
  readonly day?: string
  readonly change: bigint | null
  readonly memo?: string
  readonly sender?: string
}

async function opened(kind: 'SQLite' | 'DuckDB') {
  const folder = temporaryFolder()
  const program =
    kind === 'DuckDB'
      ? programIn(folder, 'history.duckdb', (await duckdbServer()).environment)
      : programIn(folder, join(folder, 'history.db'))
  /** What stands outside of commands, and how much of it was there before them, as of a block in March. */
  const load = (...keys: readonly (readonly [key: string, outside: bigint | null, opening: bigint | null])[]) =>
    program.select(
      `INSERT INTO account_loads (public_key, name, network, loaded_at, settled_height, tip_height, tip_time, outside, opening,
         zone, tip_day)
       VALUES ${keys
         .map(
           ([key, outside, opening]) =>
             `('${key}', 'Name of ${key}', 'testnet', '', 0, 99, '${asOf}', ${outside}, ${opening}, 'UTC',
                '${asOf.slice(0, 10)}')`,
         )
         .join()}
       RETURNING public_key`,
    )
  const keep = (...rows: readonly Movement[]) => {
    const values = rows.map(
      ({ key = 'B62a', day = '2026-01-01', change, memo = '', sender = 'B62sender' }, index) =>
        `('${key}', '5J${index}', ${index}, '3N', '${day}T12:00:00.000Z', '${day}', 'PAYMENT', 'applied', '', '${sender}', '${key}',
          '${memo.replaceAll("'", "''")}', 0, 10, ${change}, TRUE)`,
    )
    return program.select(
      `INSERT INTO account_commands (public_key, hash, height, state_hash, time, day, kind, status, relation, sender, receiver, memo,
         nonce, fee, change, final) VALUES ${values.join()} RETURNING hash`,
    )
  }
  return { keep, load, select: program.select.bind(program) }
}

describe.each(['SQLite', 'DuckDB'] as const)('in %s', (kind) => {
  testOfProgram('a balance is shown where all of it is known to be older than the first command', async () => {
    const { keep, load, select } = await opened(kind)
    await load(
      ['created', -mina, -mina],
      ['between', null, -mina],
      ['producer', 7n, null],
      ['genesis', 7n, 7n],
      ['earned', 8n, 7n],
    )
    await keep(
      ...['created', 'between', 'producer', 'genesis', 'earned'].flatMap((key) => [
        { key, change: mina / 2n },
        { key, change: mina / 4n },
        { key, day: '2026-01-02', change: 66_000_000n * mina + 1n },
      ]),
      { key: 'genesis', day: '2026-01-03', change: null },
      { key: 'genesis', day: '2026-01-04', change: 1n },
    )
    const sums = ['66000000000000001', '66000000750000001']
    expect(
      await select('SELECT public_key, day, change, total, balance FROM day_ends ORDER BY public_key, day'),
    ).toEqual([
      ['between', '2026-01-01', '750000000', '750000000', null],
      ['between', '2026-01-02', ...sums, null],
      ['created', '2026-01-01', '750000000', '750000000', '0'],
      ['created', '2026-01-02', ...sums, '65999999750000001'],
      ['earned', '2026-01-01', '750000000', '750000000', null],
      ['earned', '2026-01-02', ...sums, null],
      ['genesis', '2026-01-01', '750000000', '750000000', '750000007'],
      ['genesis', '2026-01-02', ...sums, '66000000750000008'],
      ['genesis', '2026-01-03', null, null, null],
      ['genesis', '2026-01-04', '1', null, null],
      ['producer', '2026-01-01', '750000000', '750000000', null],
      ['producer', '2026-01-02', ...sums, null],
    ])
    const columns = ['commands', 'unsettled', 'change', 'total', 'balance']
    const types = columns.map((column) => `typeof(${column})`).join()
    const whole = kind === 'DuckDB' ? 'BIGINT' : 'integer'
    expect(await select(`SELECT DISTINCT ${types} FROM day_ends WHERE public_key = 'created'`)).toEqual([
      columns.map(() => whole),
    ])
  })

  testOfProgram('for a spreadsheet amounts are texts with every digit, and no memo is a formula', async () => {
    const { keep, load, select } = await opened(kind)
    await load(['B62a', -mina, -mina])
    const rows = [
      [66_000_000n * mina + 1n, '66000000.000000001', 'say "hi"', 'say "hi"'],
      [-mina / 2n, '-0.500000000', '=HYPERLINK("x")', `'=HYPERLINK("x")`],
      [-1n, '-0.000000001', ' =1', "' =1"],
      [0n, '0.000000000', '\t=1', "'\t=1"],
      [mina, '1.000000000', '＝1', "'＝1"],
      [-1_000_000_000n * mina - 1n, '-1000000000.000000001', "it's a=b", "it's a=b"],
      [9_223_372_036_854_775_807n, '9223372036.854775807', '', ''],
      [null, null, '-1', "'-1"],
    ] as const
    await keep(...rows.map(([change, , memo]) => ({ change, memo })), {
      day: '2026-01-02',
      change: -10n,
      memo: '@',
      sender: 'B62a',
    })
    expect(await select('SELECT change, fee_paid, memo FROM movements_in_mina WHERE final ORDER BY height')).toEqual([
      ...rows.map(([, change, , memo]) => [change, '0.000000000', memo]),
      ['-0.000000010', '0.000000010', "'@"],
    ])
    expect(await select('SELECT fee, fee_paid FROM movements ORDER BY height')).toEqual([
      ...rows.map(() => ['10', '0']),
      ['10', '10'],
    ])
    await select(`UPDATE account_commands SET change = 5 WHERE height <> 1 RETURNING hash`)
    await select(`UPDATE account_commands SET final = FALSE WHERE height = ${rows.length} RETURNING hash`)
    expect(await select('SELECT * FROM day_ends_in_mina ORDER BY day')).toEqual([
      ['B62a', 'Name of B62a', '2026-01-01', '-0.499999965', '0.000000000', '0'],
      ['B62a', 'Name of B62a', '2026-01-02', '0.000000005', '0.000000000', '1'],
    ])
  })

  testOfProgram("an export's order is the chain's, whichever row came first", async () => {
    const { keep, load, select } = await opened(kind)
    await load(['B62a', 0n, 0n], ['B62b', 0n, 0n])
    const inOrder = [
      ['7', 'B62S', '2', 'B62a'],
      ['7', 'B62S', '2', 'B62b'],
      ['7', 'B62S', '10', 'B62a'],
      ['7', 'B62r', '1', 'B62a'],
      ['8', 'B62S', '11', 'B62a'],
    ] as const
    for (const [height, sender, nonce, key] of inOrder.toReversed()) {
      await keep({ key, sender, change: 0n })
      await select(`UPDATE account_commands SET height = ${height}, nonce = ${nonce}, hash = '5J-${sender}-${nonce}'
        WHERE hash = '5J0' RETURNING hash`)
    }
    const exported = Array.from(page.matchAll(/movements_in_mina (ORDER BY [\w, ]+)/g), ([, order]) => order)
    const orders = [...new Set(exported)].map(
      (order) => `SELECT height, sender, nonce, public_key FROM movements_in_mina ${order}`,
    )
    expect([exported.length, await Promise.all(orders.map(select))]).toEqual([3, [inOrder]])
  })

  testOfProgram('statements of periods reconcile, and have NULL for what is not known', async () => {
    const { keep, load, select } = await opened(kind)
    const periods = [
      ['2025-12-01', '2025-12-31'],
      ['2026-01-01', '2026-01-31'],
      ['2026-02-01', '2026-02-28'],
    ]
    await load(
      ['created', -mina, -mina],
      ['genesis', 7n, 7n],
      ['producer', 7n, null],
      ['quiet', 5n, 5n],
      ['unknown', null, 0n],
    )
    await keep(
      { key: 'created', day: '2025-12-31', change: 0n },
      { key: 'created', day: '2026-01-01', change: 3n * mina },
      { key: 'created', day: '2026-01-31', change: -mina - 10n, sender: 'created' },
      { key: 'created', day: '2026-02-01', change: -10n, sender: 'created' },
      { key: 'genesis', day: '2025-12-31', change: mina },
      { key: 'genesis', day: '2026-01-15', change: -4n, sender: 'B62other' },
      { key: 'genesis', day: '2026-02-28', change: 66_000_000n * mina + 1n },
      { key: 'genesis', day: '2026-03-01', change: 9n },
      { key: 'producer', day: '2026-01-15', change: -11n, sender: 'producer' },
      { key: 'unknown', day: '2026-01-15', change: null, sender: 'unknown' },
      { key: 'unknown', day: '2026-02-15', change: 2n },
    )
    for (const period of periods)
      await select(`INSERT INTO periods VALUES ('${period.join("', '")}') RETURNING first_day`)
    const columns = ['opening_balance', 'received', 'sent', 'fees', 'creation_fee', 'closing_balance']
    const found = await select(
      `SELECT public_key, name, first_day, last_day, ${columns} FROM statements ORDER BY public_key, first_day`,
    )
    const expected = {
      created: [
        ['0', '0', '0', '0', '0', '0'],
        ['0', '3000000000', '1000000000', '10', '1000000000', '999999990'],
        ['999999990', '0', '0', '10', '0', '999999980'],
      ],
      genesis: [
        ['7', '1000000000', '0', '0', '0', '1000000007'],
        ['1000000007', '0', '4', '0', '0', '1000000003'],
        ['1000000003', '66000000000000001', '0', '0', '0', '66000001000000004'],
      ],
      producer: [
        [null, '0', '0', '0', null, null],
        [null, '0', '1', '10', null, null],
        [null, '0', '0', '0', null, null],
      ],
      quiet: [
        ['5', '0', '0', '0', '0', '5'],
        ['5', '0', '0', '0', '0', '5'],
        ['5', '0', '0', '0', '0', '5'],
      ],
      unknown: [
        [null, '0', '0', '0', null, null],
        [null, null, null, '10', null, null],
        [null, '2', '0', '0', null, null],
      ],
    }
    expect(found).toEqual(
      Object.entries(expected).flatMap(([key, rows]) =>
        rows.map((row, at) => [key, `Name of ${key}`, ...(periods[at] ?? []), ...row]),
      ),
    )
    expect(
      await select("SELECT * FROM statements_in_mina WHERE public_key = 'created' AND first_day = '2026-01-01'"),
    ).toEqual([
      ['created', 'Name of created', '2026-01-01', '2026-01-31', '0.000000000'].concat(
        '3.000000000',
        '1.000000000',
        '0.000000010',
        '1.000000000',
        '0.999999990',
        '0',
        '99',
        asOf,
      ),
    ])
    const types = columns.map((column) => `typeof(${column})`).join()
    const whole = kind === 'DuckDB' ? 'BIGINT' : 'integer'
    expect(await select(`SELECT DISTINCT ${types} FROM statements WHERE public_key = 'created'`)).toEqual([
      columns.map(() => whole),
    ])
  })

  testOfProgram(
    'a statement says as of when it stands, and has no balance of a day that was not over then',
    async () => {
      const { keep, load, select } = await opened(kind)
      await load(['failed', 0n, 0n], ['loaded', 0n, 0n], ['older', 0n, 0n])
      await select(
        "UPDATE account_loads SET tip_height = 7, tip_time = '2026-02-28T23:59:59.000Z', tip_day = '2026-02-28' WHERE public_key = 'failed' RETURNING name",
      )
      // A service that has not named its tip.
      await select(
        "UPDATE account_loads SET tip_height = NULL, tip_time = NULL, tip_day = NULL WHERE public_key = 'older' RETURNING name",
      )
      await keep(...['failed', 'loaded', 'older'].map((key) => ({ key, change: 5n })))
      for (const period of ["'2026-01-01', '2026-02-28'", "'2026-02-15', '2026-03-01'", "'2026-03-02', '2026-03-31'"])
        await select(`INSERT INTO periods VALUES (${period}) RETURNING first_day`)
      expect(
        await select(`SELECT public_key, opening_balance, received, sent, fees, creation_fee, closing_balance, unsettled,
        as_of_height, as_of_time FROM statements ORDER BY public_key, first_day`),
      ).toEqual([
        ...[
          ['0', '5', '0', '0', '0', null, '0'],
          ['5', '0', '0', '0', '0', null, '0'],
          [...Array(6).fill(null), '0'],
        ].map((row) => ['failed', ...row, '7', '2026-02-28T23:59:59.000Z']),
        ...[
          ['0', '5', '0', '0', '0', '5', '0'],
          ['5', '0', '0', '0', '0', null, '0'],
          [...Array(6).fill(null), '0'],
        ].map((row) => ['loaded', ...row, '99', asOf]),
        ...Array(3).fill(['older', ...Array(9).fill(null)]),
      ])
    },
  )

  testOfProgram('the sums of all keys are without transfers between them, and end at the lowest tip', async () => {
    const { keep, load, select } = await opened(kind)
    await load(['ours', 0n, 0n], ['till', -mina, -mina])
    const isBehind = ['6', '2026-02-28T12:00:00.000Z']
    await select(
      `UPDATE account_loads SET tip_height = 6, tip_time = '${isBehind[1]}', tip_day = '2026-02-28'
       WHERE public_key = 'till' RETURNING name`,
    )
    await keep(
      { key: 'ours', change: 9n * mina },
      { key: 'ours', change: -2n * mina - 10n, sender: 'ours' },
      { key: 'ours', change: -3n * mina - 10n, sender: 'ours' },
      { key: 'till', change: 2n * mina, sender: 'ours' },
      { key: 'ours', day: '2026-02-27', change: 1n },
      { key: 'till', day: '2026-02-28', change: mina, sender: 'ours' },
      { key: 'ours', day: '2026-02-28', change: -mina - 10n, sender: 'ours' },
    )
    await select("UPDATE account_commands SET hash = '5J1', height = 1 WHERE hash = '5J3' RETURNING hash")
    // Of a second transfer the receiver is not loaded yet.
    await select("UPDATE account_commands SET height = 7, final = FALSE WHERE hash = '5J6' RETURNING hash")
    await select(
      "UPDATE account_commands SET hash = '5J6', height = 7, public_key = 'later' WHERE hash = '5J5' RETURNING hash",
    )
    const periods = [
      ['2026-01-01', '2026-01-31'],
      ['2026-01-01', '2026-02-27'],
      ['2026-02-01', '2026-02-28'],
      ['2026-03-01', '2026-03-31'],
    ] as const
    for (const period of periods)
      await select(`INSERT INTO periods VALUES ('${period.join("', '")}') RETURNING first_day`)
    const ofAll = async () => {
      const rows = await select('SELECT * FROM statements_of_all ORDER BY first_day, last_day')
      expect(rows.map((row) => row.slice(0, 3))).toEqual(periods.map((period) => [...period, '2']))
      return rows.map((row) => row.slice(3))
    }
    const none = Array(6).fill(null)
    const past = [
      ['0', '9000000000', '3000000000', '20', '1000000000', '4999999980', '0'],
      ['0', '9000000001', '3000000000', '20', '1000000000', '4999999981', '0'],
    ]
    expect(await ofAll()).toEqual(
      [...past, ['4999999980', '1', '0', '0', '0', null, '0'], [...none, '0']].map((row) => [...row, ...isBehind]),
    )
    expect(await select('SELECT * FROM statements_of_all_in_mina ORDER BY first_day, last_day LIMIT 1')).toEqual([
      ['2026-01-01', '2026-01-31', '2', '0.000000000', '9.000000000', '3.000000000', '0.000000020'].concat(
        ...['1.000000000', '4.999999980', '0', ...isBehind],
      ),
    ])

    await select("UPDATE account_commands SET public_key = 'till' WHERE public_key = 'later' RETURNING hash")
    await select(
      `UPDATE account_loads SET tip_height = 99, tip_time = '${asOf}', tip_day = '2026-03-01' RETURNING name`,
    )
    const january = [...(past[0] ?? []), '99', asOf]
    const found = await ofAll()
    expect([found[0], ...found.slice(2)]).toEqual([
      january,
      ['4999999980', '1', '0', '10', '0', '4999999971', '1', '99', asOf],
      ['4999999971', '0', '0', '0', '0', null, '1', '99', asOf],
    ])
    await select("UPDATE account_loads SET outside = NULL WHERE public_key = 'till' RETURNING name")
    expect((await ofAll())[0]).toEqual([null, '9000000000', '3000000000', '20', null, null, '0', '99', asOf])
    await select("UPDATE account_commands SET change = NULL WHERE height = 7 AND public_key = 'till' RETURNING hash")
    expect((await ofAll())[2]).toEqual([null, null, null, '10', null, null, '1', '99', asOf])
    await select(
      "UPDATE account_loads SET tip_height = 0, tip_time = NULL, tip_day = NULL WHERE public_key = 'till' RETURNING name",
    )
    expect(await ofAll()).toEqual(periods.map(() => Array(9).fill(null)))
  })

  testOfProgram('a period has two days of the calendar, the first not after the last', async () => {
    const { select } = await opened(kind)
    const insert = (...days: string[]) =>
      select(`INSERT INTO periods VALUES ('${days.join("', '")}') RETURNING first_day`)
    const noDays = '2026-30-09 abcd-ef-gh 2026-1-1 2026-02-29 2100-02-29 2026-00-10 2026-04-00 20260101 now 2461042'
    for (const wrong of [...noDays.split(' '), '', ' 026-01-01', '2026-01-01 ', '2026-01-01T00']) {
      await expect(insert(wrong, '2999-12-31')).rejects.toThrow()
      await expect(insert('0001-01-01', wrong)).rejects.toThrow()
    }
    const why = kind === 'DuckDB' ? /first_day <= last_day/ : /write days as 2026-01-31, the first not after the last/
    await expect(insert('2026-01-31', '2026-01-01')).rejects.toThrow(why)
    expect([await insert('2024-02-29', '2024-02-29'), await select('SELECT * FROM periods')]).toEqual([
      [['2024-02-29']],
      [['2024-02-29', '2024-02-29']],
    ])
  })
})
