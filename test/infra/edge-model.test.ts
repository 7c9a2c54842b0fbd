// A model of CloudFront, set up by the template of the stack, replays requests and answers; broken templates show that
// it would notice.
import { describe, expect, test } from '@jest/globals'
import { createCount, type Figures } from '../../bench/edge/figures.ts'
import type { OriginAnswer } from '../../bench/edge/keeping.ts'
import { createEdge, type Served, type TimedRequest } from '../../bench/edge/model.ts'
import { type CloudFormation, distributionOf } from '../../bench/edge/template.ts'
import { templateOf } from './stack-template.ts'

const json = JSON.stringify(templateOf().toJSON())

interface Behavior {
  AllowedMethods: string[]
  FunctionAssociations?: object[]
}

interface DistributionConfig {
  readonly DefaultCacheBehavior: Behavior
  CacheBehaviors?: [Behavior]
  CustomErrorResponses?: { readonly ErrorCode: number }[]
}

interface PolicyConfig {
  MinTTL: number
  readonly ParametersInCacheKeyAndForwardedToOrigin: { QueryStringsConfig: object }
}

interface Properties {
  readonly DistributionConfig: DistributionConfig
  readonly CachePolicyConfig: PolicyConfig
}

/** The stack's template after a change to its distribution or its cache policy. */
function changed(change: (distribution: DistributionConfig, policy: PolicyConfig) => void): CloudFormation {
  const template = JSON.parse(json)
  const resources = Object.values<{ readonly Type: string; readonly Properties: Properties }>(template.Resources)
  const only = (type: string): Properties => {
    const resource = resources.find(({ Type }) => Type === type)
    if (resource === undefined) throw new Error(`No ${type}`)
    return resource.Properties
  }
  change(
    only('AWS::CloudFront::Distribution').DistributionConfig,
    only('AWS::CloudFront::CachePolicy').CachePolicyConfig,
  )
  return template
}

const healthy: CloudFormation = JSON.parse(json)

const hourMs = 3_600_000

const request = (at: number, target: string, method = 'GET'): TimedRequest => {
  const [uri = '', query = ''] = target.split('?')
  const querystring = Object.fromEntries([...new URLSearchParams(query)].map(([key, value]) => [key, { value }]))
  return { at, method, uri, querystring }
}

const fresh: Readonly<Record<string, OriginAnswer>> = {
  '/blocks': { status: 200, cacheControl: 'public, max-age=5' },
  '/summary': { status: 200, cacheControl: 'public, max-age=5' },
  '/accounts/a': { status: 200, cacheControl: 'public, max-age=3, stale-if-error=0' },
  '/accounts/unknown': { status: 404, cacheControl: 'public, max-age=5' },
  '/broadcast/transaction': { status: 201, cacheControl: 'no-store' },
}
const unavailable: OriginAnswer = { status: 503, cacheControl: 'no-store' }

interface Replay {
  readonly served: readonly Served[]
  readonly figures: Figures
}

function replay(
  template: CloudFormation,
  requests: readonly TimedRequest[],
  answerTo: (request: TimedRequest) => OriginAnswer = ({ uri }) => fresh[uri] ?? { status: 404 },
): Replay {
  const serve = createEdge(distributionOf(template), (asked) => ({ ...answerTo(asked), latencyMs: 100 }))
  const count = createCount()
  const served = requests.map((one) => serve(one))
  for (const one of served) count.add(one)
  return { served, figures: count.figures() }
}

/** Every half second for a minute, each kind of request; the origin is out of order from second 20 to second 22. */
const minute = Array.from({ length: 120 }, (_, index) => [
  request(500 * index, '/summary'),
  request(500 * index, `/blocks?limit=1&utm_id=${index}`),
  request(500 * index, '//blocks/?limit=10'),
  request(500 * index, '/accounts/a'),
  request(500 * index, '/accounts/unknown'),
  request(500 * index, '/accounts/failing'),
  request(500 * index, '/broadcast/transaction', 'POST'),
]).flat()

