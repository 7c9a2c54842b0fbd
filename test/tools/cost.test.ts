// The cost of a stage is counted from its template, and computed from prices that one file states.
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import devnet from '../../config/devnet.ts'
import mainnet from '../../config/mainnet.ts'
import { readStageSettings } from '../../infra/settings/read.ts'
import { countsOf, dollarsAtRest } from '../../tools/generate/cost/at-rest.ts'
import { costParts } from '../../tools/generate/cost/cost-page.ts'
import { tiered, trafficTiers } from '../../tools/generate/cost/prices.ts'
import { edgeDollars, functionGb, originDollars, trafficDollars } from '../../tools/generate/cost/requests.ts'
import { withPart } from '../../tools/generate/generated-part.ts'
import { templateOf } from '../infra/stack-template.ts'

test('the tables of cost in operations.md are current; if not, run npm run generate', async () => {
  const files: Readonly<Record<string, object>> = { mainnet, devnet }
  const parts = await costParts(
    async ({ stage, changed }) =>
      (await templateOf(readStageSettings(stage, files[stage] ?? {}, {}, changed).settings)).toJSON() as never,
  )
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  expect(Object.entries(parts).reduce((text, [name, part]) => withPart(text, name, part), page)).toBe(page)
})

test('the time of functions is paid for with the memory that they have', async () => {
  const functions = Object.values((await templateOf()).findResources('AWS::Lambda::Function'))
  expect(new Set(functions.map(({ Properties }) => Properties.MemorySize / 1024))).toEqual(new Set([functionGb]))
})

const resource = (Type: string, Properties: object = {}) => ({ Type, Properties })
const heartbeatOf = (route: string) => ({
  Input: { 'Fn::Join': ['', [`{"routeKey":"${route}","headers":{"x-origin-secret":"`, { Ref: 'Secret' }, '"}}']] },
})
const every = 'rate(5 minutes)'
const small = {
  One: resource('AWS::Lambda::Function'),
  Poster: resource('AWS::Lambda::Function'),
  Simple: resource('AWS::CloudWatch::Alarm', { MetricName: 'TipAgeSlots' }),
  Share: resource('AWS::CloudWatch::Alarm', {
    Metrics: [{ Expression: 'a / b' }, { MetricStat: {} }, { MetricStat: {} }],
  }),
  Both: resource('AWS::CloudWatch::CompositeAlarm'),
  Reads: resource('AWS::Events::Rule', { ScheduleExpression: every, Targets: ['GET /a', 'GET /b'].map(heartbeatOf) }),
  Posts: resource('AWS::Events::Rule', { ScheduleExpression: every, Targets: [{ Arn: 'Poster' }] }),
  Throttled: resource('AWS::Logs::MetricFilter'),
  Shown: resource('AWS::CloudWatch::Dashboard', {
    DashboardBody: {
      'Fn::Join': [
        '',
        [
          '{"widgets":[{"properties":{"metrics":[["A","b","Id","',
          { Ref: 'One' },
          '"]]}},{"properties":{"markdown":"c"}}]}',
        ],
      ],
    },
  }),
  Secret: resource('AWS::SecretsManager::Secret'),
  Wall: resource('AWS::WAFv2::WebACL', { Rules: [{}, {}] }),
  Check: resource('AWS::Route53::HealthCheck'),
}

test('a template is counted by what costs: alarms by their metrics, metrics by what the heartbeats write', () => {
  const counts = {
    resources: 12,
    functions: 2,
    alarms: 2,
    alarmPairs: 1,
    alarmMetrics: 3,
    // Seven for each route, two of all routes, two of the tip, that of the filter and two of the heartbeat of broadcasts.
    metrics: 21,
    dashboardMetrics: 1,
    secrets: 1,
    firewallRules: 2,
    healthChecks: 1,
    heartbeats: 17_280,
    broadcastHeartbeats: 8640,
  }
  expect(countsOf({ Resources: small })).toEqual(counts)
  const Environment = { Variables: { ROUTE_METRICS: 'false' } }
  const whole = { ...small, One: resource('AWS::Lambda::Function', { Environment }) }
  expect(countsOf({ Resources: whole })).toEqual({ ...counts, metrics: 10 })
  const { Wall: _, ...open } = small
  expect(countsOf({ Resources: open })).toEqual({ ...counts, resources: 11, firewallRules: undefined })
})

test("a schedule other than the heartbeat's is not guessed at", () => {
  const Other = resource('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)', Targets: [] })
  expect(() => countsOf({ Resources: { Other } })).toThrow('Other is not a heartbeat')
})

const read = { name: 'a read', bytes: 2000, apiUnits: 1, functionMs: 100 }

test('the dollars of a month are those that follow from the list by hand', () => {
  // 1.00 for the API, 0.20 for the run, 0.05 GB-seconds at 13.3334, 1,560 bytes of log at 0.50 a GB.
  expect(originDollars(1e6, read)).toBeCloseTo(1 + 0.2 + 0.66667 + 0.78, 5)
  expect(originDollars(400e6, { ...read, apiUnits: 3 })).toBeCloseTo(300 + 900 * 0.9 + 400 * 1.64667, 2)
  expect([edgeDollars(1e6, true), edgeDollars(1e6, false)]).toEqual([expect.closeTo(1.7), expect.closeTo(1.1)])
  expect(trafficDollars(1e6, read)).toBeCloseTo(0.17)
  expect(tiered(60_000, trafficTiers)).toBeCloseTo(10_000 * 0.085 + 40_000 * 0.08 + 10_000 * 0.06)
  const { 'health check': check, heartbeats, ...others } = dollarsAtRest(countsOf({ Resources: small }), read)
  expect(others).toEqual({
    metrics: expect.closeTo(6.3),
    alarms: expect.closeTo(0.8),
    dashboard: 0,
    secrets: 0.4,
    firewall: 7,
  })
  expect(check).toBeCloseTo(2.75 + 0.432 * (1.7 + 2.64667), 4)
  expect(heartbeats).toBeCloseTo(0.01728 * 1.64667 + 0.00864 * (1.7 + 2.64667 + 1.64667), 5)
})
