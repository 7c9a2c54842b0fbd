import { describe, expect, test } from '@jest/globals'
import { httpDate, isoTime } from '../../../shared/mapping/times.ts'
import { WireError } from '../../../shared/upstream/errors.ts'

describe('times', () => {
  test('of blocks are ISO-8601 with milliseconds, of the summary HTTP dates', () => {
    expect(isoTime(1615939200000)).toBe('2021-03-17T00:00:00.000Z')
    expect(httpDate(1615939200000)).toBe('Wed, 17 Mar 2021 00:00:00 GMT')
  })

  test('past the last date are upstream faults', () => {
    expect(() => isoTime(8_640_000_000_000_001)).toThrow(WireError)
    expect(() => httpDate(8_640_000_000_000_001)).toThrow(WireError)
  })
})
