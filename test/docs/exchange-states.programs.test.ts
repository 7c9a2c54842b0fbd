// How the books of the exchange's programs of docs/recipes.md show a withdrawal on its way.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { Withdrawal } from '../../packages/proofs/exchange-day/program.ts'
import { temporaryFolder } from '../serving.ts'
import {
  branch,
  type Daemon,
  describePrograms,
  moreRounds,
  order,
  paymentOf,
  serviceOf,
  standing,
  until,
} from './exchange-service.ts'

describePrograms(({ language, testOfProgram, programAt }) => {
  testOfProgram('shows how far a withdrawal has come, by what the books know', async () => {
    let tip = 100
    const { url, paid, counts } = await serviceOf(() => standing(tip))
    Object.assign(paid, { sent: 'waits', areFinal: false })
    const program = programAt(url, 0)
    program.takeSignerAway()
    program.order([order('one', 7)])
    program.start()
    const shown = async (isSo: (withdrawal: Withdrawal) => boolean) => {
      await until(() => {
        const { one } = program.books().withdrawals
        return one !== undefined && isSo(one)
      })
      return program.books().withdrawals.one
    }
    const common = { amount: '7' }
    expect(await shown(() => true)).toEqual({ ...common, state: 'waiting', bids: 0 })
    program.bringSignerBack()
    const signed = { ...common, bids: 1, nonce: 0, hash: expect.any(String) }
    await until(() => paid.payments.length > 0)
    expect(await shown(({ state }) => state !== 'signed')).toEqual({ ...signed, state: 'sent' })
    Object.assign(paid.payments[0] ?? {}, { height: 101 })
    tip = 103
    const included = { ...signed, state: 'included', block: 101, confirmations: 2 }
    expect(await shown(({ confirmations }) => confirmations === 2)).toEqual(included)
    // A reorganisation takes it out of its block.
    Object.assign(paid.payments[0] ?? {}, { height: undefined })
    tip = 104
    expect(await shown(({ state }) => state === 'sent')).toEqual({ ...signed, state: 'sent' })
    // It fails in its next block, and then not.
    Object.assign(paid.payments[0] ?? {}, { height: 104 })
    paid.failing.add(0)
    tip = 105
    const next = { ...signed, block: 104, confirmations: 1 }
    expect(await shown(({ confirmations }) => confirmations === 1)).toEqual({ ...next, state: 'failing' })
    paid.failing.clear()
    tip = 106
    await until(() => program.books().tip === tip)
    await moreRounds(counts)
    expect(await shown(() => true)).toEqual({ ...next, state: 'included', confirmations: 2 })
    paid.areFinal = true
    tip = 107
    expect(await shown(({ state }) => state === 'paid')).toEqual({
      ...{ ...signed, state: 'paid', block: 104, fee: '2000000' },
    })
  })

  testOfProgram('shows the block of a withdrawal after a reorganisation under which it was deep', async () => {
    let daemon = branch('', 118)
    const { url, paid, counts } = await serviceOf(() => daemon)
    Object.assign(paid, { sent: 'waits', areFinal: false })
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => paid.payments.length > 0)
    const shown = async (next: Daemon, payment: object) => {
      daemon = next
      Object.assign(paid.payments[0] ?? {}, payment)
      await until(() => program.books().tip === next.tip)
      await moreRounds(counts)
      const { state, block, confirmations } = program.books().withdrawals.one ?? {}
      return { state, block, confirmations }
    }
    expect([
      await shown(branch('', 119), { height: 101 }),
      await shown(branch('x', 120), { height: 110 }),
      await shown(branch('y', 121), { command: paymentOf({ nonce: 0, amount: 8, memo: 'other' }) }),
      await shown(branch('z', 122), { command: paymentOf({ nonce: 0, amount: 7, memo: 'one' }), height: undefined }),
    ]).toEqual([
      { state: 'included', block: 101, confirmations: 18 },
      { state: 'included', block: 110, confirmations: 10 },
      { state: 'being replaced' },
      { state: 'sent' },
    ])
  })

  testOfProgram('says that it does not raise a withdrawal while a payment is open', async () => {
    const { url, paid } = await serviceOf(() => standing(100))
    paid.sent = 'waits'
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => paid.payments.length === 1)
    paid.payments.push({ command: paymentOf({ nonce: 1, amount: 8, memo: 'by hand' }) })
    program.order([{ raise: 'one' }])
    await until(() => program.said.some((line) => line.startsWith('one')))
    expect(program.said.filter((line) => line.startsWith('one'))).toEqual([
      'one is not raised while `adopt` names a payment',
    ])
  })

  testOfProgram('ends a withdrawal whose nonce another payment has finally, though no fate tells of it', async () => {
    let tip = 100
    const { url, paid } = await serviceOf(() => standing(tip))
    Object.assign(paid, { sent: 'waits', areFinal: false })
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => paid.payments.length === 1)
    const rival = paymentOf({ nonce: 0, amount: 7, memo: 'other' })
    paid.payments.splice(0, 1, { command: rival, height: 80 })
    tip = 101
    program.order([{ adopt: rival.hash, foreign: true }])
    await until(() => program.books().withdrawals.one?.state === 'being replaced')
    expect(program.said.filter((line) => line.includes('never paid'))).toEqual([])
    tip = 80 + 29
    await until(() => program.said.some((line) => line.startsWith('one is replaced: it is never paid now.')))
    program.order([{ cancel: 'one' }])
    await until(() => program.books().withdrawals.one?.state === 'cancelled')
  })

  testOfProgram('settles a withdrawal without an indexer, by its block', async () => {
    let tip = 100
    const { url, paid } = await serviceOf(() => standing(tip))
    Object.assign(paid, { sent: 'waits', areFinal: 29, hasIndexer: false, kept: 19 })
    const program = programAt(url, 15)
    program.order([order('one', 7), order('two', 8)])
    program.start()
    await until(() => paid.payments.length === 2)
    Object.assign(paid.payments[0] ?? {}, { height: 101 })
    tip = 111
    await until(() => program.books().withdrawals.one?.state === 'included')
    await program.kill()
    // Of the second the program hears only by its block, which is credited meanwhile.
    Object.assign(paid.payments[1] ?? {}, { height: 102 })
    tip = 101 + 23
    program.start()
    await until(() => ['one', 'two'].every((name) => program.books().withdrawals[name]?.state === 'paid'))
    tip++
    await until(() => program.adopt().includes('nothing is open'))
    expect(program.books().withdrawals).toEqual({
      one: { state: 'paid', amount: '7', bids: 1, nonce: 0, hash: expect.any(String), fee: '2000000', block: 101 },
      two: { state: 'paid', amount: '8', bids: 1, nonce: 1, hash: expect.any(String), fee: '2000000', block: 102 },
    })
  })

  testOfProgram('proposes the order of its own payment for a nonce whose command nobody shows', async () => {
    let tip = 100
    const { url, paid } = await serviceOf(() => ({ ...standing(tip), lowest: tip - 29 }))
    Object.assign(paid, { sent: 'waits', areFinal: 29, hasIndexer: false, kept: 19 })
    const program = programAt(url, 15)
    program.order([order('one', 7)])
    program.start()
    await until(() => paid.payments.length === 1)
    await program.kill()
    Object.assign(paid.payments[0] ?? {}, { height: 101 })
    tip = 200
    program.order([order('two', 8)])
    program.start()
    await until(() => program.adopt().includes('exit code 5'))
    expect(program.adopt('--lines')).toEqual(['{"adoptNonce": 0, "order": "one"}', 'exit code 5'])
    program.order([{ adoptNonce: 0, order: 'one' }])
    await until(() => paid.payments.length === 2)
    expect(program.books().withdrawals.one?.state).toBe('paid')
  })

  testOfProgram('does not run on damaged books, and names the file and the way on', async () => {
    const { url } = await serviceOf(() => standing(100))
    const folder = temporaryFolder()
    const program = programAt(url, 0, folder)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.books().withdrawals.one?.state === 'paid')
    await program.kill()
    const file = join(folder, `books.${language === 'python' ? 'db' : 'jsonl'}`)
    const books = readFileSync(file)
    // What a copy has whose pages or lines are of two moments.
    const middle = Math.floor(books.length / 2)
    books.fill(7, middle, middle + 100)
    writeFileSync(file, books)
    program.forgetSaid()
    program.start()
    const advice = 'put back a copy, or move it away and start without books'
    const isNamed = (line: string) => line.startsWith(`${file} is damaged (`) && line.endsWith(`): ${advice}`)
    expect([await program.ended(), program.said.map(isNamed)]).toEqual([2, [true]])
    expect(program.reportOf(['--day', '2026-01-31'])).toMatchObject({ status: 2, stdout: '' })
  })
})
