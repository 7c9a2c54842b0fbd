// Which orders the exchange's programs of docs/recipes.md name for a payment that their books do not know.
import { describe, expect, jest } from '@jest/globals'
import { languages } from '../../packages/proofs/exchange-day/program.ts'
import { blockAt, moreRounds, order, paymentHash, paymentOf, programsIn, serviceOf, until } from './exchange-service.ts'

// Programs are compiled and started again, perhaps on a busy machine.
jest.setTimeout(300_000)

describe.each(languages)('the program in %s', (language) => {
  const { testOfProgram, programAt } = programsIn(language)

  testOfProgram('names each order that a payment may be of, and then the one that is left', async () => {
    const { url, paid, counts } = await serviceOf(() => ({ tip: 100, blockAt: (height) => blockAt('', height) }))
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
})
