// Which orders the exchange's programs of docs/recipes.md name for a payment that their books do not know.
import { describe, expect, jest } from '@jest/globals'
import { languages } from '../../packages/proofs/exchange-day/program.ts'
import {
  blockAt,
  moreRounds,
  order,
  paymentHash,
  paymentOf,
  programsIn,
  receiver,
  serviceOf,
  standing,
  until,
} from './exchange-service.ts'

// Programs are compiled and started again, perhaps on a busy machine.
jest.setTimeout(300_000)

describe.each(languages)('the program in %s', (language) => {
  const { testOfProgram, programAt } = programsIn(language)

  testOfProgram('names each order that a payment may be of, and then the one that is left', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.books().withdrawals.one?.state === 'paid')
    await program.kill()
    const one = paymentOf({ nonce: 1, amount: 8, memo: 'two' })
    const other = { ...one, nonce: 2, hash: paymentHash('other') }
    paid.payments.push({ command: one, height: 100 }, { command: other, height: 100 })
    program.order([order('two', 8), { ...order('again', 8), memo: 'two' }])
    program.forgetSaid()
    program.start()
    await until(() => program.said.length > 0)
    expect(program.said.filter((line) => line.includes('ask for this'))).toEqual([
      `  orders two, again ask for this. If it was paid by one, append to orders.jsonl: {"adopt": "${one.hash}", "order": "ID"}`,
      `  orders two, again ask for this. If it was paid by one, append to orders.jsonl: {"adopt": "${other.hash}", "order": "ID"}`,
    ])
    program.order([{ adopt: one.hash, order: 'again' }])
    await moreRounds(counts)
    expect(program.adopt('--lines')).toEqual([`{"adopt": "${other.hash}", "order": "two"}`, 'exit code 5'])
  })

  testOfProgram('reports what the wallet paid for others, once it is final, so that sums are whole', async () => {
    let tip = 100
    const { url, paid } = await serviceOf(() => standing(tip))
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => program.books().withdrawals.one?.state === 'paid')
    const [payment, failed, delegation, hidden] = [1, 2, 3, 4].map((nonce) =>
      paymentOf({ nonce, amount: 8, memo: `by hand ${nonce}`, isDelegation: nonce === 3 }),
    )
    for (const command of [payment, failed, delegation, hidden])
      if (command) paid.payments.push({ command, height: 100 })
    paid.failing.add(2)
    paid.hidden.add(4)
    // An order that waits makes the program compare in each round.
    program.order([
      order('two', 9),
      ...[payment, failed, delegation].map((each) => ({ adopt: each?.hash, foreign: true })),
    ])
    await until(() => program.adopt()[0]?.startsWith('nonce 4') === true)
    program.order([{ adoptNonce: 4, foreign: true }])
    await until(() => program.books().withdrawals.two?.state === 'paid')
    const day = ['--day', '2026-01-17']
    const gaps = () =>
      program
        .reportOf(day)
        .stderr.split('\n')
        .filter((line) => /settled|no time/.test(line))
    const undated = '1 entries, of an earlier version or of {"adoptNonce"}, have no time: they are in no report'
    expect(gaps()).toEqual(['3 payments are not settled: their blocks may be of this day', undated])
    tip = 129
    await until(() => gaps().length === 1)
    const hashes = [payment, failed, delegation].map((each) => each?.hash)
    // Foreign ones first, by nonce; their hashes tell which is which.
    const nameOf = ({ kind, id, hash }: { kind: string; id: string; hash: string }) =>
      kind === 'foreign' ? hashes.indexOf(hash) : id === 'one' ? 3 : 4
    const row = { time: blockAt('', 100).dateTime, height: '100', key: receiver, fee: '2000000' }
    expect([gaps(), program.report(day).toSorted((left, right) => nameOf(left) - nameOf(right))]).toEqual([
      [undated],
      [
        ...[payment, failed, delegation].map((each) => ({
          ...{ ...row, kind: 'foreign', id: '', amount: each === payment ? '8' : '0', hash: each?.hash },
        })),
        { ...row, kind: 'withdrawal', id: 'one', amount: '7', hash: expect.any(String) },
        { ...row, kind: 'withdrawal', id: 'two', amount: '9', hash: expect.any(String) },
      ],
    ])
  })
})
