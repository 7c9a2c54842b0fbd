// Which orders the exchange's programs of docs/recipes.md name for a payment that their books do not know.
import { expect } from '@jest/globals'
import {
  blockAt,
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

describePrograms(({ testOfProgram, programAt }) => {
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

  testOfProgram('proposes no order where a cancelled one, or another payment, has the same terms', async () => {
    const { url, paid, counts } = await serviceOf(() => standing(100))
    const program = programAt(url, 0)
    const state = (name: string) => program.books().withdrawals[name]?.state
    const orders = ['w1', 'w3'].map((id) => ({ ...order(id, 8), memo: 'same' }))
    program.order([...orders, order('alone', 9)])
    program.start()
    await until(() => ['w1', 'w3', 'alone'].every((name) => state(name) === 'paid'))
    program.order([{ cancel: 'w3' }])
    await until(() => program.said.some((line) => line.includes('it cannot be cancelled')))
    await program.kill()
    program.restoreBooks()
    program.forgetSaid()
    paid.payments.push({ command: paymentOf({ nonce: 3, amount: 9, memo: 'alone' }), height: 100 })
    program.order([{ start: 0 }])
    program.start()
    await until(() => program.adopt().includes('exit code 5') && program.adopt().length > 12)
    const [first, second, third, fourth] = paid.payments.map(({ command }) => command.hash)
    const asked = () => program.adopt().filter((line) => /asks? for this|no order at all/.test(line))
    const line = (hash: string | undefined, name: string) => `{"adopt": "${hash}", "order": "${name}"}`
    const beside = (hash: string | undefined, names: string) =>
      `  if its order is lost, append that order instead; only if it was for no order at all (held then until {"pay": "ID"}: ${names}): {"adopt": "${hash}", "foreign": true}`
    expect([asked(), program.adopt('--lines')]).toEqual([
      [first, second, third, fourth].flatMap((hash) =>
        hash === first || hash === second
          ? [
              `  orders w1, w3 (cancelled) ask for this. If it was paid by one, append to orders.jsonl: ${line(hash, 'ID')}`,
              beside(hash, 'w1'),
            ]
          : [
              `  order alone asks for this, and another payment here is the same. If it was paid by this one, append to orders.jsonl: ${line(hash, 'ID')}`,
              beside(hash, 'alone'),
            ],
      ),
      ['', 'exit code 5'],
    ])
    program.order([
      { adopt: first, order: 'w1' },
      { adopt: fourth, foreign: true },
    ])
    await until(() => program.adopt('--lines').length === 3)
    expect([asked().slice(0, 1), program.adopt('--lines')]).toEqual([
      [`  order w3 (cancelled) asks for this. If it was paid by it, append to orders.jsonl: ${line(second, 'w3')}`],
      [line(second, 'w3'), line(third, 'alone'), 'exit code 5'],
    ])
    program.order([
      { adopt: second, order: 'w3' },
      { adopt: third, order: 'alone' },
    ])
    await until(() => ['w1', 'w3', 'alone'].every((name) => state(name) === 'paid'))
    await moreRounds(counts)
    expect([program.adopt(), paid.payments.length]).toEqual([['nothing is open'], 4])
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
    program.order([{ adoptNonce: 4, foreign: true }, { pay: 'two' }])
    await until(() => program.books().withdrawals.two?.state === 'paid')
    const day = ['--day', '2026-01-17']
    const gaps = () =>
      program
        .reportOf(day)
        .stderr.split('\n')
        .filter((line) => /settled|a time/.test(line))
    const undated = 'without a time, of an earlier version or of {"adoptNonce"}, and in no report: 1 of the entries'
    expect(gaps()).toEqual(["not settled, and perhaps of this day: 3 of the wallet's payments", undated])
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
