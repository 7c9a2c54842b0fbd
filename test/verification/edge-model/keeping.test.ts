// How long CloudFront keeps answers, row by row as in its developer guide.
import { describe, expect, test } from '@jest/globals'
import { keptSeconds, mayServeExpired } from '../../../verification/edge-model/keeping.ts'

const ours = { minTtl: 0, defaultTtl: 7, maxTtl: 60, queryKeys: [] }
const atLeast = { ...ours, minTtl: 20 }
const none = new Map<number, number>()
const short = new Map([[404, 1] as const, [503, 1] as const])

describe('an answer', () => {
  test.each([
    ['public, max-age=5', 5, 20],
    ['max-age=300', 60, 60],
    ['max-age=5, s-maxage=30', 30, 30],
    ['Public, Max-Age=5', 5, 20],
    [undefined, 7, 20],
    ['no-store', 0, 20],
    ['private, max-age=5', 0, 20],
    ['no-cache', 0, 20],
  ])('with cache-control %s is kept %d s, %d s where the minimum is 20 s', (cacheControl, withoutMinimum, with20) => {
    const answer = { status: 200, ...(cacheControl !== undefined && { cacheControl }) }
    expect([keptSeconds(answer, ours, none), keptSeconds(answer, atLeast, none)]).toEqual([withoutMinimum, with20])
  })
})

describe('an error', () => {
  test.each([
    [503, 'no-store', 10, 1],
    [400, 'no-store', 10, 10],
    [404, 'no-store', 0, 0],
    [404, 'public, max-age=5', 10, 5],
    [404, undefined, 10, 1],
    [418, 'max-age=5', 0, 0],
    [416, undefined, 0, 0],
  ])(
    '%d with cache-control %s is kept %d s by default, %d s with an error caching time of 1 s',
    (status, cacheControl, byDefault, withOwnTimes) => {
      const answer = { status, ...(cacheControl !== undefined && { cacheControl }) }
      expect([keptSeconds(answer, ours, none), keptSeconds(answer, ours, short)]).toEqual([byDefault, withOwnTimes])
    },
  )
})

test('an expired copy may replace an error at any age, unless it has stale-if-error', () => {
  const copy = (cacheControl: string) => ({ status: 200, cacheControl })
  expect([
    mayServeExpired(copy('max-age=3'), 9999),
    mayServeExpired(copy('max-age=3, must-revalidate'), 9999),
    mayServeExpired(copy('max-age=3, stale-if-error=60'), 60),
    mayServeExpired(copy('max-age=3, stale-if-error=60'), 61),
    mayServeExpired(copy('max-age=3, stale-if-error=0'), 0.1),
  ]).toEqual([true, true, true, false, false])
})
