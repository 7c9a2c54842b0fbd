// The exchange's programs of docs/recipes.md in Python and Go, before a service that answers as each test says.
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { createRandom, integerBetween } from '../../local/chain/random.ts'
import { createSigner } from '../../local/chain/signer.ts'
import { encodeBase58Check } from '../../shared/mapping/base58check.ts'
import { memoFromText } from '../../shared/mapping/command.ts'
import {
  type Books,
  commandOf,
  ExchangeProgram,
  guarded,
  hurried,
  type Language,
  languages,
} from '../../verification/exchange-day/program.ts'
import { serve, temporaryFolder } from '../serving.ts'

// Programs are started again and again, perhaps on a busy machine.
jest.setTimeout(300_000)

const network = 'testnet'
const wallet = createSigner(network).keyPair('programs', 'wallet')
const { publicKey: receiver } = createSigner(network).keyPair('programs', 'receiver')

interface Block {
  readonly stateHash: string
  readonly blockHeight: number
  readonly dateTime: string
  readonly protocolState: { readonly previousStateHash: string }
  readonly transactions: { readonly userCommands: readonly object[]; readonly zkappCommands: readonly object[] }
}

const hashAt = (branch: string, height: number) => `3N${branch}${height}`

const encoded = (prefix: readonly number[], text: string, suffix: readonly number[] = []) =>
  encodeBase58Check(Uint8Array.from([...prefix, ...Buffer.from(text.padEnd(32, '\0')), ...suffix]))

/** A key that no wallet made, and a hash that no payment has. */
const keyAt = (branch: string, height: number) => encoded([0xcb, 1, 1], hashAt(branch, height), [0])
const paymentHash = (name: string) => encoded([0x1d, 0x20], name)

/** A block in which a key of its own gets its height in nanomina; six blocks make a day. */
const blockAt = (branch: string, height: number, parent = branch): Block => ({
  ...{ stateHash: hashAt(branch, height), blockHeight: height },
  dateTime: new Date(Date.UTC(2026, 0, 1) + height * 4 * 3_600_000).toISOString(),
  protocolState: { previousStateHash: hashAt(parent, height - 1) },
  transactions: {
    userCommands: [
      {
        ...{ hash: `5J${branch}${height}`, from: 'payer', to: keyAt(branch, height), nonce: height, amount: height },
        isDelegation: false,
      },
    ],
    zkappCommands: [],
  },
})

interface Daemon {
  readonly tip: number
  blockAt(height: number): Block
}

interface Payment {
  readonly hash: string
  readonly from: string
  readonly to: string
  readonly amount: number
  readonly fee: number
  readonly nonce: number
  readonly memo: string
  readonly isDelegation: boolean
}

/** The wallet's commands, as the service shows them. One that is sent is final in the tip's block. */
interface Wallet {
  /** In a pool without a height. */
  readonly payments: { readonly command: Payment; readonly height?: number }[]
  /** Nonces of those that fail on the chain. */
  readonly failing: Set<number>
  /** Nonces of those that the history leaves out. */
  readonly hidden: Set<number>
  hasIndexer: boolean
}

