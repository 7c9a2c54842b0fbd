// The alarms, the topics that are told of them and of the budget, and the alarms that roll a deployment back.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { withOneNode } from '../settings/every-setting.ts'
import { onlyResource, templateOf } from '../stack-template.ts'
import { settings } from '../stage-settings.ts'
import { alarmsOf, textOf } from './alarm-text.ts'

const checks = { healthCheck: true, broadcastHeartbeat: true, ticketEmail: 'team@example.org' }
const template = await templateOf(checks)
const alarms = alarmsOf(template)

const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')

const service = 'Service=chain-explorer-dev'
const lasting = '(2 of 3, missing: notBreaching)'
const once = '(1 of 1, missing: notBreaching)'
const failed = '(FILL(faults, 0) + FILL(errors, 0))'

/** p99 in milliseconds: of a broadcast, of what may wait for a walk through a ledger as accounts do, and of a look-up. */
function maxP99({ method, operations }: (typeof endpoints)[number]): number {
  if (method === 'POST') return 15_000
  return operations.some(({ isPatient }) => isPatient) ? 10_000 : 5000
}

const ofEndpoints = endpoints.flatMap((endpoint) => {
  const { name, method, path } = endpoint
  const route = `Route=${method} ${path}, ${service}`
  const lambda = `{FunctionName=${name}Function} in 300 s`
  const hasHeartbeat = name === 'broadcastTransaction'
  const asked = hasHeartbeat ? '(invocations - FILL(heartbeats, 0))' : 'invocations'
  return Object.entries({
    [`${name}Faults`]: [
      `IF((${asked} >= 20) OR (${failed} >= ${asked}), 100 * ${failed} / ${asked}, 0) > 5 ${lasting}`,
      `invocations: Sum of AWS/Lambda Invocations ${lambda}`,
      `errors: Sum of AWS/Lambda Errors ${lambda}`,
      `faults: Sum of ChainExplorer Faults {${route}} in 300 s`,
      ...(hasHeartbeat ? [`heartbeats: Sum of ChainExplorer BroadcastHeartbeats {${service}} in 300 s`] : []),
    ],
    [`${name}Latency`]: [
      `IF(requests >= 20, latency, 0) > ${maxP99(endpoint)} ${lasting}`,
      `requests: Sum of ChainExplorer Requests {${route}} in 300 s`,
      `latency: p99 of ChainExplorer Latency {${route}} in 300 s`,
    ],
    ...(method === 'POST' && {
      [`${name}Unknown`]: [`Sum of ChainExplorer Requests {Outcome=unknown, ${route}} in 300 s > 0 ${once}`],
    }),
  })
})

const viewer = onlyResource(template, 'AWS::CloudFront::Function').properties.Name
const functions = [...endpoints.map(({ name }) => name), 'docs']
const concurrency = 'Maximum of AWS/Lambda ConcurrentExecutions'

/** CloudWatch takes ten metrics in one alarm, so that each ten functions have one. */
const ofFunctions = (id: string, metric: string) =>
  Object.fromEntries(
    [functions.slice(0, 10), functions.slice(10)].map((names, part) => [
      part === 0 ? id : `${id}2`,
      [
        `SUM([${names.map((_, index) => `FILL(m${index}, 0)`).join(', ')}]) > 0 ${once}`,
        ...names.map((name, index) => `m${index}: Sum of AWS/Lambda ${metric} {FunctionName=${name}Function} in 300 s`),
      ],
    ]),
  )

