// A model of CloudFront, configured by the stack's template, replays requests and answers.
import { describe, expect, test } from '@jest/globals'
import type { TimedRequest } from '../../../verification/edge-model/cache.ts'
import type { CloudFormation } from '../../../verification/edge-model/distribution.ts'
import { distributionOf } from '../../../verification/edge-model/distribution.ts'
import { createCount } from '../../../verification/edge-model/figures.ts'
import type { OriginAnswer } from '../../../verification/edge-model/keeping.ts'
import { createNetwork } from '../../../verification/edge-model/model.ts'
import { accountPath } from '../../../verification/edge-model/traffic.ts'
import { viewerRequest } from '../../../verification/edge-model/viewer-request.ts'
import { templateOf } from '../stack-template.ts'

const distribution = distributionOf((await templateOf()).toJSON() as CloudFormation)

const [knownAccount, unknownAccount, failingAccount] = [accountPath('a'), accountPath('new'), accountPath('bad')]

/** @param at milliseconds from the start of the replay */
const request = (at: number, target: string, method = 'GET'): TimedRequest => ({ at, ...viewerRequest(method, target) })

const staleWhileFailing = {
  status: 200,
  cacheControl: 'public, max-age=5, stale-while-revalidate=10, stale-if-error=60',
}

/** The answers of a healthy origin, by path. */
const fresh: Readonly<Record<string, OriginAnswer>> = {
  '/blocks': staleWhileFailing,
  '/summary': staleWhileFailing,
  [knownAccount]: { status: 200, cacheControl: 'public, max-age=2, stale-if-error=0' },
  [unknownAccount]: { status: 404, cacheControl: 'public, max-age=2, stale-if-error=0' },
  '/broadcast/transaction': { status: 201, cacheControl: 'no-store' },
}
const unavailable: OriginAnswer = { status: 503, cacheControl: 'public, max-age=1, stale-if-error=0' }

/** Sends requests one by one to the edge, whose origin takes 100 ms for each answer. */
function replay(
  requests: readonly TimedRequest[],
  answerTo: (request: TimedRequest) => OriginAnswer = ({ uri }) => fresh[uri] ?? { status: 404 },
) {
  const count = createCount()
  const serve = createNetwork(distribution, (asked) => ({ ...answerTo(asked), latencyMs: 100 }), {
    onCall: count.addCall,
  })
  const served = requests.map((one) => serve(one))
  for (const one of served) count.add(one)
  return { served, answers: served.map(({ by, answer }) => `${by} ${answer.status}`), figures: count.figures() }
}

const targets = ['/summary', '//blocks/?limit=10', knownAccount, unknownAccount, failingAccount]

/** Each kind of request every half second for a minute. */
const minute = Array.from({ length: 120 }, (_, index) => [
  ...[...targets, `/blocks?limit=1&utm_id=${index}`].map((target) => request(500 * index, target)),
  request(500 * index, '/broadcast/transaction', 'POST'),
]).flat()

/** The origin fails for two seconds, but for broadcasts. */
const withOutage = ({ uri, at }: TimedRequest): OriginAnswer => {
  const fails = !uri.startsWith('/broadcast') && at >= 20_000 && at < 22_000
  return fails ? unavailable : (fresh[uri] ?? unavailable)
}

describe('the edge of the stack', () => {
  test('keeps every promise during a minute with an outage of its origin', () => {
    expect(replay(minute, withOutage).figures).toMatchObject({
      errorsPastASecond: 0,
      accountsPastFiveSeconds: 0,
      olderThanPromised: 0,
      mixedUp: 0,
      broadcasts: 120,
      broadcastsNotSent: 0,
      broadcastsUnderCache: 0,
      maxOriginCalls: 1,
    })
  })

  test('has one key for each meaning, and answers itself what has none', () => {
    const one = ['/blocks', '/blocks?limit=1', '/blocks?limit=001&x=1', '//blocks/?y=2']
    const ten = ['/blocks?limit=10', '/blocks?limit=11', '/blocks?y=2&limit=0010', '//blocks/?limit=99999999']
    const none = ['/blocks?limit=0', '/blocks?limit=1&limit=2', '/%62locks', '/nowhere', '/blocks/x', '/accounts/x']
    const { served, answers, figures } = replay(
      [...one, ...ten, ...none].map((target, index) => request(100 + 200 * index, target)),
    )
    const asOnce = ['origin 200', 'cache 200', 'cache 200', 'cache 200']
    expect(answers).toEqual([...asOnce, ...asOnce, ...[400, 400, 404, 404, 404, 404].map((status) => `edge ${status}`)])
    const forSeconds = (seconds: number) => `public, max-age=${seconds}, stale-if-error=0`
    expect(served.slice(-none.length).map(({ answer }) => answer.cacheControl)).toEqual([
      ...['no-store', 'no-store', 'no-store', 'no-store'],
      ...[forSeconds(5), forSeconds(2)],
    ])
    expect(figures.mixedUp).toBe(0)
  })
})
