// The limits of `npm run bench -- edge`, on a small scale: a wrong service breaks them.
import { beforeAll, expect, jest, test } from '@jest/globals'
import { distributionOf } from '../../verification/edge-model/distribution.ts'
import { type LearnedAnswer, learnAnswers } from '../../verification/edge-model/learned-answers.ts'
import { type Service, trials, tried } from '../../verification/edge-model/trials.ts'
import { templateOf } from '../infra/stack-template.ts'

// A service is asked some hundred questions about full blocks, perhaps on a busy machine.
jest.setTimeout(60_000)

let service: Service
beforeAll(async () => {
  const template = JSON.parse(JSON.stringify((await templateOf()).toJSON()))
  service = { distribution: distributionOf(template), learned: await learnAnswers() }
})

/** Each trial with fewer requests. */
const small = {
  hour: { ...trials.hour, durationMs: 300_000 },
  shield: { ...trials.shield, hourly: 100_000, durationMs: 300_000 },
  outage: { ...trials.outage, hourly: 360_000 },
  'hanging node': { ...trials['hanging node'], hourly: 360_000 },
  siege: { ...trials.siege, durationMs: 4_000 },
}

test.each<[trial: keyof typeof small, broken: readonly string[]]>([
  // Five minutes do not fill the cache.
  ['hour', ['hits on all reads']],
  ['shield', []],
  ['outage', []],
  ['hanging node', []],
  ['siege', []],
])('in the trial "%s" the service breaks the limits %j', (trial, names) => {
  expect(tried(small[trial], service).broken).toEqual(names)
})

test('the model learns from a living chain, whose deep blocks a cache may keep for half an hour', () => {
  expect(service.learned.get('block 50')?.cacheControl).toMatch(/^public, max-age=1800,/)
})

type Change = (answer: LearnedAnswer) => LearnedAnswer

const withAnswers = (change: Change) => (service: Service) => ({
  ...service,
  learned: new Map([...service.learned].map(([name, answer]) => [name, change(answer)])),
})

const withCacheControl = (pattern: RegExp | string, replacement: string) => {
  const change: Change = ({ cacheControl, notModified, ...answer }) => ({
    ...answer,
    cacheControl: cacheControl.replace(pattern, replacement),
    ...(notModified !== undefined && { notModified: change(notModified) }),
  })
  return withAnswers(change)
}

const withBlocks = (asked: string, nodeBlocks: number) => (service: Service) => ({
  ...service,
  learned: new Map([...service.learned].map(([name, each]) => [name, name === asked ? { ...each, nodeBlocks } : each])),
})

const withoutTags = withAnswers(({ notModified: _, ...answer }) => answer)

type Behavior = Service['distribution']['behaviors'][number]

const withErrorTtls = (errorTtls: Map<number, number>) => (service: Service) => ({
  ...service,
  distribution: { ...service.distribution, errorTtls },
})

const withBehaviors =
  (change: (behavior: Behavior) => Behavior) =>
  ({ distribution, learned }: Service): Service => ({
    distribution: { ...distribution, behaviors: distribution.behaviors.map(change) },
    learned,
  })

const withoutKeys = withBehaviors(({ policy, ...other }) => ({ ...other, policy: { ...policy, hasQueryInKey: false } }))
const withoutPosts = withBehaviors((behavior) => ({ ...behavior, allowedMethods: ['GET', 'HEAD'] }))

const withoutErrorTimes = (service: Service): Service =>
  withErrorTtls(new Map([...service.distribution.errorTtls.keys()].map((status) => [status, 0])))(
    withAnswers((answer) => (answer.status < 500 ? answer : { ...answer, cacheControl: 'no-store' }))(service),
  )

test.each<
  [mistake: string, change: (service: Service) => Service, trial: keyof typeof small, names: readonly string[]]
>([
  [
    'makes readers wait for new answers',
    withCacheControl(/stale-while-revalidate=\d+, /, ''),
    'hour',
    ['hits on /summary and /blocks', 'hits on all reads', 'readers of /summary and /blocks who wait'],
  ],
  ['sends no tags', withoutTags, 'hour', ['hits on all reads', 'origin bytes, as a share of whole answers']],
  [
    'does not cache errors',
    withoutErrorTimes,
    'outage',
    ['calls again for a key within a second', '/summary and /blocks answered'],
  ],
  [
    'leaves the caching of errors to CloudFront',
    withErrorTtls(new Map()),
    'outage',
    ['oldest /summary in place of an error', 'errors that a cache kept past 1 s', 'answers older than they allow'],
  ],
  [
    'forbids stale answers during errors',
    withCacheControl(/stale-if-error=\d+/, 'stale-if-error=0'),
    'outage',
    ['/summary and /blocks answered'],
  ],
  [
    'leaves the options out of its cache keys',
    withoutKeys,
    'hour',
    ['hits on all reads', 'origin bytes, as a share of whole answers', 'answers to another question'],
  ],
  ['takes no broadcasts', withoutPosts, 'hour', ['hits on all reads', 'broadcasts that did not reach the service']],
  ['keeps no answer', withCacheControl(/.*/, 'no-store'), 'siege', ['/summary and /blocks answered']],
  [
    'lists the whole frontier for a page of blocks',
    withBlocks('attack recent pages of blocks', 290),
    'siege',
    ["blocks that the node lists for an attacker's pages of blocks, as a share of those for pages of histories"],
  ],
  ['keeps accounts for longer', withCacheControl('max-age=2,', 'max-age=3,'), 'shield', ['accounts older than 5 s']],
])('a service that %s breaks limits', (_mistake, change, trial, names) => {
  expect(tried(small[trial], change(service)).broken).toEqual(names)
})
