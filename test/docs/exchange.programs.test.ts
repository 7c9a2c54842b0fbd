// The exchange's programs of docs/recipes.md in Python and Go, before a service that answers as each test says.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { createRandom, integerBetween } from '../../local/chain/random.ts'
import { createSigner } from '../../local/chain/signer.ts'
import {
  type Books,
  commandOf,
  ExchangeProgram,
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

/** A block in which the key that its state hash names gets its height in nanomina; six blocks make a day. */
const blockAt = (branch: string, height: number, parent = branch): Block => ({
  ...{ stateHash: hashAt(branch, height), blockHeight: height },
  dateTime: new Date(Date.UTC(2026, 0, 1) + height * 4 * 3_600_000).toISOString(),
  protocolState: { previousStateHash: hashAt(parent, height - 1) },
  transactions: {
    userCommands: [
      {
        ...{ hash: `5J${branch}${height}`, from: 'payer', to: hashAt(branch, height), nonce: height, amount: height },
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

/** A wallet whose payments are final in the tip's block as soon as they are sent. */
interface Wallet {
  /** The block of each payment, by nonce. */
  readonly heights: number[]
  /** Nonces of those that fail on the chain. */
  readonly failing: Set<number>
}

/** @param daemonFor the daemon that answers a path, perhaps one of several behind one address */
async function serviceOf(daemonFor: (path: string) => Daemon) {
  const paid: Wallet = { heights: [], failing: new Set() }
  const counts = { rounds: 0 }
  const answer = ({ pathname, searchParams }: URL, { tip, blockAt: at }: Daemon): unknown => {
    const height = Number(/^\/blocks\/(?:height\/|3N\D*)(\d+)$/.exec(pathname)?.[1] ?? 0)
    if (height > 0) return height <= tip ? { block: at(height) } : undefined
    if (pathname.startsWith('/transactions/')) {
      const nonce = Number(searchParams.get('nonce'))
      const { blockHeight, dateTime, stateHash } = at(paid.heights[nonce] ?? 0)
      const included = { state: 'included', final: true, block: { blockHeight, dateTime, stateHash } }
      return { transaction: { ...included, ...(paid.failing.has(nonce) && { failureReason: 'Overflow' }) } }
    }
    const nonce = paid.heights.length
    const balance = { total: '1000.000000000', lockedBalance: null }
    const answers: Readonly<Record<string, unknown>> = {
      '/network': { networkName: network, k: 29, genesisStateHash: hashAt('', 1) },
      '/summary': { blockchainLength: tip },
      '/fees': { suggested: { slow: '1000000', normal: '2000000', fast: '3000000' } },
      [`/accounts/${wallet.publicKey}`]: { account: { nonce, nextNonce: nonce, balance } },
    }
    return answers[pathname]
  }
  const { url } = await serve(async (request, response) => {
    const asked = new URL(request.url ?? '', 'http://127.0.0.1')
    const daemon = daemonFor(asked.pathname)
    const headers = { 'x-chain-height': String(daemon.tip), 'x-broadcast-outcome': 'accepted' }
    if (request.method === 'POST') {
      const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      paid.heights[Number(data.nonce)] = daemon.tip
      return void response.writeHead(201, headers).end('{"result":{}}')
    }
    if (asked.pathname.startsWith('/accounts/')) counts.rounds++
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

describe.each(languages)('the program in %s', (language) => {
  // The program splits its --sign command as a POSIX shell does, which breaks Windows paths.
  const command = process.platform === 'win32' ? undefined : commandOf(language, temporaryFolder())
  const testOfProgram = command === undefined ? test.skip : test

  function programAt(url: string, confirmations: number, folder = temporaryFolder()): ExchangeProgram {
    if (command === undefined) throw new Error('not installed')
    const program = new ExchangeProgram(command, folder, { ...setting, url, confirmations })
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
      program.addKeys(branches.flatMap((branch) => Array.from({ length: 130 }, (_, height) => hashAt(branch, height))))
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
          Array.from({ length: last - first + 1 }, (_, index) => [hashAt(branch, first + index), `${first + index}`]),
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
    program.addKeys(Array.from({ length: 130 }, (_, height) => hashAt('', height)))
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
    const { url } = await serviceOf(() => good)
    const folder = temporaryFolder()
    const program = programAt(url, 0, folder)
    const bad = { ...order('bad', 5), to: receiver.replace(/.$/, (letter) => (letter === 'x' ? 'y' : 'x')) }
    const lines = [order('ended', 3), bad, order('good', 7)]
    program.order(lines)
    writeEarlierBooks[language](folder, lines)
    program.addKeys([hashAt('', 98), hashAt('', 100)])
    program.start()
    const isOver = ({ height, withdrawals }: Books) => height === 100 && withdrawals.good?.state === 'paid'
    await until(() => isOver(program.books()))
    expect(program.books()).toEqual({
      height: 100,
      deposits: { [hashAt('', 98)]: '98', [hashAt('', 100)]: '100' },
      withdrawals: {
        ended: { state: 'paid', amount: '3', fee: '1000000', bids: 1 },
        bad: { state: 'invalid', amount: '5', fee: '0', bids: 0 },
        good: { state: 'paid', amount: '7', fee: '2000000', bids: 1 },
      },
      invalid: [{ line: 0, id: 'bad', reason: 'to is not a public key: a letter is wrong, missing or too many' }],
    })
    expect(program.report('2026-01-17').map(({ id, height }) => [id, height])).toEqual([
      ['payer/100/3N100', '100'],
      ['good', '100'],
    ])
  })
})

type Lines = readonly { readonly id: string; readonly to: string; readonly amount: string; readonly memo: string }[]

/** A block at 99 with a deposit at 98, three orders, and the end of the first. */
const writeEarlierBooks: Readonly<Record<Language, (folder: string, orders: Lines) => void>> = {
  go(folder, orders) {
    const deposit = { Id: 'payer/98/3N98', Key: '3N98', Hash: '5J98', Amount: 98, StateHash: '3N98' }
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
    db.execute("INSERT INTO deposits VALUES ('payer/98/3N98', '3N98', '98', '5J98', '3N98')")
    db.execute("INSERT INTO place VALUES ('cursor', ?)", (json.dumps({"height": 99, "stateHash": "3N99", "below": ["3N98"]}),))
    db.execute("INSERT INTO place VALUES ('orders', '3')")
    for order in orders:
        db.execute("INSERT INTO orders VALUES (?, ?, ?, ?, 1)", tuple(order[name] for name in ("id", "to", "amount", "memo")))
    db.execute("INSERT INTO bids VALUES ('5Jended', 'ended', 0, '1000000', '{}', '{\\"amount\\":\\"3\\"}', 1, 1, 1, 'paid')")
`
    execFileSync('python3', ['-c', script, folder, JSON.stringify(orders)])
  },
}
