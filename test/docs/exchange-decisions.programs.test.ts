// What the exchange's programs of docs/recipes.md say before and after a person decides: nobody may be paid twice by doing what
// they print.
import { describe, expect, jest } from '@jest/globals'
import { languages } from '../../packages/proofs/exchange-day/program.ts'
import { moreRounds, order, paymentOf, programsIn, serviceOf, standing, until } from './exchange-service.ts'

// Programs are compiled and started again, perhaps on a busy machine.
jest.setTimeout(300_000)

describe.each(languages)('the program in %s', (language) => {
  const { testOfProgram, programAt } = programsIn(language)

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
      { state: 'perhaps paid', amount: '7', bids: 0 },
      false,
    ])
    pools = Number.POSITIVE_INFINITY
    await until(() => program.adopt().includes('exit code 5'))
    program.order([{ adoptNonce: '0-1', foreign: true }])
    await until(() => program.books().withdrawals.one?.state === 'paid')
    expect(program.adopt()).toEqual(['nothing is open'])
  })
})
