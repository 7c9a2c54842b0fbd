import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { countFrom } from '../../../shared/contract/count-option.ts'
import { getBlocksContract } from '../../../shared/contract/endpoints/get-blocks.ts'

test('a text is a count exactly if the contract’s pattern matches it', () => {
  const pattern = new RegExp(getBlocksContract.request.query.limit.pattern)
  const digits = fc.string({ unit: fc.constantFrom(...'000123456789x.'), maxLength: 6 })
  fc.assert(
    fc.property(digits, (text) => {
      const expected = pattern.test(text) ? Math.min(Number(text), 10) : undefined
      expect(countFrom(text, 10)).toBe(expected)
    }),
    { seed: 10, numRuns: 1000 },
  )
  const texts = ['9'.repeat(32), `${'0'.repeat(31)}2`, '9'.repeat(33), `${'0'.repeat(32)}2`, '1\n', '１']
  expect(texts.map((text) => countFrom(text, 10))).toEqual([10, 2, undefined, undefined, undefined, undefined])
})
