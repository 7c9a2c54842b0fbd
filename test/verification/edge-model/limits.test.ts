// The limits of `npm run bench -- edge`, on a small scale: services as they must not be break them.
import { beforeAll, describe, expect, jest, test } from '@jest/globals'
import { learnAnswers } from '../../../verification/edge-model/learned-answers.ts'
import {
  type Limit,
  limitsOfHour,
  limitsOfMalformed,
  limitsOfOutage,
  limitsOfShield,
  limitsOfUnknownIds,
} from '../../../verification/edge-model/limits.ts'
import { hour, type Outcome, outage, type Service, siege } from '../../../verification/edge-model/scenarios.ts'
import type { CloudFormation } from '../../../verification/edge-model/template/cloud-formation.ts'
import { distributionOf, throttlesOf } from '../../../verification/edge-model/template/distribution.ts'
import { wrongVariants } from '../../../verification/edge-model/variants.ts'
import { templateOf } from '../../infra/stack-template.ts'

// A service is asked some hundred questions about full blocks, perhaps on a busy machine.
jest.setTimeout(60_000)

const cloudFormation = async (settings: Parameters<typeof templateOf>[0]): Promise<CloudFormation> =>
  JSON.parse(JSON.stringify((await templateOf(settings)).toJSON()))

let service: Service
let shielded: Service
/** All hours are compared with it. */
let untagged: Outcome
beforeAll(async () => {
  const throttles = { reads: { rate: 20, burst: 40 }, broadcasts: { rate: 10, burst: 20 } }
  const template = await cloudFormation({ throttles })
  const withShield = await cloudFormation({ throttles, originShieldRegion: 'us-east-1' })
  const learned = await learnAnswers()
  service = { distribution: distributionOf(template), throttles: throttlesOf(template), learned }
  shielded = { ...service, distribution: distributionOf(withShield) }
  untagged = hour(wrongVariants.withoutTags(service), visit)
})

const minutes = (count: number) => count * 60_000
const visit = { seed: 'small', hourly: 100_000, durationMs: minutes(5) }
const beside = { seed: 'small', hourly: 100_000, durationMs: minutes(0.5), rate: 100 }
const world = { ...visit, hourly: 300_000, edges: 5 }

type Change = (service: Service) => Service

const scenarios = {
  hour: (change: Change) => limitsOfHour(hour(change(service), visit), untagged),
  outage: (change: Change) => limitsOfOutage(outage(change(service), 'small', 150, 100), true),
  hanging: (change: Change) => limitsOfOutage(outage(change(service), 'small', 8000, 100), false),
  'ages that add up': (change: Change) => limitsOfShield(hour(change(shielded), world), false),
  'ages that are counted': (change: Change) =>
    limitsOfShield(hour(change(shielded), { ...world, countsAge: true }), true),
  'malformed requests': (change: Change) => limitsOfMalformed(siege(change(service), { ...beside, by: 'malformed' })),
  'unknown ids': (change: Change) =>
    limitsOfUnknownIds(siege(change(service), { ...beside, by: 'unknownIds' }), service.throttles),
}

/** The names of broken limits, without their figures. */
const broken = (limits: readonly Limit[]): readonly string[] =>
  limits.filter(({ isKept }) => !isKept).map(({ name }) => name.replace(/ \(at .*/, ''))

describe('the service as it is keeps every limit of', () => {
  test.each(Object.keys(scenarios).filter((name) => name !== 'hour') as (keyof typeof scenarios)[])(
    '%s',
    (scenario) => {
      expect(broken(scenarios[scenario]((same) => same))).toEqual([])
    },
  )

  test('an hour, but for a cache that is filled after five minutes', () => {
    expect(broken(scenarios.hour((same) => same))).toEqual(['hits on all reads'])
  })
})

describe('the limits detect a service', () => {
  test.each<[keyof typeof wrongVariants, keyof typeof scenarios, readonly string[]]>([
    [
      'withoutAdmission',
      'malformed requests',
      ['origin calls of malformed requests', 'calls for a key within its cache time'],
    ],
    [
      'withoutRevalidating',
      'hour',
      ['hits on /summary and /blocks', 'hits on all reads', 'readers of /summary and /blocks who wait'],
    ],
    ['withoutTags', 'hour', ['hits on all reads', 'origin bytes, as a share of whole answers']],
    [
      'withoutErrorTimes',
      'outage',
      ['calls for a key and second that reach a function', '/summary and /blocks answered'],
    ],
    [
      'withDefaultErrorTimes',
      'outage',
      ['oldest /summary in place of an error', 'errors that a cache kept past 1 s', 'answers older than they allow'],
    ],
    ['withoutStaleIfError', 'outage', ['/summary and /blocks answered']],
    ['withLongerAccounts', 'ages that add up', ['accounts older than 5 s']],
    ['withoutThrottles', 'unknown ids', ['calls that pass the throttle']],
  ])('%s, by %s', (variant, scenario, names) => {
    expect(broken(scenarios[scenario](wrongVariants[variant]))).toEqual(names)
  })
})

test('whoever gets no hit waits', () => {
  const wrong = [...untagged.figures.routes].filter(([, { requests, hits, waits }]) => waits < requests - hits)
  expect(wrong).toEqual([])
})
