import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { routeOf } from '../../../shared/agreements/names.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { onlyResource } from '../only-resource.ts'
import { withOneNode } from '../settings/every-setting.ts'
import { templateOf } from '../stack-template.ts'
import { settings } from '../stage-settings.ts'
import { alarmsOf, expressionsIn, inputsIn, ofMetric } from './alarm-properties.ts'
import { monitored } from './monitored.ts'

const template = await monitored()
const alarms = alarmsOf(template)
/** Of the whole stack, CloudFront and the check of the public address included. */
const wholeStack = await templateOf({ healthCheck: true })
const ofStack = alarmsOf(wholeStack)
const textOf = (file: string) => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')

/** The anchors of the runbook's headings. */
const places = [...textOf('runbook.md').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
)

const inputsOf = (name: string) => inputsIn(alarms[name] ?? {})
const expressionsOf = (name: string) => expressionsIn(alarms[name] ?? {})

const what = expect.stringMatching(/^[^#]+ What to do: docs\/runbook\.md#[a-z-]+$/)
const ofExpression = { AlarmDescription: what, Metrics: expect.any(Array), TreatMissingData: 'notBreaching' }
const lasting = { EvaluationPeriods: 3, DatapointsToAlarm: 2 }
const functionId = (name: string) => ({ Ref: expect.stringMatching(`^${name}[0-9A-F]{8}$`) })

describe('the alarms', () => {
  test('are exactly these', () => {
    const names = endpoints.map(({ name }) => name)
    expect(Object.keys(ofStack).toSorted()).toEqual(
      [
        'TipAge',
        ...names.map((name) => `${name}Faults`),
        ...names.map((name) => `${name}Latency`),
        'broadcastTransactionUnknown',
        'broadcastDelegationUnknown',
        'Throttles',
        'Concurrency',
        'OriginRefusals',
        'NodesOut',
        'ApiFaults',
        'EdgeFaults',
        'ThrottledRequests',
        'PublicAddress',
      ].toSorted(),
    )
  })

  test('fire on a tip older than 10 slots, and on a missing age', () => {
    expect(alarms.TipAge).toEqual({
      AlarmDescription: what,
      ...ofMetric('TipAgeSlots', 'Maximum', {}),
      Threshold: 10,
      EvaluationPeriods: 2,
      TreatMissingData: 'breaching',
    })
  })

  test.each(endpoints)(
    'fire if more than 5 % of the requests fail, or all of a few: $name',
    ({ name, method, path }) => {
      const route = { Service: 'chain-explorer-test', Route: `${method} ${path}` }
      expect(alarms[`${name}Faults`]).toEqual({ ...ofExpression, ...lasting, Threshold: 5 })
      expect(expressionsOf(`${name}Faults`)).toEqual([
        'IF((invocations >= 20) OR ((FILL(faults, 0) + FILL(errors, 0)) >= invocations), 100 * (FILL(faults, 0) + FILL(errors, 0)) / invocations, 0)',
      ])
      expect(inputsOf(`${name}Faults`)).toEqual({
        invocations: ['Invocations', 'Sum', 300, { FunctionName: functionId(name) }],
        errors: ['Errors', 'Sum', 300, { FunctionName: functionId(name) }],
        faults: ['Faults', 'Sum', 300, route],
      })
    },
  )

  test('fire on 5xx of the API, whether a function ran or not', () => {
    const { ApiFaults = {} } = ofStack
    const api = { ApiId: { Ref: expect.stringMatching(/^ApiHttp[0-9A-F]{8}$/) } }
    expect(ApiFaults).toEqual({ ...ofExpression, ...lasting, Threshold: 5 })
    expect(expressionsIn(ApiFaults)).toEqual(['IF(requests >= 20, 100 * FILL(faults, 0) / requests, 0)'])
    expect(inputsIn(ApiFaults)).toEqual({
      requests: ['Count', 'SampleCount', 300, api],
      faults: ['5xx', 'Sum', 300, api],
    })
  })

  test('fire if the API turns more than 5 % of the requests away with 429, as its access log says', () => {
    const { ThrottledRequests = {} } = ofStack
    const api = { ApiId: { Ref: expect.stringMatching(/^ApiHttp[0-9A-F]{8}$/) } }
    expect(ThrottledRequests).toEqual({ ...ofExpression, ...lasting, Threshold: 5 })
    expect(expressionsIn(ThrottledRequests)).toEqual(['IF(requests >= 20, 100 * FILL(throttled, 0) / requests, 0)'])
    expect(inputsIn(ThrottledRequests)).toEqual({
      requests: ['Count', 'SampleCount', 300, api],
      throttled: ['chain-explorer-dev-Throttled', 'Sum', 300, {}],
    })
    expect(onlyResource(wholeStack, 'AWS::Logs::MetricFilter').properties).toEqual({
      LogGroupName: { Ref: expect.stringMatching(/^ApiAccessLog/) },
      FilterPattern: '{ $.status = "429" }',
      MetricTransformations: [
        {
          MetricNamespace: 'ChainExplorer/AccessLog',
          MetricName: 'chain-explorer-dev-Throttled',
          MetricValue: '1',
          DefaultValue: 0,
        },
      ],
    })
  })

  test('fire if the public address does not answer, or is not checked any more', () => {
    const checkId = { Ref: expect.stringMatching(/^WatchingPublicAddress/) }
    expect(ofStack.PublicAddress).toEqual({
      AlarmDescription: what,
      Namespace: 'AWS/Route53',
      MetricName: 'HealthCheckStatus',
      Dimensions: [{ Name: 'HealthCheckId', Value: checkId }],
      Statistic: 'Minimum',
      Period: 60,
      Threshold: 1,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
    })
    const alarms = Object.values(wholeStack.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties)
    const { ComparisonOperator } = alarms.find(({ MetricName }) => MetricName === 'HealthCheckStatus') ?? {}
    expect(ComparisonOperator).toBe('LessThanThreshold')
    expect(onlyResource(wholeStack, 'AWS::Route53::HealthCheck').properties).toEqual({
      HealthCheckConfig: {
        Type: 'HTTPS',
        FullyQualifiedDomainName: { 'Fn::GetAtt': [expect.stringMatching(/^EdgeDistribution/), 'DomainName'] },
        ResourcePath: '/summary',
        Port: 443,
        EnableSNI: true,
        RequestInterval: 30,
        FailureThreshold: 3,
        Inverted: false,
        MeasureLatency: false,
        Regions: ['us-east-1', 'eu-west-1', 'ap-southeast-1'],
      },
      HealthCheckTags: expect.arrayContaining([{ Key: 'Name', Value: 'chain-explorer-dev' }]),
    })
  })

  test('leave the public address out, and the custom domain is what is checked', async () => {
    expect(alarms).not.toHaveProperty('PublicAddress')
    expect(template.findResources('AWS::Route53::HealthCheck')).toEqual({})
    const withDomain = await templateOf({
      healthCheck: true,
      customDomain: { ...withOneNode.customDomain, attached: true },
    })
    const { HealthCheckConfig } = onlyResource(withDomain, 'AWS::Route53::HealthCheck').properties
    expect(HealthCheckConfig.FullyQualifiedDomainName).toBe('explorer.example.org')
  })

  test('fire on 5xx of CloudFront, in the region with its metrics only', async () => {
    const { EdgeFaults = {} } = ofStack
    const Id = { Ref: expect.stringMatching(/^EdgeDistribution[0-9A-F]{8}$/) }
    const edge = { DistributionId: Id, Region: 'Global' }
    expect(EdgeFaults).toEqual({ ...ofExpression, ...lasting, Threshold: 5 })
    expect(expressionsIn(EdgeFaults)).toEqual(['IF(requests >= 20, share, 0)'])
    expect(inputsIn(EdgeFaults)).toEqual({
      requests: ['Requests', 'Sum', 300, edge],
      share: ['5xxErrorRate', 'Average', 300, edge],
    })
    const elsewhere = await templateOf({ region: 'eu-west-1', firewall: { ...settings.firewall, enabled: false } })
    expect(Object.keys(alarmsOf(elsewhere)).filter((name) => ['ApiFaults', 'EdgeFaults'].includes(name))).toEqual([
      'ApiFaults',
    ])
  })

  const patient = ['getBlock', 'getAccount']
  const quickest = (method: string) => (method === 'POST' ? 15_000 : 5000)
  test.each(
    endpoints.map((each) => [each.name, patient.includes(each.name) ? 10_000 : quickest(each.method), routeOf(each)]),
  )('fire on a slow %s: p99 over %d ms', (name, threshold, route) => {
    expect(alarms[`${name}Latency`]).toEqual({ ...ofExpression, ...lasting, Threshold: threshold })
    expect(expressionsOf(`${name}Latency`)).toEqual(['IF(requests >= 20, latency, 0)'])
    expect(inputsOf(`${name}Latency`)).toEqual({
      requests: ['Requests', 'Sum', 300, { Service: 'chain-explorer-test', Route: route }],
      latency: ['Latency', 'p99', 300, { Service: 'chain-explorer-test', Route: route }],
    })
  })

  test.each([
    ['broadcastTransaction', 'POST /broadcast/transaction'],
    ['broadcastDelegation', 'POST /broadcast/delegation'],
  ])('fire on each unknown outcome of %s', (name, Route) => {
    expect(alarms[`${name}Unknown`]).toEqual({
      AlarmDescription: what,
      ...ofMetric('Requests', 'Sum', { Route, Outcome: 'unknown' }),
      Threshold: 0,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    })
  })

  test('fire on any throttled invocation', () => {
    expect(alarms.Throttles).toEqual({
      ...ofExpression,
      EvaluationPeriods: 1,
      Threshold: 0,
    })
    const functions = [...endpoints.map(({ name }) => name), 'docs']
    const filled = functions.map((_name, index) => `FILL(m${index}, 0)`)
    expect(expressionsOf('Throttles')).toEqual([`SUM([${filled.join(', ')}])`])
    const throttled = functions.map((name) => ['Throttles', 'Sum', 300, { FunctionName: functionId(name) }])
    expect(Object.values(inputsOf('Throttles'))).toEqual(throttled)
  })

  test('fire at 80 % of the concurrency of the account, and of each function with reserved concurrency', async () => {
    const rule = {
      AlarmDescription: what,
      Namespace: 'AWS/Lambda',
      MetricName: 'ConcurrentExecutions',
      Statistic: 'Maximum',
      Period: 60,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    }
    expect(alarms.Concurrency).toEqual({ ...rule, Threshold: 800 })
    const reservedConcurrency = { reads: 30, broadcasts: 21 }
    const limited = alarmsOf(await monitored({ accountConcurrency: 10, reservedConcurrency }))
    expect(limited.Concurrency).toEqual({ ...rule, Threshold: 8 })
    for (const { name, method } of [...endpoints, { name: 'docs', method: 'GET' }]) {
      const Dimensions = [{ Name: 'FunctionName', Value: functionId(name) }]
      expect(limited[`${name}Concurrency`]).toEqual({ ...rule, Dimensions, Threshold: method === 'POST' ? 16 : 24 })
    }
    const some = alarmsOf(await monitored({ reservedConcurrency: { reads: null, broadcasts: 21 } }))
    expect(Object.keys(some).filter((id) => id.endsWith('Concurrency'))).toEqual([
      'Concurrency',
      'broadcastTransactionConcurrency',
      'broadcastDelegationConcurrency',
    ])
  })

  test('fire if one of several nodes is out of use for 15 minutes', () => {
    expect(alarms.NodesOut).toEqual({
      AlarmDescription: what,
      ...ofMetric('NodesOut', 'Maximum', {}),
      Threshold: 0,
      EvaluationPeriods: 3,
      TreatMissingData: 'notBreaching',
    })
  })

  test('fire on more than 10 requests that bypassed the CDN', () => {
    expect(alarms.OriginRefusals).toEqual({
      AlarmDescription: what,
      ...ofMetric('OriginRefused', 'Sum', {}),
      Threshold: 10,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    })
  })

  test('name a section of the runbook each, and runbook and operations have one for each', () => {
    const named = Object.values(ofStack).map(({ AlarmDescription }) => String(AlarmDescription).split('#')[1])
    expect(named.filter((place) => place === undefined || !places.includes(place))).toEqual([])
    expect(places.slice(places.indexOf('alarms') + 1).toSorted()).toEqual([...new Set(named)].toSorted())
    const linked = [...textOf('operations.md').matchAll(/^\| \[[^\]]+\]\(runbook\.md#([a-z-]+)\)/gm)].map(
      ([, place]) => place,
    )
    expect(linked.toSorted()).toEqual([...new Set(named)].toSorted())
  })

  test('notify one topic when a metric rises above its threshold and when it returns', () => {
    const [topic] = Object.keys(template.findResources('AWS::SNS::Topic'))
    const resources = Object.values(template.findResources('AWS::CloudWatch::Alarm'))
    expect(
      resources.map(({ Properties: { AlarmActions, OKActions, ComparisonOperator } }) => [
        AlarmActions,
        OKActions,
        ComparisonOperator,
      ]),
    ).toEqual(resources.map(() => [[{ Ref: topic }], [{ Ref: topic }], 'GreaterThanThreshold']))
  })
})
