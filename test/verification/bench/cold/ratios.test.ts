import { expect, test } from '@jest/globals'
import { ratiosTo, shownSpread, spreadOf } from '../../../../verification/bench/cold/ratios.ts'

test('the spread of values is their median and quartiles, between two values where none is in the middle', () => {
  expect(spreadOf([4, 1, 3, 2, 5])).toEqual({ median: 3, quartiles: [2, 4] })
  expect(spreadOf([4, 1])).toEqual({ median: 2.5, quartiles: [1.75, 3.25] })
  expect(spreadOf([7])).toEqual({ median: 7, quartiles: [7, 7] })
})

test('each value is a ratio to that of the same turn, so that a slow turn changes nothing', () => {
  const ratios = ratiosTo([10, 100, 20], [5, 50, 10])
  expect(ratios).toEqual({ median: 0.5, quartiles: [0.5, 0.5] })
  expect(shownSpread(ratios)).toBe('0.50 (0.50-0.50)')
})
