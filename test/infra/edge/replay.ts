// Requests and answers for a model of CloudFront that a template configures.
import type { TimedRequest } from '../../../verification/edge-model/cache.ts'
import { type CloudFormation, distributionOf } from '../../../verification/edge-model/distribution.ts'
import { createCount, type Figures } from '../../../verification/edge-model/figures.ts'
import { accountPath } from '../../../verification/edge-model/ids.ts'
import type { OriginAnswer } from '../../../verification/edge-model/keeping.ts'
import { createNetwork, type ServedAnswer } from '../../../verification/edge-model/model.ts'
import { viewerRequest } from '../../../verification/edge-model/viewer-request.ts'
import { templateOf } from '../stack-template.ts'

const json = JSON.stringify((await templateOf()).toJSON())

/** The parts of a template that tests break. */
interface EdgeConfig {
  readonly DefaultCacheBehavior: { FunctionAssociations?: object[] }
  CacheBehaviors?: { AllowedMethods: string[] }[]
  CustomErrorResponses?: { readonly ErrorCode: number }[]
}

interface CacheConfig {
  MinTTL: number
  readonly ParametersInCacheKeyAndForwardedToOrigin: { QueryStringsConfig: object }
}

interface Resource {
  readonly Type: string
  readonly Properties: { readonly DistributionConfig: EdgeConfig; readonly CachePolicyConfig: CacheConfig }
}

/** The stack's template after a change to its distribution or its cache policy. */
export function changed(change: (distribution: EdgeConfig, cache: CacheConfig) => void): CloudFormation {
  const template = JSON.parse(json)
  const resources = Object.values<Resource>(template.Resources)
  const only = (type: string) => resources.find(({ Type }) => Type === type)?.Properties as Resource['Properties']
  change(
    only('AWS::CloudFront::Distribution').DistributionConfig,
    only('AWS::CloudFront::CachePolicy').CachePolicyConfig,
  )
  return template
}

/** The stack's template. */
export const healthy: CloudFormation = JSON.parse(json)

export const knownAccount = accountPath('a')
export const unknownAccount = accountPath('new')
const failingAccount = accountPath('bad')

/** @param at milliseconds from the start of the replay */
export const request = (at: number, target: string, method = 'GET', headers = {}): TimedRequest => ({
  at,
  ...viewerRequest(method, target, headers),
})

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
export const unavailable: OriginAnswer = { status: 503, cacheControl: 'public, max-age=1, stale-if-error=0' }

interface Replay {
  readonly served: readonly ServedAnswer[]
  /** Who answered each request, with which status: `cache 200`. */
  readonly answers: readonly string[]
  readonly figures: Figures
}

/** Sends requests one by one to the edge of a template, whose origin takes 100 ms for each answer. */
export function replay(
  template: CloudFormation,
  requests: readonly TimedRequest[],
  answerTo: (request: TimedRequest) => OriginAnswer = ({ uri }) => fresh[uri] ?? { status: 404 },
): Replay {
  const count = createCount()
  const serve = createNetwork(distributionOf(template), (asked) => ({ ...answerTo(asked), latencyMs: 100 }), {
    onCall: count.addCall,
  })
  const served = requests.map((one) => serve(one))
  for (const one of served) count.add(one)
  return { served, answers: served.map(({ by, answer }) => `${by} ${answer.status}`), figures: count.figures() }
}

/** Each kind of request every half second for a minute. */
export const minute = Array.from({ length: 120 }, (_, index) => [
  ...[
    '/summary',
    `/blocks?limit=1&utm_id=${index}`,
    '//blocks/?limit=10',
    knownAccount,
    unknownAccount,
    failingAccount,
  ].map((target) => request(500 * index, target)),
  request(500 * index, '/broadcast/transaction', 'POST'),
]).flat()

/** The origin fails for two seconds, but for broadcasts. */
export const withOutage = ({ uri, at }: TimedRequest): OriginAnswer => {
  const fails = !uri.startsWith('/broadcast') && at >= 20_000 && at < 22_000
  return fails ? unavailable : (fresh[uri] ?? unavailable)
}
