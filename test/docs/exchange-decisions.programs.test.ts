// What the exchange's programs of docs/recipes.md say before and after a person decides: nobody may be paid twice by doing what
// they print.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { pythonHere } from '../../packages/proofs/exchange-day/program.ts'
import { temporaryFolder } from '../serving.ts'
import {
  describePrograms,
  from,
  moreRounds,
  order,
  paymentOf,
  receiver,
  serviceOf,
  standing,
  until,
} from './exchange-service.ts'

describePrograms(({ language, testOfProgram, programAt }) => {
  testOfProgram('gives no all-clear after a start before it has compared for certain', async () => {
    // One comparison, in which the nonces may only be late.
    let pools = 1
    const { url, paid, counts } = await serviceOf((path) => {
      if (path === '/pool' && pools-- <= 0) throw new Error('gone')
      return standing(100)
    })
    paid.hasIndexer = false
    paid.hidden.add(0).add(1)
    for (const nonce of [0, 1])
      paid.payments.push({ command: paymentOf({ nonce, amount: 7, memo: `${nonce}` }), height: 99 })
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.adopt().includes('exit code 5'))
    program.forgetSaid()
    program.order([{ start: 0 }])
    await until(() => program.said.some((line) => line.includes('/pool')))
    await moreRounds(counts)
    expect([
      program.said.filter((line) => line.includes('signing')),
      program.adopt(),
      program.books().withdrawals.one,
      program.books().isCompared,
    ]).toEqual([
      [],
      ['not compared since the start or the last decision: the books are at block 100 of 100', 'exit code 1'],
      { state: 'perhaps paid', amount: '7', bids: 0, isHeld: true },
      false,
    ])
    pools = Number.POSITIVE_INFINITY
    await until(() => program.adopt().includes('exit code 5'))
    program.order([{ adoptNonce: '0-1', foreign: true }, { pay: 'one' }])
    await until(() => program.books().withdrawals.one?.state === 'paid')
    expect(program.adopt()).toEqual(['nothing is open'])
  })

  testOfProgram('takes no line while orders.jsonl lacks lines that were taken', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const folder = temporaryFolder()
    const file = join(folder, 'orders.jsonl')
    const program = programAt(url, 0, folder)
    const isPaid = (name: string) => program.books().withdrawals[name]?.state === 'paid'
    program.order([order('one', 7), order('two', 8)])
    program.start()
    await until(() => isPaid('two'))
    const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n')
    const remedy = [
      '  put the newest file back, and append what is new; orders of lost lines are in `books` and are paid: never order them under another id',
      '  if lines are lost for good, start once with --reread-orders: the file is taken from its first line, and no order that `books` has is paid again',
    ]
    // An older file, and one to which as much was appended as it lacked.
    for (const [lines, why] of [
      [[first], 'orders.jsonl has 1 of the 2 lines that were taken: no line is taken until they are back'],
      [
        [first, JSON.stringify(order('three', 9)), JSON.stringify(order('four', 10))],
        'the first 2 lines of orders.jsonl are not those that were taken: no line is taken until they are back',
      ],
    ] as const) {
      program.forgetSaid()
      writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
      await until(() => program.said.length >= 3)
      await moreRounds(counts)
      expect([program.said, Object.keys(program.books().withdrawals)]).toEqual([
        [why, ...remedy],
        ['one', 'two'],
      ])
      // Back, but saved by an editor of Windows.
      writeFileSync(file, `${first}\r\n${second}\r\n`)
      await moreRounds(counts)
    }
    program.order([order('five', 11), { raise: 'none' }])
    await until(() => isPaid('five'))
    program.forgetSaid()
    writeFileSync(file, `${JSON.stringify(order('six', 12))}\n${second}\n{"raise": "o99"}\n`)
    await until(() => program.said.length >= 3)
    await program.kill()
    program.start('--reread-orders')
    await until(() => isPaid('six'))
    program.order([order('seven', 13)])
    await until(() => isPaid('seven'))
    await program.kill()
    program.forgetSaid()
    program.start('--reread-orders')
    await until(() => program.said.length > 0)
    expect([program.said, paid.payments.map(({ command }) => command.amount), program.books().invalid]).toEqual([
      ['--reread-orders does nothing: orders.jsonl has all lines that were taken; take it out of the command'],
      [7, 8, 11, 12, 13],
      [{ line: 3, reason: 'there is no order o99' }],
    ])
  })

  testOfProgram('ends with 2 where the books are those of another wallet', async () => {
    const { url } = await serviceOf(() => standing(100))
    const folder = temporaryFolder()
    const program = programAt(url, 0, folder)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.books().withdrawals.one?.state === 'paid')
    const asAnother = async () => {
      await program.kill()
      program.forgetSaid()
      program.start('--from', receiver)
      return [await program.ended(), program.said]
    }
    const refused = [
      2,
      [`the books of ${folder} are those of ${from}, not of ${receiver}: give each wallet a folder of its own`],
    ]
    expect(await asAnother()).toEqual(refused)
    // Books of an earlier version.
    const forgetting =
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('DELETE FROM place WHERE name = ?', ('wallet',)); d.commit()"
    if (language === 'python') execFileSync(pythonHere() ?? '', ['-c', forgetting, join(folder, 'books.db')])
    else {
      const file = join(folder, 'books.jsonl')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/,"Wallet":"[^"]*"/, ''))
    }
    expect(await asAnother()).toEqual(refused)
    program.start()
    program.order([order('two', 8)])
    await until(() => program.books().withdrawals.two?.state === 'paid')
  })

  testOfProgram(
    'names each order that a payment may have paid, by another memo only where none has its own, and what is paid beside it',
    async () => {
      const { url, paid } = await serviceOf(() => standing(100))
      const program = programAt(url, 0)
      program.order([order('one', 7)])
      program.start()
      await until(() => program.books().withdrawals.one?.state === 'paid')
      await program.kill()
      program.forgetSaid()
      const byHand = paymentOf({ nonce: 1, amount: 8, memo: 'by hand' })
      const again = paymentOf({ nonce: 2, amount: 9, memo: 'three' })
      paid.payments.push({ command: byHand, height: 100 }, { command: again, height: 100 })
      program.order([order('two', 8), order('three', 9), order('four', 9), order('five', 9), { cancel: 'five' }])
      program.start()
      await until(() => program.said.length >= 7)
      const [two, three] = [byHand, again].map(
        ({ hash }) =>
          (name: string) =>
            `{"adopt": "${hash}", "order": "${name}"}`,
      )
      const foreign = ({ hash }: { hash: string }) => `{"adopt": "${hash}", "foreign": true}`
      expect([program.said, program.adopt('--lines')]).toEqual([
        [
          expect.stringMatching(/^nonce 1: /),
          `  order two asks for this with another memo. If it was paid by it, append to orders.jsonl: ${two?.('two')}`,
          `  if its order is lost, append that order instead; only if it was for no order at all (paid then: two): ${foreign(byHand)}`,
          expect.stringMatching(/^nonce 2: /),
          `  order three asks for this. If it was paid by it, append to orders.jsonl: ${three?.('three')}`,
          `  if its order is lost, append that order instead; only if it was for no order at all (held then until {"pay": "ID"}: three): ${foreign(again)}`,
          'nothing is signed, and nothing from nonce 1 on is sent, until each of these has its line',
        ],
        [three?.('three'), 'exit code 5'],
      ])
    },
  )

  testOfProgram(
    'says which orders a decision lets be paid, and keeps a refused one cancelled without its books',
    async () => {
      const { url, paid, counts } = await serviceOf(() => standing(100))
      const program = programAt(url, 0)
      const state = (name: string) => program.books().withdrawals[name]?.state
      paid.sent = { code: 'insufficient-balance' }
      program.order([order('502', 7)])
      program.start()
      await until(() => state('502') === 'refused')
      paid.sent = 'final'
      // Ordered again under another id.
      program.order([order('502b', 7)])
      await until(() => state('502b') === 'paid')
      program.order([{ cancel: '502' }, order('503', 9)])
      await until(() => state('503') === 'paid')
      expect(state('502')).toBe('cancelled')
      await program.kill()
      program.restoreBooks()
      program.forgetSaid()
      program.order([{ start: 0 }, order('504', 9)])
      program.start()
      await until(() => program.adopt('--lines').length === 3)
      program.order(paid.payments.map(({ command }, index) => ({ adopt: command.hash, order: ['502b', '503'][index] })))
      await until(() => state('504') === 'paid')
      await moreRounds(counts)
      expect([
        program.said.filter((line) => line.includes('perhaps paid') || line.includes('goes on')),
        state('502'),
        paid.payments.map(({ command }) => command.amount),
      ]).toEqual([
        [
          'perhaps paid until now, and to be paid once nothing is open: 504',
          'every payment of the wallet is in these books: signing goes on',
        ],
        'cancelled',
        [7, 9, 9],
      ])
    },
  )

  testOfProgram('says what to do with an order that is replaced or refused, and refuses to raise it', async () => {
    let tip = 100
    const { url, paid } = await serviceOf(() => standing(tip))
    Object.assign(paid, { sent: 'waits', areFinal: false, showsReplaced: true })
    const program = programAt(url, 0)
    const state = (name: string) => program.books().withdrawals[name]?.state
    program.order([order('one', 7)])
    program.start()
    await until(() => paid.payments.length === 1)
    const byHand = paymentOf({ nonce: 0, amount: 8, memo: 'by hand' })
    paid.payments.splice(0, 1, { command: byHand, height: 100 })
    tip = 101
    await until(() => program.adopt().length > 2)
    program.order([{ adopt: byHand.hash, foreign: true }, { raise: 'one' }])
    const saysReplaced = () => program.said.filter((line) => /replaced|refused|raised/.test(line))
    await until(() => program.adopt()[0] === 'nothing is open' && saysReplaced().length > 1)
    paid.areFinal = true
    tip = 102
    await until(() => state('one') === 'replaced')
    paid.sent = { code: 'insufficient-balance' }
    program.order([order('two', 9)])
    await until(() => state('two') === 'refused' && saysReplaced().length >= 5)
    const remedy = (name: string) =>
      `it is never paid now. If no other payment has paid it, append {"cancel": "${name}"}, and to pay it an order with another id`
    expect([saysReplaced().toSorted(), program.books().withdrawals.one?.bids]).toEqual([
      [
        `one is replaced: ${remedy('one')}`,
        'one, nonce 0: another command has its nonce: wait until `books` says replaced, and do not order it again before',
        'orders.jsonl, line 3: invalid: one cannot be raised: its nonce 0 is used',
        `two is refused: ${remedy('two')}`,
        'two, nonce 1: refused insufficient-balance',
      ],
      1,
    ])
  })

  testOfProgram(
    'says that nothing is to be done where no answer tells what became of a payment, and when it is there',
    async () => {
      const { url, paid } = await serviceOf(() => standing(100))
      paid.sent = { code: 'node-unreachable', outcome: 'unknown' }
      const program = programAt(url, 0)
      program.order([order('one', 7)])
      program.start()
      await until(() => program.said.some((line) => line.startsWith('one, ')))
      paid.sent = 'final'
      await until(() => program.books().withdrawals.one?.state === 'paid')
      expect(program.said.filter((line) => line.startsWith('one, '))).toEqual([
        'one, nonce 0: unknown node-unreachable: it is sent again until a node has it; do not pay it in another way',
        'one, nonce 0: a node has it now',
      ])
    },
  )
})