/** @param daemonFor the daemon that answers a path, perhaps one of several behind one address */
async function serviceOf(daemonFor: (path: string) => Daemon) {
  const paid: Wallet = { payments: [], failing: new Set(), hidden: new Set(), hasIndexer: true }
  const counts = { rounds: 0 }
  const nonceOf = () =>
    1 + Math.max(-1, ...paid.payments.flatMap(({ command, height }) => (height === undefined ? [] : [command.nonce])))
  const failureOf = ({ nonce }: Payment) => paid.failing.has(nonce) && { failureReason: 'Overflow' }
  const answer = ({ pathname, searchParams }: URL, { tip, blockAt: at }: Daemon): unknown => {
    const height = Number(/^\/blocks\/(?:height\/|3N\D*)(\d+)$/.exec(pathname)?.[1] ?? 0)
    if (height > 0) return height <= tip ? { block: at(height) } : undefined
    const blockOf = (place: number) => {
      const { blockHeight, dateTime, stateHash } = at(place)
      return { blockHeight, dateTime, stateHash }
    }
    if (pathname.startsWith('/transactions/')) {
      const isAsked = ({ command }: { command: Payment }) =>
        (['nonce', 'to', 'amount', 'fee', 'memo'] as const).every(
          (name) => `${command[name]}` === searchParams.get(name),
        )
      const found = paid.payments.find(isAsked)
      if (found?.height === undefined) return { transaction: { state: 'absent', sending: 'unknown' } }
      const block = blockOf(found.height)
      return { transaction: { state: 'included', final: true, confirmations: 29, block, ...failureOf(found.command) } }
    }
    const shown = paid.payments.flatMap(({ command, height: place }) =>
      place === undefined || paid.hidden.has(command.nonce)
        ? []
        : [{ command: { ...command, ...failureOf(command) }, block: blockOf(place), confirmations: tip - place }],
    )
    const nonce = nonceOf()
    const balance = { total: '1000.000000000', lockedBalance: null }
    const answers: Readonly<Record<string, unknown>> = {
      '/network': { networkName: network, k: 29, genesisStateHash: hashAt('', 1) },
      '/summary': { blockchainLength: tip },
      '/fees': { suggested: { slow: '1000000', normal: '2000000', fast: '3000000' } },
      [`/accounts/${wallet.publicKey}`]: { account: { nonce, nextNonce: nonce, balance } },
      [`/accounts/${wallet.publicKey}/transactions`]: {
        transactions: shown.toSorted((left, right) => right.command.nonce - left.command.nonce),
        searched: { toHeight: tip, indexer: paid.hasIndexer },
      },
      '/pool': { commands: paid.payments.flatMap(({ command, height: at }) => (at === undefined ? [command] : [])) },
    }
    return answers[pathname]
  }
  const { url } = await serve(async (request, response) => {
    const asked = new URL(request.url ?? '', 'http://127.0.0.1')
    const daemon = daemonFor(asked.pathname)
    const headers = { 'x-chain-height': String(daemon.tip), 'x-broadcast-outcome': 'accepted' }
    if (request.method === 'POST') {
      const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      const numbers = { amount: Number(data.amount), fee: Number(data.fee), nonce: Number(data.nonce) }
      const command = { ...data, ...numbers, memo: memoFromText(data.memo), hash: paymentHash(data.nonce) }
      paid.payments.push({ command: { ...command, isDelegation: false }, height: daemon.tip })
      return void response.writeHead(201, headers).end('{"result":{}}')
    }
    if (asked.pathname === `/accounts/${wallet.publicKey}`) counts.rounds++
    const body = answer(asked, daemon)
    response.writeHead(body ? 200 : 404, headers).end(JSON.stringify(body ?? { message: 'none' }))
  })
  return { url, paid, counts }
}

const { publicKey: from, privateKey } = wallet
const setting = { network, from, privateKey, pollSeconds: 0.02 }

const running: ExchangeProgram[] = []
afterEach(() => Promise.all(running.splice(0).map((program) => program.kill())))

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(20)
}

/** An order of so many nanomina, whose id is its memo. */
const order = (id: string, amount: number) => ({ id, to: receiver, amount: String(amount), memo: id })

/** A payment of the wallet to the receiver. */
const paymentOf = ({ memo, ...terms }: Pick<Payment, 'nonce' | 'amount' | 'memo'> & Partial<Payment>): Payment => ({
  ...{ hash: paymentHash(memo), from, to: receiver, fee: 2_000_000, isDelegation: false },
  ...terms,
  memo: memoFromText(memo),
})

