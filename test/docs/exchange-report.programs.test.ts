// What the exchange's programs of docs/recipes.md refuse of a question about their books, and what they say of one.
import { expect } from '@jest/globals'
import {
  branch,
  describePrograms,
  keyAt,
  moreRounds,
  order,
  receiver,
  serviceOf,
  standing,
  until,
} from './exchange-service.ts'

describePrograms(({ testOfProgram, programAt }) => {
  testOfProgram(
    'refuses a report that can only be a mistake, and says where one is empty because the books are',
    () => {
      const program = programAt('http://127.0.0.1:9', 0)
      const said = (...options: readonly string[]) => {
        const { status, stderr } = program.reportOf(options)
        return [status, stderr.trimEnd().split('\n').at(-1)]
      }
      const wrong = `${receiver.slice(0, -1)}${receiver.endsWith('1') ? '2' : '1'}`
      expect([
        said('--key', wrong),
        said('--from', '2026-01-02', '--to', '2026-01-01'),
        program.reportOf(['--day', '2026-01-01', '--key', receiver]).stderr.split('\n'),
      ]).toEqual([
        [2, expect.stringMatching(`${wrong} is not a public key: a letter is wrong, missing or too many$`)],
        [2, expect.stringMatching('2026-01-02, the first day, is after the last, 2026-01-01$')],
        [
          `${receiver} is not watched: these books lack its deposits, or some of them`,
          'the books are empty: they have no block',
          '',
        ],
      ])
    },
  )

  testOfProgram('counts a raised payment once, and shows beside an order the invalid lines with its id', async () => {
    const { url, paid } = await serviceOf(() => standing(100))
    paid.sent = 'waits'
    const program = programAt(url, 0)
    program.order([order('one', 7), order('one', 9), order('two', 8)])
    program.start()
    await until(() => paid.payments.length === 2)
    program.order([{ raise: 'one' }])
    await until(() => paid.payments.length === 3)
    const gaps = program.reportOf(['--day', '2026-01-17']).stderr.split('\n')
    const { one, two } = program.books().withdrawals
    expect([
      gaps.filter((line) => line.includes('settled')),
      one?.bids,
      ...['one', 'two'].map((id) => JSON.parse(program.bookOf(id).stdout)),
    ]).toEqual([
      ["not settled, and perhaps of this day: 2 of the wallet's payments"],
      2,
      { ...one, invalid: [{ line: 2, id: 'one', reason: 'another order has this id' }] },
      two,
    ])
  })

  testOfProgram('does not say of a raised payment that is paid that another command has its nonce', async () => {
    let tip = 100
    const { url, paid, counts } = await serviceOf(() => standing(tip))
    Object.assign(paid, { sent: 'waits', areFinal: false, showsReplaced: true })
    const program = programAt(url, 0)
    program.order([order('one', 7)])
    program.start()
    await until(() => paid.payments.length === 1)
    program.order([{ raise: 'one' }])
    await until(() => paid.payments.length === 2)
    const [, raised] = paid.payments
    paid.payments.splice(0, 2, { ...(raised as (typeof paid.payments)[number]), height: 100 })
    tip = 101
    await until(() => program.books().withdrawals.one?.state === 'included')
    tip = 140
    await until(() => program.books().withdrawals.one?.state === 'paid')
    await moreRounds(counts)
    expect(program.said.filter((line) => line.startsWith('one'))).toEqual([])
  })

  testOfProgram('says that a deposit is credited again which a reorganisation took', async () => {
    let daemon = branch('', 110)
    const { url } = await serviceOf(() => daemon)
    const program = programAt(url, 0)
    program.addKeys([keyAt('', 105)])
    program.start('--from-height', '104')
    for (const next of [branch('x', 112), branch('', 114)]) {
      await until(() => program.books().height === daemon.tip)
      daemon = next
    }
    await until(() => program.books().height === daemon.tip)
    const what = `105 nanomina of ${keyAt('', 105)}, 5J105 in block 105`
    expect(program.said).toEqual([`taken back: ${what}, which the chain lost`, `credited again: ${what}`])
  })
})
