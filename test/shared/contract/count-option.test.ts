import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { countFrom } from '../../../shared/contract/count-option.ts'
import { getBlocksContract } from '../../../shared/contract/endpoints/get-blocks.ts'

test.each([
  ['1', 1],
  ['0010', 10],
  ['11', 10],
  ['9'.repeat(32), 10],
  ['9'.repeat(33), undefined],
  [`${'0'.repeat(31)}2`, 2],
  [`${'0'.repeat(32)}2`, undefined],
  ['', undefined],
  ['0', undefined],
  ['00', undefined],
  ['1\n', undefined],
  ['1e0', undefined],
  ['１', undefined],
])('the count of %j is %s', (text, count) => {
  expect(countFrom(text, 10)).toBe(count)
})

test('a text is a count exactly if the contract’s pattern matches it', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'000123456789x.'), maxLength: 6 })
  fc.assert(
    fc.property(digits, (text) => {
      const expected = new RegExp(getBlocksContract.request.query.limit.pattern).test(text)
        ? Math.min(Number(text), 10)
        : undefined
      expect(countFrom(text, 10)).toBe(expected)
    }),
    { seed: 10, numRuns: 1000 },
  )
})
