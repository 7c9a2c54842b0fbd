// A model of CloudFront, configured by the stack's template, replays requests and answers.
import { expect, test } from '@jest/globals'
import type { CloudFormation } from '../../../tools/synthesise.ts'
import { distributionOf } from '../../../verification/edge-model/distribution.ts'
import { createNetwork } from '../../../verification/edge-model/network.ts'
import { viewerRequest } from '../../../verification/viewer-request.ts'
import { templateOf } from '../stack-template.ts'

const distribution = distributionOf((await templateOf()).toJSON() as CloudFormation)

/** Of an origin that takes 100 ms for each answer. */
const answer = { status: 200, cacheControl: 'public, max-age=5', latencyMs: 100 }

test('the edge of the stack has one key for each meaning, and answers itself what has none', () => {
  const one = ['/blocks', '/blocks?limit=1', '/blocks?limit=001&x=1', '//blocks/?y=2']
  const ten = ['/blocks?limit=10', '/blocks?limit=11', '/blocks?y=2&limit=0010', '//blocks/?limit=99999999']
  const none = ['/blocks?limit=0', '/blocks?limit=1&limit=2', '/%62locks', '/nowhere', '/blocks/x', '/accounts/x']
  const serve = createNetwork(distribution, (givenFor) => ({ ...answer, givenFor }))
  const served = [...one, ...ten, ...none].map((target, index) =>
    serve({ ...viewerRequest('GET', target), at: 100 + 200 * index, question: target, asks: '', isHostile: false }),
  )
  const asOnce = ['origin 200', 'cache 200', 'cache 200', 'cache 200']
  const refused = [400, 400, 404, 404, 404, 404].map((status) => `edge ${status}`)
  expect(served.map(({ by, answer: { status } }) => `${by} ${status}`)).toEqual([...asOnce, ...asOnce, ...refused])
  const forSeconds = (seconds: number) => `public, max-age=${seconds}, stale-if-error=0`
  expect(served.slice(-none.length).map(({ answer }) => answer.cacheControl)).toEqual([
    ...['no-store', 'no-store', 'no-store', 'no-store'],
    ...[forSeconds(5), forSeconds(2)],
  ])
})
