// The exchange's programs of docs/recipes.md in Python and Go, before a service that answers as each test says: deposits, reports,
// and the files of a person.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import {
  type Books,
  commandOf,
  type ExchangeProgram,
  hurried,
  type Language,
} from '../../packages/proofs/exchange-day/program.ts'
import { createRandom, integerBetween } from '../../packages/testnet/random.ts'
import { temporaryFolder } from '../serving.ts'
import {
  blockAt,
  type Daemon,
  describePrograms,
  from,
  keyAt,
  moreRounds,
  order,
  paymentOf,
  privateKey,
  receiver,
  serviceOf,
  until,
} from './exchange-service.ts'

describePrograms(({ language, testOfProgram, programAt }) => {
  testOfProgram(
    'credits no block of a daemon that stands still, and takes back what the chain has lost alone',
    async () => {
      /** The chain, or a branch that leaves it above a height. */
      const daemon = (tip: number, branch = '', fork = tip): Daemon => ({
        tip,
        blockAt: (height) =>
          height > fork ? blockAt(branch, height, height === fork + 1 ? '' : branch) : blockAt('', height),
      })
      let [good, stopped] = [daemon(114), daemon(114)]
      const random = createRandom('two daemons')
      let isOther = (): boolean => true
      // Every summary is the good one's.
      const { url, counts } = await serviceOf((path) => (path !== '/summary' && isOther() ? stopped : good))
      const program = programAt(url, 15)
      const branches = ['', 'x', 'y']
      program.addKeys(branches.flatMap((branch) => Array.from({ length: 130 }, (_, height) => keyAt(branch, height))))
      program.start()
      const settled = async (height: number) => {
        await until(() => program.books().height === height)
        // Some rounds more, in which nothing may change.
        await moreRounds(counts)
        return program.books().deposits
      }
      const keysOf = (branch: string, first: number, last: number) =>
        Object.fromEntries(
          Array.from({ length: last - first + 1 }, (_, index) => [keyAt(branch, first + index), `${first + index}`]),
        )
      expect(await settled(99)).toEqual(keysOf('', 99, 99))
      good = daemon(120)
      // It stopped on an orphan above the block taken last, then on one below it.
      for (const fork of [99, 96]) {
        stopped = daemon(101, 'x', fork)
        expect(await settled(99)).toEqual(keysOf('', 99, 99))
      }
      isOther = () => integerBetween(random, 0, 1) === 0
      expect(await settled(105)).toEqual(keysOf('', 99, 105))
      // A reorganisation of the whole network, under as many confirmations, beside the one that stands still.
      good = daemon(122, 'y', 102)
      program.forgetSaid()
      expect(await settled(107)).toEqual({ ...keysOf('', 99, 102), ...keysOf('y', 103, 107) })
      // Those of the branch that was lost are in no block of this one.
      const lost = [103, 104, 105].map((height) => ({
        key: keyAt('', height),
        amount: `${height}`,
        hash: `5J${height}`,
        height,
      }))
      expect(program.books().takenBack?.toSorted((one, other) => one.height - other.height)).toEqual(lost)
      expect(program.said.filter((line) => line.startsWith('taken back: ')).sort()).toEqual(
        lost.map(
          ({ key, amount, hash, height }) =>
            `taken back: ${amount} nanomina of ${key}, ${hash} in block ${height}, which the chain lost`,
        ),
      )
      // It comes back.
      good = daemon(130)
      stopped = daemon(130)
      expect(await settled(115)).toEqual(keysOf('', 99, 115))
      expect(program.books().takenBack).toHaveLength(5)
    },
  )

  testOfProgram('credits from the block that a person names, and says what new books leave out', async () => {
    const { url, counts } = await serviceOf(() => ({ tip: 120, blockAt: (height) => blockAt('', height) }))
    const from = (first: number) =>
      Object.fromEntries(Array.from({ length: 121 - first }, (_, at) => [keyAt('', first + at), `${first + at}`]))
    const isFrom = (first: number) => {
      const { height, deposits } = program.books()
      return height === 120 && Object.keys(deposits).length === 121 - first
    }
    const folder = temporaryFolder()
    let program = programAt(url, 0, folder)
    program.addKeys(Array.from({ length: 130 }, (_, height) => keyAt('', height)))
    program.start()
    await until(() => isFrom(120) && program.said.length > 0)
    const leftOut = (height: number) =>
      `deposits before block ${height} of ${blockAt('', height).dateTime} are not in these books: --from-height 1, or the first block of lost books, credits them`
    expect(program.said).toEqual([leftOut(120)])
    program.order([
      { start: 0, startHeight: 0 },
      { start: 0, startHeight: 110 },
      { start: 0, startHeight: 112 },
    ])
    // The later one holds.
    await until(() => isFrom(112))
    await moreRounds(counts)
    expect([program.books().deposits, program.books().invalid]).toEqual([
      from(112),
      [{ line: 1, reason: 'startHeight is not the height of a block' }],
    ])
    await program.kill()
    // The smaller one holds, and a start with the same option changes nothing.
    for (const [option, first] of [
      ['115', 112],
      ['105', 105],
      ['105', 105],
    ] as const) {
      program.start('--from-height', option)
      await until(() => isFrom(first))
      await moreRounds(counts)
      expect(program.books().deposits).toEqual(from(first))
      await program.kill()
    }
    // Block 105 is of noon.
    expect(program.books().depositsFrom).toEqual({ height: 105, time: '2026-01-18T12:00:00.000Z' })
    const saidOf = (day: string) => program.reportOf(['--day', day]).stderr.trimEnd().split('\n')
    expect(['2026-01-17', '2026-01-18', '2026-01-19'].map((day) => saidOf(day).includes(leftOut(105)))).toEqual([
      ...[true, true, false],
    ])
    program = programAt(url, 0)
    program.addKeys(Object.keys(from(100)))
    program.start('--from-height', '118')
    await until(() => isFrom(118))
    expect([program.books().deposits, program.said]).toEqual([from(118), []])
  })

  testOfProgram('says when it runs, once what troubles it, and when that is over, each with its time', async () => {
    let isDown = (_path: string) => true
    let refusals = 0
    const { url, counts } = await serviceOf((path) => {
      if (isDown(path)) throw new Error(`${refusals++}`)
      return { tip: 100, blockAt: (height) => blockAt('', height) }
    })
    const folder = temporaryFolder()
    const program = programAt(url, 0, folder, [...hurried[language], '--from-height', '100'])
    program.order([order('one', 7)])
    program.start()
    await until(() => refusals > 5)
    isDown = (path) => /fees|summary/.test(path)
    await until(() => refusals > 20)
    isDown = () => false
    await until(() => program.said.includes('the trouble is over'))
    await moreRounds(counts)
    const lines = program.log.map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /, 'TIME '))
    expect(lines).toEqual([
      `TIME running on ${folder}: the books are at block 0`,
      'TIME again later: GET /network: 500',
      'TIME the trouble is over',
    ])
    const file = readdirSync(folder).find((name) => name.startsWith('books.')) ?? ''
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  })

  testOfProgram('ends with one line and a code of its own on another network, and without its folder', async () => {
    const { url } = await serviceOf(() => ({ tip: 100, blockAt: (height) => blockAt('', height) }))
    const ends = async (program: ExchangeProgram, ...options: readonly string[]) => {
      program.start(...options)
      return [await program.ended(), program.said]
    }
    expect(await ends(programAt(url, 0), '--network', 'mainnet')).toEqual([
      4,
      [expect.stringMatching(/the service is on testnet, not on mainnet$/)],
    ])
    const folder = join(temporaryFolder(), 'none')
    mkdirSync(folder)
    const program = programAt(url, 0, folder)
    rmSync(folder, { recursive: true })
    expect(await ends(program)).toEqual([2, [`${folder}: no such folder`]])
  })

  testOfProgram('names its commands to whoever asks for help', () => {
    const [program = '', ...options] = commandOf(language, temporaryFolder())?.(['-h']) ?? []
    const { stdout, stderr, status } = spawnSync(program, options, { encoding: 'utf8' })
    const unnamed = ['run', 'books', 'report', 'adopt', 'memo'].filter(
      (name) => !new RegExp(`\\b${name}\\b`).test(stdout + stderr),
    )
    expect([status, unnamed]).toEqual([0, []])
  })

  const sumOf = (values: readonly string[]) => values.reduce((sum, value) => sum + BigInt(value), 0n)
  const totals = ({ deposits, withdrawals }: Books) => ({
    deposited: sumOf(Object.values(deposits)),
    paid: sumOf(Object.values(withdrawals).flatMap(({ state, amount }) => (state === 'paid' ? [amount] : []))),
    fees: sumOf(Object.values(withdrawals).flatMap(({ fee }) => fee ?? [])),
  })

  testOfProgram('reports three days whose sums are what the books have gained on each of them', async () => {
    const good = { tip: 99, blockAt: (height: number) => blockAt('', height) }
    const { url, paid } = await serviceOf(() => good)
    const program = programAt(url, 0)
    program.addKeys(Array.from({ length: 130 }, (_, height) => keyAt('', height)))
    program.start()
    await until(() => program.books().height === 99)
    paid.failing.add(2)
    let before = totals(program.books())
    // Six blocks each, beginning at midnight with 102.
    for (const [day, last] of [
      ['2026-01-18', 107],
      ['2026-01-19', 113],
      ['2026-01-20', 119],
    ] as const) {
      good.tip = last - 6
      await until(() => program.books().height === good.tip)
      before = totals(program.books())
      good.tip = last
      program.order([order(`one of ${day}`, 1_000_000_000 + last), order(`two of ${day}`, 7)])
      const isOver = ({ height, withdrawals }: Books) =>
        height === last &&
        ['one', 'two'].every((name) => /paid|failed/.test(withdrawals[`${name} of ${day}`]?.state ?? ''))
      await until(() => isOver(program.books()))
      const after = totals(program.books())
      const rows = program.report(day)
      const reported = (kind: string, of: 'amount' | 'fee') =>
        sumOf(rows.flatMap((row) => (row.kind === kind ? [row[of]] : [])))
      expect({
        deposited: reported('deposit', 'amount'),
        paid: reported('withdrawal', 'amount') + reported('failed', 'amount'),
        fees: reported('withdrawal', 'fee') + reported('failed', 'fee'),
      }).toEqual({
        deposited: after.deposited - before.deposited,
        paid: after.paid - before.paid,
        fees: after.fees - before.fees,
      })
      expect(rows.map(({ time, height, kind }) => `${time} ${height} ${kind}`).sort()).toEqual(
        [
          ...[5, 4, 3, 2, 1, 0].map((below) => `${good.blockAt(last - below).dateTime} ${last - below} deposit`),
          ...['one', 'two'].map((name) => {
            const { state } = program.books().withdrawals[`${name} of ${day}`] ?? {}
            return `${good.blockAt(last).dateTime} ${last} ${state === 'failed' ? 'failed' : 'withdrawal'}`
          }),
        ].sort(),
      )
    }
  })

  testOfProgram('goes on from books of an earlier version, in which a bad order stands', async () => {
    const good = { tip: 100, blockAt: (height: number) => blockAt('', height) }
    const { url, paid } = await serviceOf(() => good)
    paid.payments.push({ command: paymentOf({ nonce: 0, amount: 3, memo: 'ended', fee: 1_000_000 }), height: 99 })
    const folder = temporaryFolder()
    const program = programAt(url, 0, folder)
    const bad = { ...order('bad', 5), to: receiver.replace(/.$/, (letter) => (letter === 'x' ? 'y' : 'x')) }
    const lines = [order('ended', 3), bad, order('good', 7)]
    program.order(lines)
    writeEarlierBooks[language](folder, lines)
    program.addKeys([keyAt('', 98), keyAt('', 100)])
    program.start()
    const isOver = ({ height, withdrawals }: Books) => height === 100 && withdrawals.good?.state === 'paid'
    await until(() => isOver(program.books()))
    expect(program.books()).toEqual({
      height: 100,
      time: blockAt('', 100).dateTime,
      deposits: { [keyAt('', 98)]: '98', [keyAt('', 100)]: '100' },
      withdrawals: {
        ended: { state: 'paid', amount: '3', fee: '1000000', bids: 1, hash: '5Jended', nonce: 0 },
        bad: { state: 'invalid', amount: '5', bids: 0 },
        good: { state: 'paid', amount: '7', fee: '2000000', bids: 1, block: 100, hash: expect.any(String), nonce: 1 },
      },
      invalid: [{ line: 0, id: 'bad', reason: 'to is not a public key: a letter is wrong, missing or too many' }],
      ...{ tip: 100, isCompared: true },
    })
    expect(['good', 'bad'].map((id) => JSON.parse(program.bookOf(id).stdout))).toEqual([
      program.books().withdrawals.good,
      { state: 'invalid', ...program.books().invalid[0] },
    ])
    expect(program.bookOf('o99')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/Z there is no order o99$/m),
    })
    expect(program.report('2026-01-17').map(({ id, height }) => [id, height])).toEqual([
      [`payer/100/${keyAt('', 100)}`, '100'],
      ['good', '100'],
    ])
    program.addKeys([keyAt('', 97)])
    await until(() => program.books().depositsFrom !== undefined)
    expect(program.books().depositsFrom).toEqual({ keys: { [keyAt('', 97)]: 101 } })
  })

  testOfProgram(
    'reads keys in every form that Windows writes, names what is no key, and forgets none by itself',
    async () => {
      const { url, paid, counts } = await serviceOf(() => ({ tip: 100, blockAt: (at) => blockAt('', at) }))
      const folder = temporaryFolder()
      const program = programAt(url, 0, folder, [...hurried[language], '--from-height', '100'])
      const file = join(folder, 'keys.txt')
      const [key, other] = [keyAt('', 100), keyAt('', 90)]
      const wrong = `${key.slice(0, -1)}${key.endsWith('1') ? '2' : '1'}`
      program.order([order('itself', 5)].map((each) => ({ ...each, to: from })))
      program.start()
      await until(() => program.said.length > 0)
      const said = async (text: string | Buffer) => {
        program.forgetSaid()
        writeFileSync(`${file}.new`, text)
        renameSync(`${file}.new`, file)
        await moreRounds(counts, 4)
        return program.said
      }
      const late = (of: string) =>
        `deposits to ${of} before block 101 are not in these books: --from-height 100 credits them`
      const named = (line: number, word: string) =>
        `keys.txt, line ${line}: "${word}" is not a public key: a letter is wrong, missing or too many`
      expect(program.said).toEqual([
        'orders.jsonl, line 1, itself: invalid: to is the wallet itself: nothing would be paid',
      ])
      expect(await said(`\ufeff${key}\r\n${wrong} # x\n`)).toEqual([
        ...[wrong, '#', 'x'].map((word) => named(2, word)),
        late(key),
      ])
      expect(await said(Buffer.from(`\ufeff${key}\r\n${other}\r\n`, 'utf16le'))).toEqual([late(other)])
      expect(await said(`${key}\n${privateKey}\n`)).toEqual([
        'keys.txt, line 2: a private key, not shown: take it out of this file, and move its funds if others could read it',
        `keys.txt lacks ${other}: it is watched all the same; to end that append {"forget": "${other}"} to orders.jsonl`,
      ])
      rmSync(file)
      program.order([order('one', 7)])
      await until(() => program.books().withdrawals.one?.state === 'paid')
      expect(program.said.slice(-1)).toEqual([
        expect.stringMatching(
          /^keys\.txt cannot be read \(no such file or directory\): nothing is credited until it can$/i,
        ),
      ])
      expect(await said(key)).toEqual([])
      program.order([{ forget: key }, { forget: other }, { forget: other }])
      await until(() => program.books().invalid.length === 3)
      expect(program.books().invalid.slice(1)).toEqual([
        { line: 3, reason: `${key} is in keys.txt: take it out there first` },
        { line: 5, reason: `${other} is not watched` },
      ])
      expect(paid.payments.length).toBe(1)
    },
  )
})

