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

const hourMs = 3_600_000

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

describe('the edge of the stack', () => {
  test('keeps every promise during a minute with an outage of its origin', () => {
    expect(replay(healthy, minute, withOutage).figures).toMatchObject(kept)
  })

  test('answers from its cache for as long as the answer says, and a while longer while it asks for a new one', () => {
    const times = [0, 50, 5099, 5100, 15_099, 15_100, 40_000]
    const { served } = replay(
      healthy,
      times.map((at) => request(at, '/summary')),
    )
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

  test('has one key for each meaning, and answers what has none itself', () => {
    const one = ['/blocks', '/blocks?limit=1', '/blocks?limit=001&x=1', '//blocks/?y=2']
    const ten = ['/blocks?limit=10', '/blocks?limit=11', '/blocks?y=2&limit=0010', '//blocks/?limit=99999999']
    const none = ['/blocks?limit=0', '/blocks?limit=1&limit=2', '/%62locks', '/nowhere', '/blocks/x', '/accounts/x']
    const { served, figures } = replay(
      healthy,
      [...one, ...ten, ...none].map((target, index) => request(100 + 200 * index, target)),
    )
    const asOnce = ['origin', 'cache', 'cache', 'cache']
    expect(served.map(({ by }) => by)).toEqual([...asOnce, ...asOnce, ...none.map(() => 'edge')])
    expect(served.slice(-none.length).map(({ answer }) => answer)).toEqual([
      ...[400, 400, 404, 404].map((status) => ({ status, cacheControl: 'no-store' })),
      ...[5, 2].map((age) => ({ status: 404, cacheControl: `public, max-age=${age}, stale-if-error=0` })),
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
    const { served } = replay(
      healthy,
      targets.map((target, index) => request(200 * index, target, 'HEAD')),
    )
    expect(served.map(({ by, answer }) => [by, answer.status])).toEqual([
      ['origin', 200],
      ['cache', 200],
      ['edge', 400],
      ['edge', 404],
      ['edge', 404],
    ])
  })

  test('forwards every broadcast, and answers preflights itself', () => {
    const asking = { origin: 'https://wallet.example', 'access-control-request-method': 'POST' }
    const paths = ['/broadcast/transaction', '//broadcast//transaction', '/summary']
    const preflights = paths.map((path) => request(0, path, 'OPTIONS', asking))
    const posts = ['/broadcast/transaction', '/broadcast/transaction', '//broadcast//transaction']
    const { served } = replay(healthy, [...posts.map((path) => request(0, path, 'POST')), ...preflights])
    expect(served.map(({ by, answer }) => [by, answer.status])).toEqual([
      ...posts.map(() => ['origin', 201]),
      ...preflights.map(() => ['edge', 204]),
    ])
  })

  test('keeps an error for a second, and a not-found answer for as long as that says', () => {
    const times = [0, 101, 1099, 1100]
    const errors = replay(
      healthy,
      times.map((at) => request(at, '/summary')),
      () => unavailable,
    )
    const unknown = replay(
      healthy,
      [0, 2099, 2100].map((at) => request(at, unknownAccount)),
    )
    expect(errors.served.map(({ by }) => by)).toEqual(['origin', 'cache', 'cache', 'origin'])
    expect(unknown.served.map(({ by }) => by)).toEqual(['origin', 'cache', 'origin'])
  })

  test('would bridge an error with an account of any age if the account did not forbid it', () => {
    const afterAnHour = [request(0, knownAccount), request(hourMs, knownAccount)]
    const failingLater = (cacheControl: string) =>
      replay(healthy, afterAnHour, ({ at }) => (at === 0 ? { status: 200, cacheControl } : unavailable)).figures
    expect(failingLater('public, max-age=2')).toMatchObject({ accountsPastFiveSeconds: 1, olderThanPromised: 1 })
    expect(failingLater('public, max-age=2, stale-if-error=0')).toMatchObject({
      ...kept,
      broadcasts: 0,
      maxOriginCalls: 1,
    })
  })

  test('bridges a short outage with the last summary, but not a longer one', () => {
    const times = [0, 15_100, 65_000, 66_200]
    const { served, figures } = replay(
      healthy,
      times.map((at) => request(at, '/summary')),
      (asked) => (asked.at === 0 ? withOutage(asked) : unavailable),
    )
    expect(served.map(({ by, answer }) => [by, answer.status])).toEqual([
      ['origin', 200],
      ['expired copy', 200],
      ['expired copy', 200],
      ['origin', 503],
    ])
    expect([figures.expiredCopies, figures.olderThanPromised]).toEqual([2, 0])
  })
})

describe('the model notices', () => {
  test.each<[string, Partial<Figures>, Parameters<typeof changed>[0]]>([
    [
      'errors without times of their own, which CloudFront keeps for 10 s',
      { oldestErrorMs: 9900, errorsPastASecond: 138 },
      (distribution) => {
        delete distribution.CustomErrorResponses
      },
    ],
    [
      'one forgotten status',
      { oldestErrorMs: 9900, errorsPastASecond: 138 },
      (distribution) => {
        distribution.CustomErrorResponses = (distribution.CustomErrorResponses ?? []).filter(
          ({ ErrorCode }) => ErrorCode !== 503,
        )
      },
    ],
    [
      'a minimum TTL of 60 s',
      { accountsPastFiveSeconds: 109 },
      (_distribution, policy) => {
        policy.MinTTL = 60
      },
    ],
    [
      'a lost behaviour of broadcasts',
      { broadcastsUnderCache: 120 },
      (distribution) => {
        delete distribution.CacheBehaviors
      },
    ],
    [
      'broadcasts that may not be sent',
      { broadcastsNotSent: 120 },
      (distribution) => {
        for (const behavior of distribution.CacheBehaviors ?? []) behavior.AllowedMethods = ['GET', 'HEAD', 'OPTIONS']
      },
    ],
    [
      'unknown query keys in the cache key',
      { maxOriginCalls: 11 },
      (distribution, policy) => {
        delete distribution.DefaultCacheBehavior.FunctionAssociations
        policy.ParametersInCacheKeyAndForwardedToOrigin.QueryStringsConfig = { QueryStringBehavior: 'all' }
      },
    ],
    [
      'a key without the limit',
      { mixedUp: 120 },
      (_distribution, policy) => {
        policy.ParametersInCacheKeyAndForwardedToOrigin.QueryStringsConfig = { QueryStringBehavior: 'none' }
      },
    ],
  ])('%s', (_fault, figures, change) => {
    expect(replay(changed(change), minute, withOutage).figures).toMatchObject(figures)
  })
})