/** Those on no single route or function. */
const ofService = {
  TipAge: [`Maximum of ChainExplorer TipAgeSlots {${service}} in 300 s > 10 (2 of 2, missing: breaching)`],
  NodesOut: [`Maximum of ChainExplorer NodesOut {${service}} in 300 s > 0 (3 of 3, missing: notBreaching)`],
  IndexerFaults: [`Sum of ChainExplorer IndexerFaults {${service}} in 300 s > 0 (3 of 3, missing: notBreaching)`],
  PinStale: [`Sum of ChainExplorer PinStale {${service}} in 300 s > 0 (3 of 3, missing: notBreaching)`],
  OtherNetworkFresh: [`Sum of ChainExplorer OtherNetworkFresh {${service}} in 300 s > 0 ${once}`],
  TipAhead: [`Minimum of ChainExplorer TipAgeSlots {${service}} in 300 s < 0 (2 of 2, missing: notBreaching)`],
  ClockBehind: [`Sum of ChainExplorer ClockBehind {${service}} in 300 s > 0 ${once}`],
  OriginRefusals: [`Sum of ChainExplorer OriginRefused {${service}} in 300 s > 10 ${once}`],
  InternalErrors: [`Sum of ChainExplorer InternalErrors {${service}} in 300 s > 0 ${once}`],
  BroadcastHeartbeat: [
    'Sum of AWS/Lambda Errors {FunctionName=BroadcastHeartbeatFunction} in 300 s > 0 (2 of 3, missing: breaching)',
  ],
  Concurrency: [`${concurrency} {} in 60 s > 800 ${once}`],
  ApiFaults: [
    `IF(requests >= 20, 100 * FILL(faults, 0) / requests, 0) > 5 ${lasting}`,
    'requests: SampleCount of AWS/ApiGateway Count {ApiId=ApiHttp} in 300 s',
    'faults: Sum of AWS/ApiGateway 5xx {ApiId=ApiHttp} in 300 s',
  ],
  ThrottledRequests: [
    `IF(requests >= 20, 100 * FILL(throttled, 0) / requests, 0) > 5 ${lasting}`,
    'requests: SampleCount of AWS/ApiGateway Count {ApiId=ApiHttp} in 300 s',
    'throttled: Sum of ChainExplorer/AccessLog chain-explorer-dev-Throttled {} in 300 s',
  ],
  EdgeFaults: [
    `IF(requests >= 20, share, 0) > 5 ${lasting}`,
    'requests: Sum of AWS/CloudFront Requests {DistributionId=EdgeDistribution, Region=Global} in 300 s',
    'share: Average of AWS/CloudFront 5xxErrorRate {DistributionId=EdgeDistribution, Region=Global} in 300 s',
  ],
  ViewerFunction: [
    `SUM([FILL(m0, 0), FILL(m1, 0), FILL(m2, 0)]) > 10 ${once}`,
    ...['FunctionExecutionErrors', 'FunctionValidationErrors', 'FunctionThrottles'].map(
      (name, index) => `m${index}: Sum of AWS/CloudFront ${name} {FunctionName=${viewer}, Region=Global} in 300 s`,
    ),
  ],
  PublicAddress: [
    'Minimum of AWS/Route53 HealthCheckStatus {HealthCheckId=WatchingPublicAddressSummary} in 60 s < 1 (3 of 3, missing: breaching)',
  ],
}

/** The alarms that roll a deployment back. */
const rollingBack = (stage: typeof template): readonly string[] =>
  stage
    .toJSON()
    .Outputs.RollbackAlarms.Value['Fn::Join'][1].filter((part: unknown) => part !== ' ')
    .map((part: object) => textOf(part).replace(/^WatchingAlarms(\w+)[0-9A-F]{8}\.Arn$/, '$1'))

test('the alarms are exactly these', () => {
  expect(['getAccount', 'getFees'].map((name) => alarms[`${name}Latency`]?.[0])).toEqual([
    expect.stringContaining(' > 10000 '),
    expect.stringContaining(' > 5000 '),
  ])
  expect(alarms).toEqual({
    ...Object.fromEntries(ofEndpoints),
    ...ofFunctions('Throttles', 'Throttles'),
    ...ofFunctions('Crashes', 'Errors'),
    ...ofService,
  })
})

test('a stage without metrics of routes has the alarms on the service, and one on the faults of all routes', async () => {
  const reservedConcurrency = { reads: 20, broadcasts: 20 }
  const small = await templateOf({ ...checks, routeMetrics: false, reservedConcurrency })
  expect(alarmsOf(small)).toEqual({
    ...ofService,
    Faults: [
      `IF((requests >= 20) OR (faults >= requests), 100 * faults / requests, 0) > 5 ${lasting}`,
      `requests: Sum of ChainExplorer Requests {${service}} in 300 s`,
      `faults: Sum of ChainExplorer Faults {${service}} in 300 s`,
    ],
  })
  expect(rollingBack(small)).toEqual(['InternalErrors', 'ApiFaults', 'EdgeFaults', 'ViewerFunction'])
})

test('the throttled requests are counted in the access log of the API', () => {
  expect(onlyResource(template, 'AWS::Logs::MetricFilter').properties).toMatchObject({
    LogGroupName: { Ref: expect.stringMatching(/^ApiAccessLog/) },
    FilterPattern: '{ $.status = "429" }',
    MetricTransformations: [{ MetricName: 'chain-explorer-dev-Throttled', MetricValue: '1', DefaultValue: 0 }],
  })
})