type Lines = readonly { readonly id: string; readonly to: string; readonly amount: string; readonly memo: string }[]

/** A block at 99 with a deposit at 98, three orders, and the end of the first. */
const writeEarlierBooks: Readonly<Record<Language, (folder: string, orders: Lines) => void>> = {
  go(folder, orders) {
    const deposit = { Id: 'payer/98/3N98', Key: keyAt('', 98), Hash: '5J98', Amount: 98, StateHash: '3N98' }
    const bid = { Hash: '5Jended', OrderId: 'ended', Nonce: 0, Fee: 1_000_000, Body: {}, Terms: { amount: '3' } }
    const entries = [
      { Height: 98, Added: '3N98', Deposits: [deposit] },
      { Height: 99, Added: '3N99' },
      { Orders: orders.map(({ id, to, amount, memo }) => ({ Id: id, To: to, Amount: amount, Memo: memo })) },
      { Bid: { ...bid, MayBeSent: true, IsTaken: true, SentAt: '2026-01-16T00:00:00Z', End: 'paid' } },
    ]
    writeFileSync(join(folder, 'books.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  },
  python(folder, orders) {
    const script = `
import json, sqlite3, sys
folder, orders = sys.argv[1], json.loads(sys.argv[2])
db = sqlite3.connect(folder + "/books.db")
db.executescript("""
CREATE TABLE place (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE deposits (id TEXT PRIMARY KEY, key TEXT, amount TEXT, hash TEXT, state_hash TEXT);
CREATE TABLE orders (id TEXT PRIMARY KEY, receiver TEXT, amount TEXT, memo TEXT, bids INTEGER DEFAULT 1);
CREATE TABLE bids (hash TEXT PRIMARY KEY, order_id TEXT, nonce INTEGER, fee TEXT, body TEXT, terms TEXT,
  may_be_sent INTEGER DEFAULT 0, is_taken INTEGER DEFAULT 0, sent_at REAL DEFAULT 0, end TEXT);
""")
with db:
    db.execute("INSERT INTO deposits VALUES ('payer/98/3N98', '${keyAt('', 98)}', '98', '5J98', '3N98')")
    db.execute("INSERT INTO place VALUES ('cursor', ?)", (json.dumps({"height": 99, "stateHash": "3N99", "below": ["3N98"]}),))
    db.execute("INSERT INTO place VALUES ('orders', '3')")
    for order in orders:
        db.execute("INSERT INTO orders VALUES (?, ?, ?, ?, 1)", tuple(order[name] for name in ("id", "to", "amount", "memo")))
    db.execute("INSERT INTO bids VALUES ('5Jended', 'ended', 0, '1000000', '{}', '{\\"amount\\":\\"3\\"}', 1, 1, 1, 'paid')")
`
    execFileSync('python3', ['-c', script, folder, JSON.stringify(orders)])
  },
}
