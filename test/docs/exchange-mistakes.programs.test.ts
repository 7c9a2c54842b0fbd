// What the exchange's programs of docs/recipes.md make of wrong decisions of a person, and of decisions that come at a bad time.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { ExchangeProgram } from '../../packages/proofs/exchange-day/program.ts'
import { temporaryFolder } from '../serving.ts'
import {
  describePrograms,
  moreRounds,
  order,
  paymentHash,
  paymentOf,
  receiver,
  serviceOf,
  standing,
  until,
} from './exchange-service.ts'

const isForeign = ({ hash }: { readonly hash: string }) => ({ adopt: hash, foreign: true })
const isOf = ({ hash }: { readonly hash: string }, name: string) => ({ adopt: hash, order: name })
const isIn = (program: ExchangeProgram, state: string, ...names: readonly string[]) =>
  names.every((name) => program.books().withdrawals[name]?.state === state)
/** An order whose terms others have too. */
const alike = (id: string, memo = 'alike') => ({ id, to: receiver, amount: '8', memo })
const reasons = (program: ExchangeProgram) => program.books().invalid.map(({ reason }) => reason)

describePrograms(({ testOfProgram, programAt }) => {
  testOfProgram('does not take a payment from an order for a twin that has one', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = programAt(url, 0)
    const old = paymentOf({ nonce: 0, amount: 8, memo: 'alike' })
    paid.payments.push({ command: old, height: 60 })
    program.order([alike('one'), alike('two'), { start: 0 }])
    program.start()
    await until(() => program.books().foreign?.length === 1)
    // It was that of `one`, which is paid now.
    program.order([isOf(old, 'two')])
    await until(() => isIn(program, 'paid', 'one', 'two'))
    const second = program.books().withdrawals.one?.hash
    program.order([isOf(old, 'one')])
    await until(() => reasons(program).length === 1)
    program.order([isOf(old, 'two')])
    await until(() => program.adopt().includes('nothing is open'))
    await moreRounds(counts)
    expect([reasons(program), paid.payments.length, isIn(program, 'paid', 'one', 'two')]).toEqual([
      [
        `${old.hash} does not pay one: one has the payment ${second}, and two none, so this one is of that order, or foreign`,
      ],
      2,
      true,
    ])
  })

  testOfProgram('takes no payment for an order with another memo while one with its memo has none', async () => {
    const { url, paid } = await serviceOf(() => standing(100))
    const program = programAt(url, 0)
    const command = paymentOf({ nonce: 0, amount: 8, memo: 'alike' })
    paid.payments.push({ command, height: 60 })
    program.order([alike('one'), alike('two', 'another'), { start: 0 }])
    program.start()
    await until(() => program.books().foreign?.length === 1)
    program.order([isOf(command, 'two')])
    await until(() => reasons(program).length === 1)
    expect([reasons(program), paid.payments.length]).toEqual([
      [
        `${command.hash} does not pay two: it has the memo of one, which has no payment: append {"cancel": "one"} first if it needs none`,
      ],
      1,
    ])
    program.order([{ cancel: 'one' }, isOf(command, 'two')])
    await until(() => isIn(program, 'paid', 'two') && program.adopt().includes('nothing is open'))
    expect(paid.payments.length).toBe(1)
  })

  testOfProgram('keeps lines about payments of before, where books are new and a person calls them fresh', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = programAt(url, 0)
    const [one, two] = [0, 1].map((nonce) => paymentOf({ nonce, amount: 7 + nonce, memo: ['one', 'two'][nonce] ?? '' }))
    if (!(one && two)) throw new Error('never')
    paid.payments.push({ command: one, height: 60 }, { command: two, height: 60 })
    program.order([order('one', 7), order('two', 8), isOf(one, 'one'), isForeign(two), order('three', 9)])
    program.start('--fresh')
    await until(() => isIn(program, 'paid', 'one', 'three'))
    await moreRounds(counts)
    expect([program.books().withdrawals.two, paid.payments.map(({ command }) => command.amount)]).toEqual([
      { state: 'perhaps paid', amount: '8', bids: 0, isHeld: true, heldBy: [two.hash] },
      [7, 8, 9],
    ])
  })

  testOfProgram('holds an order whose payment by a line no block and no pool shows', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = programAt(url, 0)
    const hash = paymentHash('nobody knows it')
    program.order([order('one', 7), { adopt: hash, order: 'one' }, order('two', 8)])
    program.start()
    await until(() => isIn(program, 'paid', 'two'))
    await moreRounds(counts)
    expect([program.books().withdrawals.one, program.adopt()]).toEqual([
      { state: 'perhaps paid', amount: '7', bids: 0, isHeld: true, heldBy: [hash] },
      [
        `order one is held, since no block and no pool shows ${hash}, by your line its payment: append {"adopt": "${hash}", "foreign": true} if that did not pay it`,
        'exit code 5',
      ],
    ])
    program.order([isForeign({ hash })])
    await until(() => isIn(program, 'paid', 'one'))
    expect(paid.payments.map(({ command }) => command.amount)).toEqual([8, 7])
  })

  testOfProgram('refuses a line about a payment of its own, which a service shows under another hash', async () => {
    const { url, paid } = await serviceOf(() => standing(100))
    paid.sent = 'waits'
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => paid.payments.length === 1)
    const [{ command } = { command: paymentOf({ nonce: 9, amount: 9, memo: '' }) }] = paid.payments
    program.order([order('two', 8), isOf(command, 'two')])
    await until(() => paid.payments.length === 2)
    expect([reasons(program), program.adopt()]).toEqual([
      [`these books signed ${command.hash} for one`],
      ['nothing is open'],
    ])
  })

  testOfProgram('holds each order that a foreign nonce may have paid, and none that comes later', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    paid.hasIndexer = false
    paid.hidden.add(0)
    paid.payments.push({ command: paymentOf({ nonce: 0, amount: 7, memo: 'one' }), height: 60 })
    const program = programAt(url, 0)
    program.order([order('one', 7), { start: 0 }])
    program.start()
    await until(() => program.adopt().some((line) => line.includes('adoptNonce')))
    program.order([{ adoptNonce: 0, foreign: true }, order('two', 8)])
    await until(() => isIn(program, 'paid', 'two'))
    await moreRounds(counts)
    expect(program.adopt()).toEqual([
      'order one is held, since by your lines it may be paid: append {"pay": "one"} if it is still to be paid, or {"cancel": "one"}',
      'exit code 5',
    ])
    program.order([{ pay: 'one' }])
    await until(() => isIn(program, 'paid', 'one'))
  })

  testOfProgram('compares what waits below a start that is too high, also once it is in a block', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = programAt(url, 0)
    const [before, command] = [
      paymentOf({ nonce: 0, amount: 7, memo: 'one' }),
      paymentOf({ nonce: 1, amount: 8, memo: 'two' }),
    ]
    paid.payments.push({ command: before, height: 60 }, { command, pool: 'every' })
    program.order([order('two', 8), { start: 2 }])
    program.start()
    await until(() => program.books().foreign?.length === 1)
    Object.assign(paid.payments[1] ?? {}, { height: 100 })
    program.order([order('three', 9)])
    await moreRounds(counts)
    expect([program.books().foreign?.map(({ hash }) => hash), paid.payments.length]).toEqual([[command.hash], 2])
  })

  testOfProgram('finds what used a nonce once the service has an indexer, without a new start', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    paid.hasIndexer = false
    paid.hidden.add(0)
    const [old, young] = [0, 1].map((nonce) => paymentOf({ nonce, amount: 8, memo: `by hand ${nonce}` }))
    if (!(old && young)) throw new Error('never')
    paid.payments.push({ command: old, height: 60 }, { command: young, height: 90 })
    const program = programAt(url, 0)
    program.order([order('one', 7), { start: 0 }])
    program.start()
    await until(() => program.books().foreign?.length === 2)
    await moreRounds(counts)
    paid.hasIndexer = true
    paid.hidden.clear()
    await until(() => program.books().foreign?.[0]?.hash === old.hash)
    expect(program.books().foreign?.map(({ hash }) => hash)).toEqual([old.hash, young.hash])
  })

  testOfProgram('begins later than nodes go back, where a later line says so', async () => {
    const { url, counts } = await serviceOf(() => ({ ...standing(200), lowest: 100 }))
    const program = programAt(url, 0)
    program.order([{ start: 0, startHeight: 1 }])
    program.start()
    const advice =
      'again later: no upstream has block 1 any more: connect an indexer, or begin later, by --from-height or {"start": 0, "startHeight": "N"}'
    await until(() => program.said.includes(advice))
    await moreRounds(counts)
    program.order([{ start: 0, startHeight: '100' }])
    await until(() => program.books().height === 200)
    expect(program.books().depositsFrom?.height).toBe(100)
  })

  testOfProgram('says that a line has no end, and takes it once it has one', async () => {
    const { url, counts } = await serviceOf(() => standing(100))
    const folder = temporaryFolder()
    const program = programAt(url, 0, folder)
    program.start()
    const text = JSON.stringify(order('one', 7))
    appendFileSync(join(folder, 'orders.jsonl'), text)
    await until(() => program.said.includes('orders.jsonl, line 1: it has no line end, and is taken once it has one'))
    await moreRounds(counts)
    expect(program.books().withdrawals).toEqual({})
    appendFileSync(join(folder, 'orders.jsonl'), `${JSON.stringify(order('two', 8))}\n${text}\n`)
    await until(() => isIn(program, 'paid', 'one'))
    expect(reasons(program)).toEqual(['several objects in one line'])
  })
})
