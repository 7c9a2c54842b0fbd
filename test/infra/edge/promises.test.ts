// A model of CloudFront, configured by the stack's template, replays requests and answers. Broken templates show that the
// model detects faults.
import { describe, expect, test } from '@jest/globals'
import type { Figures } from '../../../verification/edge-model/figures.ts'
import {
  changed,
  healthy,
  knownAccount,
  minute,
  replay,
  request,
  unavailable,
  unknownAccount,
  withOutage,
} from './replay.ts'

const kept = {
  errorsPastASecond: 0,
  accountsPastFiveSeconds: 0,
  olderThanPromised: 0,
  mixedUp: 0,
  broadcasts: 120,
  broadcastsNotSent: 0,
  broadcastsUnderCache: 0,
  maxOriginCalls: 1,
}

const at = (times: readonly number[], target: string) => times.map((time) => request(time, target))
const inTurn = (targets: readonly string[], method = 'GET') =>
  targets.map((target, index) => request(100 + 200 * index, target, method))

describe('the edge of the stack', () => {
  test('keeps every promise during a minute with an outage of its origin', () => {
    expect(replay(healthy, minute, withOutage).figures).toMatchObject(kept)
  })

  test('answers from its cache for as long as the answer says, and a while longer while it asks for a new one', () => {
    const { served } = replay(healthy, at([0, 50, 5099, 5100, 15_099, 15_100, 40_000], '/summary'))
    expect(served.map(({ by, ageMs }) => [by, ageMs])).toEqual([
      ['origin', 100],
      ['collapsed', 100],
      ['cache', 5099],
      ['revalidating', 5100],
      ['revalidating', 9999],
      ['revalidating', 10_000],
      ['origin', 100],
    ])
  })

  test('has one key for each meaning, and answers itself what has none', () => {
    const one = ['/blocks', '/blocks?limit=1', '/blocks?limit=001&x=1', '//blocks/?y=2']
    const ten = ['/blocks?limit=10', '/blocks?limit=11', '/blocks?y=2&limit=0010', '//blocks/?limit=99999999']
    const none = ['/blocks?limit=0', '/blocks?limit=1&limit=2', '/%62locks', '/nowhere', '/blocks/x', '/accounts/x']
    const { served, answers, figures } = replay(healthy, inTurn([...one, ...ten, ...none]))
    const asOnce = ['origin 200', 'cache 200', 'cache 200', 'cache 200']
    expect(answers).toEqual([...asOnce, ...asOnce, ...[400, 400, 404, 404, 404, 404].map((status) => `edge ${status}`)])
    const forSeconds = (seconds: number) => `public, max-age=${seconds}, stale-if-error=0`
    expect(served.slice(-none.length).map(({ answer }) => answer.cacheControl)).toEqual([
      ...['no-store', 'no-store', 'no-store', 'no-store'],
      ...[forSeconds(5), forSeconds(2)],
    ])
    expect(figures.mixedUp).toBe(0)
  })

  test('forwards HEAD in one spelling too, and refuses it where it refuses GET', () => {
    const targets = [
      '/blocks?limit=12',
      '//blocks?limit=10&x',
      '/blocks?limit=x',
      '/blocks/x',
      '/broadcast/transaction',
    ]
    const { answers } = replay(healthy, inTurn(targets, 'HEAD'))
    expect(answers).toEqual(['origin 200', 'cache 200', 'edge 400', 'edge 404', 'edge 404'])
  })

  test('forwards every broadcast, and answers preflights itself', () => {
    const asking = { origin: 'https://wallet.example', 'access-control-request-method': 'POST' }
    const posts = ['/broadcast/transaction', '/broadcast/transaction', '//broadcast//transaction']
    const preflights = ['/broadcast/transaction', '//broadcast//transaction', '/summary']
    const { answers } = replay(healthy, [
      ...posts.map((path) => request(0, path, 'POST')),
      ...preflights.map((path) => request(0, path, 'OPTIONS', asking)),
    ])
    expect(answers).toEqual(['origin 201', 'origin 201', 'origin 201', 'edge 204', 'edge 204', 'edge 204'])
  })

  test('keeps an error for a second, and a not-found answer for as long as that says', () => {
    const errors = replay(healthy, at([0, 101, 1099, 1100], '/summary'), () => unavailable)
    expect(errors.answers).toEqual(['origin 503', 'cache 503', 'cache 503', 'origin 503'])
    const { answers } = replay(healthy, at([0, 2099, 2100], unknownAccount))
    expect(answers).toEqual(['origin 404', 'cache 404', 'origin 404'])
  })

  test('would bridge an error with an account of any age if the account did not forbid it', () => {
    const failingLater = (cacheControl: string) =>
      replay(healthy, at([0, 3_600_000], knownAccount), ({ at }) =>
        at === 0 ? { status: 200, cacheControl } : unavailable,
      ).figures
    expect(failingLater('public, max-age=2')).toMatchObject({ accountsPastFiveSeconds: 1, olderThanPromised: 1 })
    expect(failingLater('public, max-age=2, stale-if-error=0')).toMatchObject({ ...kept, broadcasts: 0 })
  })

  test('bridges a short outage with the last summary, but not a longer one', () => {
    const { answers, figures } = replay(healthy, at([0, 15_100, 65_000, 66_200], '/summary'), (asked) =>
      asked.at === 0 ? withOutage(asked) : unavailable,
    )
    expect(answers).toEqual(['origin 200', 'expired copy 200', 'expired copy 200', 'origin 503'])
    expect([figures.expiredCopies, figures.olderThanPromised]).toEqual([2, 0])
  })
})

test.each<[fault: string, figures: Partial<Figures>, ...Parameters<typeof changed>]>([
  [
    'errors without cache times, which CloudFront keeps for 10 s',
    { oldestErrorMs: 9900, errorsPastASecond: 138 },
    (distribution) => delete distribution.CustomErrorResponses,
  ],
  [
    'one forgotten status',
    { oldestErrorMs: 9900, errorsPastASecond: 138 },
    ({ CustomErrorResponses: statuses = [] }) => {
      statuses.splice(
        statuses.findIndex(({ ErrorCode }) => ErrorCode === 503),
        1,
      )
    },
  ],
  ['a minimum TTL of 60 s', { accountsPastFiveSeconds: 109 }, (_, cache) => Object.assign(cache, { MinTTL: 60 })],
  [
    'a lost behaviour of broadcasts',
    { broadcastsUnderCache: 120 },
    (distribution) => delete distribution.CacheBehaviors,
  ],
  [
    'broadcasts that may not be sent',
    { broadcastsNotSent: 120 },
    ({ CacheBehaviors: [broadcasts] = [] }) => broadcasts?.AllowedMethods.splice(3),
  ],
  [
    'unknown query keys in the cache key',
    { maxOriginCalls: 11 },
    (distribution, { ParametersInCacheKeyAndForwardedToOrigin: key }) => {
      delete distribution.DefaultCacheBehavior.FunctionAssociations
      key.QueryStringsConfig = { QueryStringBehavior: 'all' }
    },
  ],
  [
    'a key without the limit',
    { mixedUp: 120 },
    (_, { ParametersInCacheKeyAndForwardedToOrigin: key }) => {
      key.QueryStringsConfig = { QueryStringBehavior: 'none' }
    },
  ],
])('the model notices %s', (_fault, figures, change) => {
  expect(replay(changed(change), minute, withOutage).figures).toMatchObject(figures)
})