test('the health check requests the summary at the public address', async () => {
  const checkOf = async (changed: object) =>
    onlyResource(await templateOf({ healthCheck: true, ...changed }), 'AWS::Route53::HealthCheck').properties
      .HealthCheckConfig
  expect(await checkOf({})).toMatchObject({
    Type: 'HTTPS',
    FullyQualifiedDomainName: { 'Fn::GetAtt': [expect.stringMatching(/^EdgeDistribution/), 'DomainName'] },
    ResourcePath: '/summary',
    EnableSNI: true,
  })
  expect(await checkOf({ customDomain: { ...withOneNode.customDomain, attached: true } })).toMatchObject({
    FullyQualifiedDomainName: 'explorer.example.org',
  })
})

test('a stage without a health check, in a region without the metrics of CloudFront, lacks three alarms', async () => {
  const firewall = { ...settings.firewall, enabled: false }
  const elsewhere = await templateOf({ ...checks, healthCheck: false, region: 'eu-west-1', firewall })
  const { EdgeFaults: _edge, ViewerFunction: _viewer, PublicAddress: _address, ...others } = alarms
  expect(alarmsOf(elsewhere)).toEqual(others)
  expect(elsewhere.findResources('AWS::Route53::HealthCheck')).toEqual({})
})

test('each function with reserved concurrency has an alarm at 80 % of it', async () => {
  const limited = async (reads: number | null, broadcasts: number | null, accountConcurrency: number) => {
    const stage = await templateOf({ accountConcurrency, reservedConcurrency: { reads, broadcasts } })
    return Object.fromEntries(Object.entries(alarmsOf(stage)).filter(([id]) => id.endsWith('Concurrency')))
  }
  const at = (threshold: number, ...names: readonly string[]) =>
    names.map((name) => [
      `${name}Concurrency`,
      [`${concurrency} {${name && `FunctionName=${name}Function`}} in 60 s > ${threshold} ${once}`],
    ])
  const broadcasts = at(16, 'broadcastTransaction', 'broadcastDelegation')
  const reads = at(24, ...functions.filter((name) => !name.startsWith('broadcast')))
  expect(await limited(30, 21, 10)).toEqual(Object.fromEntries([...at(8, ''), ...reads, ...broadcasts]))
  expect(await limited(null, 21, 1000)).toEqual(Object.fromEntries([...at(800, ''), ...broadcasts]))
})