const withOutage = ({ uri, at }: TimedRequest): OriginAnswer => {
  if (uri.startsWith('/broadcast')) return fresh[uri] ?? unavailable
  return (at >= 20_000 && at < 22_000) || uri === '/accounts/failing' ? unavailable : (fresh[uri] ?? unavailable)
}

const kept = {
  errorsPastASecond: 0,
  accountsPastFiveSeconds: 0,
  mixedUp: 0,
  broadcasts: 120,
  broadcastsNotSent: 0,
  broadcastsUnderCache: 0,
  mostOriginCalls: 1,
}

describe('the edge of the stack', () => {
  test('keeps every promise through a minute with an outage of its origin', () => {
    expect(replay(healthy, minute, withOutage).figures).toMatchObject(kept)
  })

  test('answers from its cache for as long as the answer says', () => {
    const times = [0, 50, 5099, 5100]
    const { served } = replay(
      healthy,
      times.map((at) => request(at, '/summary')),
    )
    expect(served.map(({ by, ageMs }) => [by, ageMs])).toEqual([
      ['origin', 0],
      ['collapsed', 0],
      ['cache', 5099],
      ['origin', 0],
    ])
  })

  test('keeps /blocks?limit=1 and /blocks?limit=10 apart, and drops other keys and needless slashes', () => {
    const targets = [
      '/blocks?limit=1',
      '/blocks?limit=10',
      '/blocks?limit=1&x=1',
      '/blocks?y=2&limit=10',
      '//blocks/?limit=1',
    ]
    const { served, figures } = replay(
      healthy,
      targets.map((target, index) => request(1000 * index, target)),
    )
    expect(served.map(({ by }) => by)).toEqual(['origin', 'origin', 'cache', 'cache', 'cache'])
    expect(figures.mixedUp).toBe(0)
  })

  test('passes every broadcast and every preflight on', () => {
    const requests = ['POST', 'POST', 'OPTIONS', 'OPTIONS'].map((method) =>
      request(0, '/broadcast/transaction', method),
    )
    const slashed = request(0, '//broadcast//transaction', 'POST')
    const preflights = [request(0, '/summary', 'OPTIONS'), request(200, '/summary', 'OPTIONS')]
    const { served } = replay(healthy, [...requests, slashed, ...preflights])
    expect(served.map(({ by, answer }) => [by, answer.status])).toEqual([
      ...requests.map(() => ['origin', 201]),
      ['origin', 201],
      ['origin', 200],
      ['origin', 200],
    ])
  })

  test('asks again after an error, and forgets a not-found answer when that says so', () => {
    const errors = replay(healthy, [request(0, '/summary'), request(101, '/summary')], () => unavailable)
    const unknown = replay(
      healthy,
      [0, 5000, 5100].map((at) => request(at, '/accounts/unknown')),
    )
    expect(errors.served.map(({ by }) => by)).toEqual(['origin', 'origin'])
    expect(unknown.served.map(({ by }) => by)).toEqual(['origin', 'cache', 'origin'])
  })

  test('would answer an error with an account of any age, if the account did not forbid it', () => {
    const afterAnHour = [request(0, '/accounts/a'), request(hourMs, '/accounts/a')]
    const failingLater = (cacheControl: string) =>
      replay(healthy, afterAnHour, ({ at }) => (at === 0 ? { status: 200, cacheControl } : unavailable)).figures
    expect(failingLater('public, max-age=3').accountsPastFiveSeconds).toBe(1)
    expect(failingLater('public, max-age=3, stale-if-error=0').accountsPastFiveSeconds).toBe(0)
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
      { oldestErrorMs: 9900, errorsPastASecond: 120 },
      (distribution) => {
        distribution.CustomErrorResponses = (distribution.CustomErrorResponses ?? []).filter(
          ({ ErrorCode }) => ErrorCode !== 503,
        )
      },
    ],
    [
      'a minimum TTL of 60 s',
      { oldestAccountMs: 59_500, accountsPastFiveSeconds: 109 },
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
      'query keys that nobody drops, all of them in the key',
      { mostOriginCalls: 10 },
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
