// What the judge of an exchange's day asks the service itself, between programs that it starts and waits for.
import { expect, test } from '@jest/globals'
import type { Books, ExchangeProgram } from '../../packages/proofs/exchange-day/program.ts'
import { reportDifferences } from '../../packages/proofs/exchange-day/reports.ts'
import { serve } from '../serving.ts'

const dateTime = '2026-01-01T12:00:00.000Z'

test('reads blocks of a service that has closed each connection while a report was written', async () => {
  const used = new Set()
  const { url } = await serve((request, response) => {
    // It says that it keeps the connection, and closes it before the next question arrives.
    if (used.has(request.socket)) return void request.socket.destroy()
    used.add(request.socket)
    const block = { dateTime, transactions: { userCommands: [{ hash: '5J' }] } }
    const history = { transactions: [{ command: { hash: '5J', amount: 7 } }] }
    const shown = request.url?.startsWith('/accounts/') ? history : { block }
    response.end(JSON.stringify(request.url === '/summary' ? { blockchainLength: 3 } : shown))
  })
  const row = { time: dateTime, height: '2', kind: 'deposit', id: 'one', key: 'B62', amount: '7', fee: '0', hash: '5J' }
  const report = (of: string | readonly string[]) => (typeof of !== 'string' || dateTime.startsWith(of) ? [row] : [])
  const program = { report } as unknown as ExchangeProgram
  const books: Books = { height: 3, time: dateTime, deposits: { B62: '7' }, withdrawals: {}, invalid: [] }
  expect(await reportDifferences(url, program, books, 1)).toEqual([])
})
