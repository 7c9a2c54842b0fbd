import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isMinaToken, jsonInteger, minaDecimal } from '../../../shared/mapping/amounts.ts'

describe('MINA decimals', () => {
  test.each([
    [0n, '0.000000000'],
    [1n, '0.000000001'],
    [1_000_000_000n, '1.000000000'],
    [805_385_692_840_039_233n, '805385692.840039233'],
    [18_446_744_073_709_551_615n, '18446744073.709551615'],
  ])('%s nanomina is %s MINA', (nanomina, mina) => {
    expect(minaDecimal(nanomina)).toBe(mina)
  })

  test('the decimal point only ever moves by nine digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (nanomina) => {
        const [whole = '', fraction = ''] = minaDecimal(nanomina).split('.')
        expect(fraction).toHaveLength(9)
        expect(BigInt(whole + fraction)).toBe(nanomina)
      }),
      { seed: 3 },
    )
  })
})

test('an integer is a number up to 2^53 - 1, a bigint beyond', () => {
  expect([2n ** 53n - 1n, 2n ** 53n].map(jsonInteger)).toEqual([9007199254740991, 9007199254740992n])
  expect([1n - 2n ** 53n, -(2n ** 53n) - 1n].map(jsonInteger)).toEqual([-9007199254740991, -9007199254740993n])
})

test('the MINA token is recognised in its old and its new form, and other tokens are not', () => {
  expect(['wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf', '1', '2'].map(isMinaToken)).toEqual([true, true, false])
})