describe.each(languages)('the program in %s', (language) => {
  // The program splits its --sign command as a POSIX shell does, which breaks Windows paths.
  const command = process.platform === 'win32' ? undefined : commandOf(language, temporaryFolder())
  const testOfProgram = command === undefined ? test.skip : test

  function programAt(url: string, confirmations: number, folder = temporaryFolder()): ExchangeProgram {
    if (command === undefined) throw new Error('not installed')
    const options = hurried[language]
    const program = new ExchangeProgram(command, folder, { ...setting, url, confirmations, options })
    running.push(program)
    return program
  }

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
        const rounds = counts.rounds + 10
        await until(() => counts.rounds >= rounds)
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
      expect(await settled(107)).toEqual({ ...keysOf('', 99, 102), ...keysOf('y', 103, 107) })
    },
  )

  const sumOf = (values: readonly string[]) => values.reduce((sum, value) => sum + BigInt(value), 0n)
  const totals = ({ deposits, withdrawals }: Books) => ({
    deposited: sumOf(Object.values(deposits)),
    paid: sumOf(Object.values(withdrawals).flatMap(({ state, amount }) => (state === 'paid' ? [amount] : []))),
    fees: sumOf(Object.values(withdrawals).map(({ fee }) => fee)),
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
      deposits: { [keyAt('', 98)]: '98', [keyAt('', 100)]: '100' },
      withdrawals: {
        ended: { state: 'paid', amount: '3', fee: '1000000', bids: 1, hash: '5Jended', nonce: 0 },
        bad: { state: 'invalid', amount: '5', fee: '0', bids: 0 },
        good: { state: 'paid', amount: '7', fee: '2000000', bids: 1, hash: expect.any(String), nonce: 1 },
      },
      invalid: [{ line: 0, id: 'bad', reason: 'to is not a public key: a letter is wrong, missing or too many' }],
    })
    expect(program.report('2026-01-17').map(({ id, height }) => [id, height])).toEqual([
      [`payer/100/${keyAt('', 100)}`, '100'],
      ['good', '100'],
    ])
  })

  const testOfGuarded = guarded.includes(language) ? testOfProgram : test.skip

  testOfGuarded('ends with 3 where another program runs on the folder, and leaves the books alone', async () => {
    const { url, paid, counts } = await serviceOf(() => ({ tip: 100, blockAt: (height) => blockAt('', height) }))
    const folder = temporaryFolder()
    const first = programAt(url, 0, folder)
    first.start()
    first.order([order('one', 7)])
    await until(() => first.books().withdrawals.one?.state === 'paid')
    for (let index = 0; index < 5; index++) {
      const second = programAt(url, 0, folder)
      first.order([order(`more ${index}`, 8 + index)])
      second.start()
      expect([await second.ended(), second.said]).toEqual([
        3,
        [`another program runs on ${folder}: end that one first, or give this one a folder of its own`],
      ])
    }
    const rounds = counts.rounds + 10
    await until(() => counts.rounds >= rounds && paid.payments.length === 6)
    expect(paid.payments.map(({ command }) => command.amount).sort()).toEqual([10, 11, 12, 7, 8, 9])
    // A kill frees the folder.
    await first.kill()
    const third = programAt(url, 0, folder)
    third.order([order('after', 20)])
    third.start()
    await until(() => third.books().withdrawals.after?.state === 'paid')
  })

  const foreign = paymentOf({ nonce: 1, amount: 8, memo: 'two' })
  const shown = (place: string) =>
    `nonce 1: ${foreign.hash} is not in these books: 8 nanomina to ${receiver}, memo "two", ${place}`
  const asked = (hash: string) => [
    `  order two asks for this. If it was paid by it, append to orders.jsonl: {"adopt": "${hash}", "order": "two"}`,
    `  if it pays no order of these books: {"adopt": "${hash}", "foreign": true}`,
  ]
  const last = 'nothing is signed, and nothing from nonce 1 on is sent, until each of these has its line'

  interface Place {
    readonly height?: number
    readonly isHidden?: boolean
  }
  testOfGuarded.each<[string, Place, string[]]>([
    ['in a block', { height: 100 }, [shown('in block 100'), ...asked(foreign.hash)]],
    ['in a pool that the next nonce does not count', {}, [shown('in a pool'), ...asked(foreign.hash)]],
    [
      'that nobody shows',
      { height: 100, isHidden: true },
      [
        'nonce 1: a command used it that nobody shows: unknown: no indexer',
        '  if it paid an order, append to orders.jsonl: {"adoptNonce": 1, "order": "ID"}',
        '  if it pays no order of these books: {"adoptNonce": 1, "foreign": true}',
      ],
    ],
  ])('signs nothing beside a payment %s, until a line adopts it', async (_, { height, isHidden = false }, lines) => {
    const { url, paid, counts } = await serviceOf(() => ({ tip: 100, blockAt: (at) => blockAt('', at) }))
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.books().withdrawals.one?.state === 'paid')
    await program.kill()
    paid.hasIndexer = !isHidden
    if (isHidden) paid.hidden.add(1)
    paid.payments.push({ command: foreign, ...(height !== undefined && { height }) })
    program.forgetSaid()
    program.order([order('two', 8), order('three', 9)])
    program.start()
    await until(() => program.said.length > 0)
    const rounds = counts.rounds + 10
    await until(() => counts.rounds >= rounds)
    expect([program.said, program.adopt()]).toEqual([
      [...lines, last],
      [...lines, last],
    ])
    const { withdrawals } = program.books()
    expect([withdrawals.two?.bids, withdrawals.three?.bids, paid.payments.length]).toEqual([0, 0, 2])
    program.order([isHidden ? { adoptNonce: 1, order: 'two' } : { adopt: foreign.hash, order: 'two' }])
    await until(() => program.books().withdrawals.three?.state === 'paid')
    expect([program.adopt(), paid.payments.map(({ command }) => command.amount)]).toEqual([
      ['nothing is open'],
      [7, 8, 9],
    ])
    expect(program.books().withdrawals.two).toMatchObject({ state: height === undefined ? 'open' : 'paid', nonce: 1 })
  })

  testOfGuarded('keeps a payment that was adopted through a reorganisation there and back', async () => {
    const branch = (name: string, tip: number): Daemon => ({
      tip,
      blockAt: (height) => (height > 100 ? blockAt(name, height, height === 101 ? '' : name) : blockAt('', height)),
    })
    let daemon = branch('', 100)
    const { url, paid, counts } = await serviceOf(() => daemon)
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.books().withdrawals.one?.state === 'paid')
    const seen = async (next: Daemon, height: number) => {
      daemon = next
      paid.payments.splice(1, 1, { command: foreign, height })
      const rounds = counts.rounds + 10
      await until(() => counts.rounds >= rounds)
    }
    await seen(branch('', 102), 101)
    program.order([{ adopt: foreign.hash, foreign: true }])
    const open: (readonly string[])[] = []
    for (const [next, height] of [
      [branch('', 103), 101],
      [branch('x', 104), 102],
      [branch('', 105), 101],
      [branch('', 106), 101],
      [branch('', 107), 101],
    ] as const) {
      await seen(next, height)
      open.push(program.adopt())
    }
    const none = ['nothing is open']
    expect(open).toEqual([none, none, none, none, none])
  })

  testOfGuarded('asks for a start where the books are gone and the orders are not', async () => {
    const { url, paid, counts } = await serviceOf(() => ({ tip: 100, blockAt: (at) => blockAt('', at) }))
    paid.payments.push({ command: paymentOf({ nonce: 0, amount: 7, memo: 'one' }), height: 99 })
    const program = programAt(url, 0)
    program.order([order('one', 7), order('two', 8)])
    program.start()
    await until(() => program.said.length > 0)
    const rounds = counts.rounds + 10
    await until(() => counts.rounds >= rounds)
    expect([program.said[0], program.adopt()]).toEqual([
      "orders.jsonl has lines, these books have no signed payment, and the wallet's nonce is 1: nothing is signed",
      program.said,
    ])
    program.order([{ start: 0 }])
    await until(() => program.books().foreign?.[0]?.order === 'one')
    program.order([{ adopt: paymentHash('one'), order: 'one' }])
    await until(() => program.books().withdrawals.two?.state === 'paid')
    expect(paid.payments.map(({ command }) => command.amount)).toEqual([7, 8])
  })

  testOfGuarded(
    'reads keys in every form that Windows writes, names what is no key, and forgets none by itself',
    async () => {
      const { url, paid, counts } = await serviceOf(() => ({ tip: 100, blockAt: (at) => blockAt('', at) }))
      const folder = temporaryFolder()
      const program = programAt(url, 0, folder)
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
        const rounds = counts.rounds + 4
        await until(() => counts.rounds >= rounds)
        return program.said
      }
      const named = (line: number, word: string) =>
        `keys.txt, line ${line}: "${word}" is not a public key: a letter is wrong, missing or too many`
      expect(program.said).toEqual([
        'orders.jsonl, line 1, itself: invalid: to is the wallet itself: nothing would be paid',
      ])
      expect(await said(`\ufeff${key}\r\n${wrong} # x\n`)).toEqual([named(2, wrong), named(2, '#'), named(2, 'x')])
      expect(await said(Buffer.from(`\ufeff${key}\r\n${other}\r\n`, 'utf16le'))).toEqual([])
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
