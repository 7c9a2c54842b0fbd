// How the exchange's programs of docs/recipes.md treat a payment that a person declares foreign, and later lines about it:
// nobody may be paid twice by a line that was wrong.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { type ExchangeProgram, pythonHere } from '../../packages/proofs/exchange-day/program.ts'
import { temporaryFolder } from '../serving.ts'
import {
  describePrograms,
  moreRounds,
  order,
  paymentHash,
  paymentOf,
  serviceOf,
  standing,
  until,
} from './exchange-service.ts'

const isForeign = ({ hash }: { readonly hash: string }) => ({ adopt: hash, foreign: true })
const isOf = ({ hash }: { readonly hash: string }, name: string) => ({ adopt: hash, order: name })

describePrograms(({ language, testOfProgram, programAt }) => {
  /** A program that has paid the order `one`, and stands still. */
  async function beganAt(url: string, folder = temporaryFolder()) {
    const program = programAt(url, 0, folder)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.books().withdrawals.one?.state === 'paid')
    await program.kill()
    program.forgetSaid()
    return program
  }
  const isIn = (program: ExchangeProgram, state: string, ...names: readonly string[]) =>
    names.every((name) => program.books().withdrawals[name]?.state === state)
  const heldLine = (name: string, hash: string) =>
    `order ${name} is held, since foreign ${hash} has its terms: append {"adopt": "${hash}", "order": "${name}"} if that paid it, {"pay": "${name}"} if it is still to be paid, or {"cancel": "${name}"}`

  testOfProgram(
    'holds an order with the terms of a foreign payment, and no other, until a person pays it',
    async () => {
      const { url, paid, counts } = await serviceOf(() => standing(100))
      const amounts = () => paid.payments.map(({ command }) => command.amount)
      const program = await beganAt(url)
      const [two, five] = [
        paymentOf({ nonce: 1, amount: 8, memo: 'two' }),
        paymentOf({ nonce: 2, amount: 11, memo: 'five' }),
      ]
      paid.payments.push({ command: two, height: 100 }, { command: five, height: 100 })
      program.order([order('two', 8), order('three', 9), { ...order('like two', 8), memo: 'other' }])
      program.start()
      await until(() => program.books().foreign?.length === 2)
      expect(program.adopt().filter((line) => line.includes('for no order at all'))).toEqual([
        `  if its order is lost, append that order instead; only if it was for no order at all (held then until {"pay": "ID"}: two): {"adopt": "${two.hash}", "foreign": true}`,
        `  if its order is lost, append that order instead; only if it was for no order at all: {"adopt": "${five.hash}", "foreign": true}`,
      ])
      program.order([isForeign(two), isForeign(five)])
      await until(() => isIn(program, 'paid', 'three', 'like two'))
      // One that was lost, and comes back.
      program.order([order('five', 11), isForeign(two)])
      await until(() => isIn(program, 'perhaps paid', 'five'))
      await program.kill()
      program.start()
      await until(() => program.books().isCompared === true)
      await moreRounds(counts)
      const held = { state: 'perhaps paid', bids: 0, isHeld: true }
      const lines = [heldLine('two', two.hash), heldLine('five', five.hash)]
      expect([
        amounts(),
        program.books().withdrawals,
        program.adopt(),
        program
          .reportOf([])
          .stderr.split('\n')
          .filter((line) => line.includes('is held')),
        program.said.filter((line) => line.includes('is held')),
      ]).toEqual([
        [7, 8, 11, 9, 8],
        expect.objectContaining({
          two: { ...held, amount: '8', heldBy: [two.hash] },
          five: { ...held, amount: '11', heldBy: [five.hash] },
        }),
        [...lines, 'exit code 5'],
        lines,
        // Each start names them once.
        [...lines, ...lines],
      ])
      program.order([{ pay: 'two' }, { cancel: 'five' }, { pay: 'o99' }, { pay: 'one' }])
      await until(() => isIn(program, 'paid', 'two'))
      await moreRounds(counts)
      expect([amounts(), program.adopt(), program.books().withdrawals.five?.state, program.books().invalid]).toEqual([
        [7, 8, 11, 9, 8, 8],
        ['nothing is open'],
        'cancelled',
        [
          { line: 11, reason: 'there is no order o99' },
          { line: 12, reason: 'one has a payment: it is not held' },
        ],
      ])
    },
  )

  testOfProgram(
    'holds an order that was paid by a line once for a payment that is declared foreign later',
    async () => {
      const { url, paid, counts } = await serviceOf(() => standing(100))
      const program = await beganAt(url)
      const copy = temporaryFolder()
      const first = paymentOf({ nonce: 1, amount: 8, memo: 'two', hash: paymentHash('by hand') })
      paid.payments.push({ command: first, height: 100 })
      program.copyBooks(copy)
      program.order([order('two', 8), isForeign(first), { pay: 'two' }])
      program.start()
      await until(() => isIn(program, 'paid', 'two'))
      const own = paid.payments[2]?.command
      if (own === undefined) throw new Error('not paid')
      await program.kill()
      // Its payment is lost with the books, and is called foreign in error: from the copy, and from no books at all.
      for (const [from, more] of [
        [copy, [isForeign(own), order('three', 9)]],
        [undefined, [{ start: 0 }, isOf({ hash: paid.payments[0]?.command.hash ?? '' }, 'one'), order('four', 10)]],
      ] as const) {
        program.restoreBooks(from)
        program.order(more)
        program.start()
        await until(
          () => isIn(program, 'paid', from === copy ? 'three' : 'four') || /^{/.test(program.adopt('--lines')[0] ?? ''),
        )
        for (const line of program.adopt('--lines')) if (line.startsWith('{')) program.append(line)
        await until(() => isIn(program, 'paid', from === copy ? 'three' : 'four'))
        await moreRounds(counts)
        expect(program.books().withdrawals.two).toMatchObject({ state: 'perhaps paid', heldBy: [own.hash] })
        await program.kill()
      }
      expect(paid.payments.map(({ command }) => command.amount)).toEqual([7, 8, 8, 9, 10])
    },
  )

  testOfProgram('lets the later line about a payment win, and holds the order that it frees', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = await beganAt(url)
    const [a, b, c] = [2, 1, 3].map((nonce) =>
      paymentOf({ nonce, amount: 8, memo: 'x', hash: paymentHash(`x${nonce}`) }),
    )
    if (!(a && b && c)) throw new Error('never')
    for (const command of [b, a, c]) paid.payments.push({ command, height: 60 })
    const like = (id: string) => ({ ...order(id, 8), memo: 'x' })
    program.order([...['left', 'right', 'gone'].map(like), { cancel: 'gone' }, order('next', 9)])
    program.start()
    await until(() => program.books().foreign?.length === 3)
    // All wrong: each is final by now.
    program.order([isOf(a, 'left'), isOf(b, 'gone'), isForeign(c)])
    await until(() => isIn(program, 'paid', 'left', 'gone', 'next'))
    expect(program.books().withdrawals.right).toMatchObject({ state: 'perhaps paid', heldBy: [c.hash] })
    program.order([isForeign(a), isForeign(b), isOf(c, 'right'), order('last', 10)])
    await until(() => isIn(program, 'paid', 'right', 'last'))
    await moreRounds(counts)
    const { left, right, gone } = program.books().withdrawals
    expect([left, right?.hash, gone]).toEqual([
      { state: 'perhaps paid', amount: '8', bids: 0, isHeld: true, heldBy: [a.hash, b.hash].sort() },
      c.hash,
      { state: 'cancelled', amount: '8', bids: 0 },
    ])
    // From one order to another: who is freed may have been paid in another way.
    program.order([isOf(c, 'left'), order('very last', 11)])
    await until(() => isIn(program, 'paid', 'left', 'very last'))
    await moreRounds(counts)
    expect(program.books().withdrawals.right).toMatchObject({ state: 'perhaps paid', isHeld: true, bids: 0 })
    // Of the books' own payment there is nothing to decide.
    const own = program.books().withdrawals.one?.hash ?? ''
    program.order([isForeign({ hash: own }), { pay: 'right' }])
    await until(() => isIn(program, 'paid', 'right'))
    expect([
      program.books().invalid.map(({ reason }) => reason),
      program.adopt(),
      paid.payments.map(({ command }) => command.amount),
    ]).toEqual([[`these books signed ${own} for one`], ['nothing is open'], [7, 8, 8, 8, 9, 10, 11, 8]])
  })

  testOfProgram('lets the later line about a nonce win that nobody shows', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = await beganAt(url)
    paid.hasIndexer = false
    paid.hidden.add(1)
    paid.payments.push({ command: paymentOf({ nonce: 1, amount: 8, memo: 'two' }), height: 100 })
    program.order([order('two', 8), order('three', 8)])
    program.start()
    await until(() => program.adopt().some((line) => line.includes('adoptNonce')))
    program.order([{ adoptNonce: 1, order: 'two' }])
    await until(() => isIn(program, 'paid', 'two', 'three'))
    program.order([{ adoptNonce: 1, foreign: true }, order('four', 9)])
    await until(() => isIn(program, 'paid', 'four'))
    await moreRounds(counts)
    expect(program.books().withdrawals.two).toEqual({ state: 'perhaps paid', amount: '8', bids: 0, isHeld: true })
    program.order([{ adoptNonce: '1', order: 'two' }])
    await until(() => isIn(program, 'paid', 'two'))
    expect([program.adopt(), program.books().invalid, paid.payments.map(({ command }) => command.amount)]).toEqual([
      ['nothing is open'],
      [],
      [7, 8, 8, 9],
    ])
  })

  testOfProgram('shows and says that an order is paid twice', async () => {
    const { url, paid } = await serviceOf(() => standing(100))
    const program = await beganAt(url)
    const second = paymentOf({ nonce: 1, amount: 7, memo: 'one', hash: paymentHash('second') })
    paid.payments.push({ command: second, height: 100 })
    program.order([order('two', 8), isOf(second, 'one')])
    program.start()
    await until(() => isIn(program, 'paid', 'two') && program.report('2026-01-17').length === 3)
    const hashes = [program.books().withdrawals.one?.paidTwice?.[0], second.hash]
    const line = `order one is paid twice, by ${hashes.join(' and ')}`
    expect([
      program.books().withdrawals.one?.paidTwice,
      program.said.filter((each) => each.includes('twice')),
      program
        .reportOf(['--day', '2026-01-17'])
        .stderr.split('\n')
        .filter((each) => each.includes('twice')),
      program.report('2026-01-17').filter(({ id }) => id === 'one').length,
    ]).toEqual([hashes, [line], [line], 2])
  })

  testOfProgram('drops what it has signed, and never sent, for an order that is held', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = await beganAt(url)
    paid.sent = { code: 'node-unreachable', outcome: 'unknown' }
    program.order([order('lost', 8), order('two', 9), order('three', 10)])
    program.start()
    await until(() => isIn(program, 'signed', 'two', 'three'))
    await program.kill()
    paid.sent = 'final'
    const command = paymentOf({ nonce: 1, amount: 9, memo: 'two' })
    paid.payments.push({ command, height: 100 })
    program.order([isForeign(command)])
    program.start()
    await until(() => isIn(program, 'paid', 'three'))
    await moreRounds(counts)
    expect([program.books().withdrawals.two, paid.payments.map((each) => each.command.amount)]).toEqual([
      { state: 'perhaps paid', amount: '9', bids: 0, isHeld: true, heldBy: [command.hash] },
      [7, 9, 10],
    ])
  })

  testOfProgram('holds an order by the books of the version before', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const folder = temporaryFolder()
    const program = await beganAt(url, folder)
    const command = paymentOf({ nonce: 1, amount: 8, memo: 'two' })
    paid.payments.push({ command, height: 60 })
    program.order([order('three', 9), isForeign(command)])
    program.start()
    await until(() => isIn(program, 'paid', 'three'))
    await program.kill()
    const added = ['pay_line', 'freed_line', 'before'].map((name) => `ALTER TABLE orders DROP COLUMN ${name};`).join('')
    const script = `import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript("${added}")`
    if (language === 'python') execFileSync(pythonHere() ?? '', ['-c', script, join(folder, 'books.db')])
    else {
      // Nothing of them is in lines that the version before could write.
      const file = join(folder, 'books.jsonl')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/,"(?:Freed|Reread)":[^,}]*/g, ''))
    }
    program.order([order('two', 8), order('four', 10)])
    program.start()
    await until(() => isIn(program, 'paid', 'four'))
    await moreRounds(counts)
    expect([program.books().withdrawals.two?.heldBy, paid.payments.length]).toEqual([[command.hash], 4])
  })

  /** A used wallet, and a folder whose books are lost. */
  async function afterLoss(payments = [1, 2, 3]) {
    const made = await serviceOf(() => standing(100))
    const commands = payments.map((amount, nonce) =>
      paymentOf({ nonce, amount, memo: `old ${amount}`, hash: paymentHash(`${nonce}`) }),
    )
    for (const command of commands) made.paid.payments.push({ command, height: 60 })
    made.paid.pages = 2
    return { ...made, commands, amounts: () => made.paid.payments.map(({ command }) => command.amount) }
  }
  const oldOrders = [1, 2, 3].map((amount) => order(`old ${amount}`, amount))
  const counted = (start: number) =>
    `new books: the wallet's payments below nonce ${start} count as foreign, and hold orders with their terms`

  testOfProgram.each([
    ['with --fresh', [], ['--fresh'], 3],
    ['with a start that leaves payments out', [{ start: 2 }], [], 2],
  ] as const)('pays no order of lost books again %s', async (_, lines, options, start) => {
    const { url, counts, commands, amounts } = await afterLoss()
    const program = programAt(url, 0)
    program.order([...oldOrders, order('new', 4), ...lines])
    program.start(...options)
    const compared = start < 3 ? [{ adopt: commands[2]?.hash, order: 'old 3' }] : []
    program.order(compared)
    await until(() => isIn(program, 'paid', 'new'))
    await moreRounds(counts)
    expect(program.said).toContain(counted(start))
    expect(amounts()).toEqual([1, 2, 3, 4])
    expect(isIn(program, 'perhaps paid', 'old 1', 'old 2')).toBe(true)
    program.order([{ pay: 'old 1' }, isOf(commands[1] ?? { hash: '' }, 'old 2')])
    await until(() => isIn(program, 'paid', 'old 1', 'old 2'))
    expect(amounts()).toEqual([1, 2, 3, 4, 1])
  })

  testOfProgram(
    'pays no order again whose line comes after new books have begun, and keeps that over a kill',
    async () => {
      const { url, counts, amounts } = await afterLoss()
      const program = programAt(url, 0)
      program.start()
      await until(() => program.said.includes(counted(3)))
      await program.kill()
      program.order([...oldOrders, order('new', 4)])
      program.start()
      await until(() => isIn(program, 'paid', 'new'))
      await moreRounds(counts)
      expect(amounts()).toEqual([1, 2, 3, 4])
      expect(isIn(program, 'perhaps paid', 'old 1', 'old 2', 'old 3')).toBe(true)
    },
  )

  testOfProgram('signs nothing while nobody shows some payments of before, until a person has decided', async () => {
    const { url, counts, paid, amounts } = await afterLoss()
    paid.hidden.add(0).add(1)
    paid.hasIndexer = false
    const program = programAt(url, 0)
    program.order([...oldOrders, order('new', 4)])
    program.start('--fresh')
    const hidden =
      'again later: nobody shows the wallet\'s payments below nonce 2: connect an indexer, or append {"start": 0} and decide'
    await until(() => program.said.includes(hidden))
    await moreRounds(counts)
    expect(amounts()).toEqual([1, 2, 3])
    program.order([{ start: 0 }])
    await until(() => program.adopt().some((line) => line.includes('"adoptNonce": "0-1"')))
    expect(amounts()).toEqual([1, 2, 3])
  })

  testOfProgram('takes one payment for an order while another one with its terms has none', async () => {
    const { url, counts, commands, amounts } = await afterLoss([5, 5])
    const [first, second] = commands as unknown as [{ hash: string }, { hash: string }]
    const program = programAt(url, 0)
    program.order([order('one', 5), order('two', 5), order('new', 4)].map((each) => ({ ...each, memo: 'old 5' })))
    program.start('--fresh')
    await until(() => isIn(program, 'paid', 'new'))
    program.order([isOf(first, 'one'), isOf(first, 'two'), isOf(second, 'one'), isOf(second, 'two')])
    await until(() => isIn(program, 'paid', 'two'))
    await moreRounds(counts)
    expect(program.books().withdrawals.one).toMatchObject({ state: 'perhaps paid', heldBy: [second.hash] })
    program.order([isOf(second, 'one')])
    await until(() => isIn(program, 'paid', 'one'))
    await moreRounds(counts)
    expect(amounts()).toEqual([5, 5, 4])
    expect(program.books().invalid.map(({ reason }) => reason)).toEqual([
      `${second.hash} does not pay two: two has the payment ${first.hash}, and one none, so this one is of that order, or foreign`,
    ])
  })

  testOfProgram(
    'exits with 5 after a report while a decision is missing, and with 1 while the day may not be whole',
    async () => {
      const { url, paid } = await serviceOf(() => standing(100))
      const program = await beganAt(url)
      paid.payments.push({ command: paymentOf({ nonce: 1, amount: 8, memo: 'by hand' }), height: 60 })
      program.start('--from-height', '84')
      await until(() => program.books().foreign?.length === 1 && program.books().depositsFrom?.height === 84)
      const answer = program.reportOf(['--day', '2026-01-16'])
      expect([answer.status, answer.stderr.split('\n')]).toEqual([
        5,
        expect.arrayContaining(['payments of the wallet are not in these books: `adopt` names them']),
      ])
      program.order([isForeign(paid.payments[1]?.command ?? { hash: '' })])
      await until(() => program.adopt().includes('nothing is open'))
      expect(['2026-01-14', '2026-01-16', '2026-01-17'].map((day) => program.reportOf(['--day', day]).status)).toEqual([
        1, 0, 1,
      ])
    },
  )
})
