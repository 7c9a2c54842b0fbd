import { expect, test } from '@jest/globals'
import { toCsv } from '../../packages/client/src/csv.ts'
import { memoOnChain } from '../../packages/client/src/memo.ts'
import type { AccountTransaction } from '../../packages/client/src/schema.ts'

const payment = (memo: string, more: object = {}) =>
  ({
    command: { hash: '5J', kind: 'PAYMENT', from: 'B62a', to: 'B62b', fee: 10n, status: 'applied', memo },
    block: { dateTime: '2026-01-01T00:00:00.000Z', blockHeight: 7 },
    direction: 'sent',
    change: -9_007_199_254_740_993_010n,
    ...more,
  }) as unknown as AccountTransaction

test('a history is CSV with every digit, and a fee where the key paid it', () => {
  const command = { hash: '5Jz', kind: 'ZKAPP', feePayer: { publicKey: 'B62c' }, fee: 5n, status: 'failed', memo: 'E4' }
  const zkapp = payment('', {
    command: { ...command, balanceChanges: [] },
    direction: undefined,
    role: 'updated',
    change: undefined,
  })
  expect(
    toCsv([payment(memoOnChain('rent')), payment(memoOnChain(''), { direction: 'received', change: 5n }), zkapp]),
  ).toBe(
    [
      'time,height,hash,kind,from,to,change,fee,status,memo',
      '2026-01-01T00:00:00.000Z,7,5J,PAYMENT,B62a,B62b,-9007199254740993010,10,applied,rent',
      '2026-01-01T00:00:00.000Z,7,5J,PAYMENT,B62a,B62b,5,0,applied,',
      '2026-01-01T00:00:00.000Z,7,5Jz,ZKAPP,B62c,,,0,failed,E4',
      '',
    ].join('\r\n'),
  )
})

test.each([
  ['say "hi", you', '"say ""hi"", you"'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  [' =1', `"' =1"`],
  ['\t=1', `"'\t=1"`],
  ['＝1', `"'＝1"`],
  ['a=b-c', 'a=b-c'],
])('the memo %j is a text in every spreadsheet', (memo, cell) => {
  const line = toCsv([payment(memoOnChain(memo))]).split('applied,')[1]
  expect(line).toBe(`${cell}\r\n`)
})
