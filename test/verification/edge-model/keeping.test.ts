// The times for which CloudFront keeps answers, row by row as in its developer guide.
import { describe, expect, test } from '@jest/globals'
import { keptSeconds, stalenessOf } from '../../../verification/edge-model/keeping.ts'

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
    (status, cacheControl, defaultSeconds, withOwnTimes) => {
      const answer = { status, ...(cacheControl !== undefined && { cacheControl }) }
      expect([keptSeconds(answer, ours, none), keptSeconds(answer, ours, short)]).toEqual([
        defaultSeconds,
        withOwnTimes,
      ])
    },
  )
})

describe('an expired copy', () => {
  test.each([
    ['max-age=3', 0, 57],
    ['max-age=3, must-revalidate', 0, 57],
    ['max-age=3, stale-if-error=20', 0, 20],
    ['max-age=3, stale-if-error=0', 0, 0],
    ['max-age=3, stale-while-revalidate=10, stale-if-error=20', 10, 20],
    ['max-age=3, stale-while-revalidate=90, stale-if-error=90', 57, 57],
    ['max-age=60, stale-while-revalidate=10, stale-if-error=20', 0, 0],
  ])('with %s may be used %d s while a new one is fetched and %d s in place of an error', (cacheControl, ...times) => {
    const answer = { status: 200, cacheControl }
    const { whileRevalidating, onError } = stalenessOf(answer, keptSeconds(answer, ours, none), ours)
    expect([whileRevalidating, onError]).toEqual(times)
  })
})