test('each alarm names a section of the runbook, whose table and sections have one for each', () => {
  const named = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(
    ({ Properties }) => /^[^#]+ What to do: docs\/runbook\.md#([a-z-]+)$/.exec(Properties.AlarmDescription)?.[1],
  )
  const sections = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  )
  const ofAlarms = sections.slice(sections.indexOf('alarms') + 1, sections.indexOf('without-an-alarm'))
  const inTable = [...runbook.matchAll(/^\| \[[^\]]+\]\(#([a-z-]+)\)/gm)].map(([, section]) => section)
  expect([...new Set(inTable)]).toEqual(ofAlarms)
  expect(ofAlarms.toSorted()).toEqual([...new Set(named)].toSorted())
})

test('the names by which the runbook mutes alarms are those of the stack', () => {
  const names = new Set([...runbook.matchAll(/\bWatchingAlarms(\w+)/g)].map(([, name = '']) => name))
  expect([...names].filter((name) => !Object.hasOwn(alarms, name))).toEqual([])
  expect(names.size).toBeGreaterThan(0)
})

test('no alarm reads more than the ten metrics that CloudWatch takes', () => {
  expect(Object.entries(alarms).filter(([, [_condition, ...metrics]]) => metrics.length > 10)).toEqual([])
})

test('the runbook names the saved queries, which search the logs of all functions and of the API', () => {
  const saved = Object.values(template.findResources('AWS::Logs::QueryDefinition')).map(({ Properties }) => Properties)
  const named = Array.from(
    runbook.matchAll(/`chain-explorer-<stage>\/([^`]+)`/g),
    ([, name]) => `chain-explorer-dev/${name}`,
  )
  expect(named.toSorted()).toEqual(saved.map(({ Name }) => Name).toSorted())
  const logGroups = Object.keys(template.findResources('AWS::Logs::LogGroup')).map((id) => ({ Ref: id }))
  expect(saved.map(({ LogGroupNames: names }) => new Set(names))).toEqual(saved.map(() => new Set(logGroups)))
})

/** The ids of topics by the ids of their constructs. */
const topics = Object.fromEntries(
  Object.keys(template.findResources('AWS::SNS::Topic')).map((id) => [
    /Topics(Page|Ticket)/.exec(id)?.[1],
    { Ref: id },
  ]),
)

describe('the topics', () => {
  const actionsOf = (stage: typeof template) =>
    Object.values(stage.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => [
      Properties.AlarmActions,
      Properties.OKActions,
    ])

  test('are told when an alarm fires and when it ends: that of pages or that of tickets, as the runbook says', () => {
    const told = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => {
      const [topic] = Properties.AlarmActions
      expect(Properties.OKActions).toEqual([topic])
      return [Properties.AlarmDescription.replace(/^.*#/, ''), topic]
    })
    const rows = runbook.matchAll(/^\| \[[^\]]+\]\(#([a-z-]+)\)[^|]* \| (page|ticket): [^|]+ \|$/gm)
    const documented = [...rows].map(([, section, word]) => [section, word === 'page' ? topics.Page : topics.Ticket])
    // A section may have alarms of both kinds.
    expect(new Set(told.map((row) => JSON.stringify(row)))).toEqual(
      new Set(documented.map((row) => JSON.stringify(row))),
    )
  })

  test('allow only alarms and budgets of their own account to publish, and only over TLS', () => {
    const policies = Object.values(template.findResources('AWS::SNS::TopicPolicy')).map(({ Properties }) => Properties)
    expect(policies.map(({ PolicyDocument: policy, Topics }) => [Topics, policy.Statement])).toEqual(
      [topics.Page, topics.Ticket].map((topic) => {
        const publishing = { Action: 'sns:Publish', Resource: topic }
        return [
          [topic],
          [
            {
              ...publishing,
              Sid: 'AllowPublishThroughSSLOnly',
              Effect: 'Deny',
              Principal: '*',
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
            {
              ...publishing,
              Sid: 'AlarmsAndBudgetsOfThisAccount',
              Effect: 'Allow',
              Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
              Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            },
          ],
        ]
      }),
    )
  })

  test('are one topic where the settings give none for tickets, with an address or existing as the settings say', async () => {
    const withAddress = await templateOf({ alarmEmail: 'ops@example.org' })
    const { properties: subscription } = onlyResource(withAddress, 'AWS::SNS::Subscription')
    const topic = { Ref: onlyResource(withAddress, 'AWS::SNS::Topic').id }
    expect(subscription).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.org', TopicArn: topic })
    expect(
      new Set(
        actionsOf(withAddress)
          .flat(2)
          .map(({ Ref: id }) => id),
      ),
    ).toEqual(new Set([topic.Ref]))
    const alarmTopicArn = 'arn:aws:sns:us-east-1:123456789012:ops'
    const ticketTopicArn = 'arn:aws:sns:us-east-1:123456789012:team'
    const existing = await templateOf({ alarmTopicArn, ticketTopicArn })
    expect(existing.findResources('AWS::SNS::Topic')).toEqual({})
    expect(new Set(actionsOf(existing).flat(2))).toEqual(new Set([alarmTopicArn, ticketTopicArn]))
  })
})

test('a deployment is rolled back by five alarms of metrics, and none of them follows node, chain or load', () => {
  expect(rollingBack(template)).toEqual(['Crashes', 'InternalErrors', 'ApiFaults', 'EdgeFaults', 'ViewerFunction'])
})

test('a monthly limit makes a budget of the resources with the tag of the stack, which writes to the tickets', async () => {
  const withLimit = await templateOf({ monthlyBudgetDollars: 50, ticketEmail: 'team@example.org' })
  const { properties, dependsOn } = onlyResource(withLimit, 'AWS::Budgets::Budget')
  const notification = (NotificationType: string, Threshold: number) => ({
    Notification: { NotificationType, Threshold, ThresholdType: 'PERCENTAGE', ComparisonOperator: 'GREATER_THAN' },
    Subscribers: [{ SubscriptionType: 'SNS', Address: topics.Ticket }],
  })
  expect(properties).toEqual({
    Budget: {
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 50, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:deployment$chain-explorer-dev/us-east-1'] },
    },
    NotificationsWithSubscribers: [notification('ACTUAL', 100), notification('FORECASTED', 120)],
  })
  expect(dependsOn).toContainEqual(expect.stringMatching(/TopicsTicketPolicy/))
  expect(template.findResources('AWS::Budgets::Budget')).toEqual({})
})
