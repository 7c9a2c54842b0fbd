// One cache, answer by answer. Its origin takes 100 ms.
import { describe, expect, test } from '@jest/globals'
import { createCache, type Given, type TimedRequest } from '../../../verification/edge-model/cache.ts'
import type { OriginAnswer } from '../../../verification/edge-model/keeping.ts'

const policy = { minTtl: 0, defaultTtl: 0, maxTtl: 3600, queryKeys: [] }
const ours = 'max-age=5, stale-while-revalidate=10, stale-if-error=60'
const good: OriginAnswer = { status: 200, cacheControl: ours, etag: '"a"' }
const failure: OriginAnswer = { status: 503, cacheControl: 'max-age=1' }

const requestAt = (at: number): TimedRequest => ({ at, method: 'GET', uri: '/summary', querystring: {} })

/** The answers to readers at some times, and the times and tags of the calls to the origin. */
function readers(times: readonly number[], answerTo: (at: number) => OriginAnswer) {
  const calls: (readonly [at: number, tag: string | undefined])[] = []
  const cache = createCache({ errorTtls: new Map([[503, 1]]) }, false, (request, _policy, tag) => {
    calls.push([request.at, tag])
    return { answer: answerTo(request.at), latencyMs: 100, givenFor: request, ageMs: 0 }
  })
  const given = times.map((at) => cache(requestAt(at), policy))
  return { given, calls, by: given.map(({ by, waitMs }: Given) => [by, waitMs]) }
}

describe('a reader of an expired copy', () => {
  test('gets it at once while one call fetches a new one, and the next reader gets that', () => {
    const { given, calls, by } = readers([0, 5100, 5150, 5200], () => good)
    expect(by).toEqual([
      ['origin', 100],
      ['revalidating', 0],
      ['revalidating', 0],
      ['cache', 0],
    ])
    expect(calls.map(([at]) => at)).toEqual([0, 5100])
    expect(given.map(({ givenFor }) => givenFor.at)).toEqual([0, 0, 0, 5100])
  })

  test('waits once its time is over', () => {
    expect(readers([0, 15_099], () => good).by).toEqual([
      ['origin', 100],
      ['revalidating', 0],
    ])
    expect(readers([0, 15_100, 15_150], () => good).by).toEqual([
      ['origin', 100],
      ['origin', 100],
      ['collapsed', 50],
    ])
  })

  test('waits for the call in the background when the time of the copy ends before it', () => {
    expect(readers([0, 15_050, 15_120, 15_150], () => good).by.slice(1)).toEqual([
      ['revalidating', 0],
      ['collapsed', 30],
      ['cache', 0],
    ])
  })
})

describe('an expired copy with a tag', () => {
  test('is asked for by it, and a 304 makes it fresh for as long as that says', () => {
    const revalidated: OriginAnswer = { status: 304, cacheControl: 'max-age=7' }
    const { given, calls } = readers([0, 5100, 5200, 12_199, 12_200], (at) => (at === 5100 ? revalidated : good))
    expect(calls).toEqual([
      [0, undefined],
      [5100, '"a"'],
      [12_200, '"a"'],
    ])
    expect(given[2]).toMatchObject({ by: 'cache', answer: { status: 200, etag: '"a"', cacheControl: 'max-age=7' } })
    expect(given[3]).toMatchObject({ by: 'cache', keptMs: 6999 })
  })
})

describe('while the origin fails', () => {
  const failingAfterOne = (at: number) => (at === 0 ? good : failure)

  test('a call a second is made in the background, then one for which a reader waits', () => {
    const times = Array.from({ length: 200 }, (_, index) => 100 * index)
    const { calls, by } = readers(times, failingAfterOne)
    expect(calls.map(([at]) => at)).toEqual([
      0, 5100, 6200, 7300, 8400, 9500, 10_600, 11_700, 12_800, 13_900, 15_000, 16_100, 17_200, 18_300, 19_400,
    ])
    expect(by.filter(([, waitMs]) => waitMs !== 0)).toEqual([['origin', 100], ...Array(4).fill(['expired copy', 100])])
  })

  test('the copy stands in until its time ends, and then the error is given for a second', () => {
    expect(
      readers([0, 64_900, 65_950, 66_050, 67_200], failingAfterOne).given.map(({ by, answer }) => [by, answer.status]),
    ).toEqual([
      ['origin', 200],
      ['expired copy', 200],
      ['expired copy', 200],
      ['origin', 503],
      ['origin', 503],
    ])
  })

  test('an answer that may not be kept is not shared: each reader makes a separate call', () => {
    const tooMany = { status: 429 }
    expect(readers([0, 10, 20], () => tooMany).calls).toHaveLength(3)
    expect(readers([0, 10, 20], () => failure).calls).toHaveLength(1)
  })

  test('a 429 for a call in the background costs the reader nothing, and leaves the copy as it was', () => {
    const { by } = readers([0, 5100, 5300, 15_200], (at) => (at === 0 ? good : { status: 429 }))
    expect(by).toEqual([
      ['origin', 100],
      ['revalidating', 0],
      ['revalidating', 0],
      ['origin', 100],
    ])
  })
})
